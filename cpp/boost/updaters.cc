// SPDX-License-Identifier: Apache-2.0
#include "boost/updaters.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "base/error.h"
#include "predict/predictor.h"
#include "tree/gain.h"
#include "tree/leaf_sums.h"

namespace xgbl {
namespace {

constexpr std::array kChangers = {"prune", "refresh"};
constexpr std::array kLinear = {"coord_descent", "shotgun"};

// The tree method that does what a step says; "" if the step does not grow trees.
std::string MethodOf(std::string const& step) {
  auto const methods = MethodsByUpdater();
  auto const found = methods.find(step);
  return found == methods.end() ? "" : found->second;
}

// All steps that grow trees.
std::string Growers() {
  Strings growers;
  for (auto const& [updater, method] : MethodsByUpdater()) growers.push_back(updater);
  return Joined(growers, ", ");
}

template <class Names>
bool IsAmong(Names const& names, std::string const& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The sums of one output by node.
std::vector<FixedSum> SumsByNode(Context const& ctx, FineSums const& fine, std::vector<LeafRows const*> const& rows,
                                 Tree const& tree) {
  std::vector<FixedSum> sums(tree.Size());
  for (LeafRows const* part : rows) {
    std::vector<FixedSum> const leaves = LeafSums(fine, *part, tree.Size(), ctx);
    for (std::size_t at = 0; at < sums.size(); ++at) sums[at] += leaves[at];
  }
  std::vector<NodeId> const nodes = ReachableNodes(tree);
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    std::size_t const at = Tree::At(*node);
    if (!tree.IsLeaf(*node)) sums[at] = sums[Tree::At(tree.left[at])] + sums[Tree::At(tree.right[at])];
  }
  return sums;
}

void MakeLeaf(NodeId node, double learning_rate, Tree* tree) {
  std::size_t const at = Tree::At(node);
  auto const outputs = static_cast<std::size_t>(tree->outputs);
  tree->left[at] = tree->right[at] = kNoNode;
  tree->gain[at] = tree->threshold[at] = 0;
  for (std::size_t k = at * outputs; k < (at + 1) * outputs; ++k) {
    tree->value[k] = static_cast<float>(learning_rate) * tree->weight[k];
  }
}

// Leaves have no sets of categories.
void DropUnusedSets(Tree* tree) {
  if (tree->category_begin.empty()) return;
  std::vector<std::int32_t> category;
  std::vector<std::size_t> begin{0};
  for (std::size_t i = 0; i < tree->Size(); ++i) {
    auto const node = static_cast<NodeId>(i);
    auto const set = tree->CategorySet(node);
    if (tree->IsLeaf(node)) {
      tree->categorical[i] = 0;
    } else {
      category.insert(category.end(), set.begin(), set.end());
    }
    begin.push_back(category.size());
  }
  bool const any = !category.empty();
  tree->category = std::move(category);
  tree->category_begin = any ? std::move(begin) : std::vector<std::size_t>();
}

}  // namespace

void CheckUpdaterNames(Strings const& updaters) {
  for (auto const& name : updaters) {
    Require<ParamError>(!MethodOf(name).empty() || IsAmong(kChangers, name) || IsAmong(kLinear, name),
                        "`updater` must be made of ", Growers(),
                        ", prune and refresh, or be coord_descent or shotgun for a linear model; got `", name, "`.");
  }
}

UpdaterPlan PlanOf(BoostParam const& param) {
  UpdaterPlan plan;
  plan.prunes_at_once = param.updater.empty();
  if (param.updater.empty()) plan.method = Registry<TreeMethod>::Get().At(param.tree_method, "tree method").name;
  for (auto const& name : param.updater) {
    std::string const grower = MethodOf(name);
    plan.is_linear = plan.is_linear || IsAmong(kLinear, name);
    if (!grower.empty()) {
      plan.method = grower;
      ++plan.growers;
    } else if (name == "prune" && plan.later.empty() && !plan.method.empty()) {
      plan.prunes_at_once = true;
    } else {
      plan.later.push_back(name);
    }
  }
  return plan;
}

void CheckGrowing(BoostParam const& param) {
  if (param.updater.empty()) return;
  UpdaterPlan const plan = PlanOf(param);
  std::string const& first = param.updater.front();
  Require<ParamError>(!MethodOf(first).empty() && !plan.is_linear, "`updater` must begin with one of ", Growers(),
                      " to make new trees; got `", first,
                      "`. Set `process_type` to `update` to change the trees of a model.");
  Require<ParamError>(plan.growers == 1, "`updater` names ", plan.growers, " ways to grow a tree; name one of ",
                      Growers(), ".");
}

void RefreshTree(Context const& ctx, TreeParam const& param, bool leaves, std::vector<OutputGradients> const& gradients,
                 std::vector<LeafRows const*> const& rows, Tree* tree) {
  GainRule const rule(param);
  std::size_t const outputs = gradients.size();
  Tree fresh = *tree;
  std::fill(fresh.cover.begin(), fresh.cover.end(), 0.0F);
  std::fill(fresh.gain.begin(), fresh.gain.end(), 0.0F);
  for (std::size_t k = 0; k < outputs; ++k) {
    FineSums const fine(gradients[k], ctx);
    auto const sums = SumsByNode(ctx, fine, rows, *tree);
    auto const gradient = [&](std::size_t at) { return fine.Scale().Gradient(sums[at]); };
    auto const hessian = [&](std::size_t at) { return fine.Scale().Hessian(sums[at]); };
    auto const gain = [&](std::size_t at) { return rule.Gain(gradient(at), hessian(at), {}); };
    for (NodeId const node : ReachableNodes(*tree)) {
      std::size_t const at = Tree::At(node);
      bool const is_leaf = tree->IsLeaf(node);
      auto const weight = static_cast<float>(rule.Weight(gradient(at), hessian(at), {}));
      fresh.cover[at] += static_cast<float>(hessian(at));
      fresh.weight[at * outputs + k] = weight;
      if (!is_leaf) {
        double const apart = gain(Tree::At(tree->left[at])) + gain(Tree::At(tree->right[at]));
        fresh.gain[at] += static_cast<float>(apart - gain(at));
      }
      if (is_leaf && leaves) fresh.value[at * outputs + k] = static_cast<float>(param.learning_rate) * weight;
    }
  }
  *tree = std::move(fresh);
}

LeafRows RowsByLeaf(Tree const& tree, FeatureMatrix const& features, Context const& ctx) {
  Model model;
  model.AppendRound({std::make_shared<Tree const>(tree)}, {0});
  return SortByLeaf({}, true, PredictLeaves(model, features, {0, 1}, ctx).values, tree.Size());
}

void PruneTree(TreeParam const& param, Tree* tree) {
  std::vector<NodeId> const nodes = ReachableNodes(*tree);
  std::vector<int> depth(tree->Size(), 0);
  for (NodeId const node : nodes) {
    if (node != 0) depth[Tree::At(node)] = depth[Tree::At(tree->parent[Tree::At(node)])] + 1;
  }
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    std::size_t const at = Tree::At(*node);
    bool const twig = !tree->IsLeaf(*node) && tree->IsLeaf(tree->left[at]) && tree->IsLeaf(tree->right[at]);
    bool const deep = param.max_depth > 0 && depth[at] + 1 > param.max_depth;
    if (twig && (deep || double{tree->gain[at]} < param.min_split_loss)) MakeLeaf(*node, param.learning_rate, tree);
  }
  DropUnusedSets(tree);
}

}  // namespace xgbl
