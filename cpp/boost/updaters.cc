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
#include "tree/leaf_rows.h"

namespace xgbl {
namespace {

constexpr std::array kChangers = {"prune", "refresh"};
constexpr std::array kLinear = {"coord_descent", "shotgun"};

template <class Names>
bool IsAmong(Names const& names, std::string const& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The sums of one output by node.
LeafSums SumsByNode(Context const& ctx, OutputGradients const& gradients, std::vector<LeafRows const*> const& rows,
                    Tree const& tree) {
  LeafSums sums = SumLeaves(gradients, rows, tree.Size(), ctx);
  auto& by_node = sums.by_node;
  std::vector<NodeId> const nodes = ReachableNodes(tree);
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    std::size_t const at = Tree::At(*node);
    if (!tree.IsLeaf(*node)) by_node[at] = by_node[Tree::At(tree.left[at])] + by_node[Tree::At(tree.right[at])];
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

std::string MethodOf(std::string const& step) {
  for (auto const& [name, method] : Registry<TreeMethod>::Get().Entries()) {
    if (method.make()->Updater() == step) return name;
  }
  return "";
}

Strings Growers() {
  Strings growers;
  for (auto const& [name, method] : Registry<TreeMethod>::Get().Entries()) growers.push_back(method.make()->Updater());
  std::sort(growers.begin(), growers.end());
  return growers;
}

void CheckUpdaterNames(Strings const& updaters) {
  for (auto const& name : updaters) {
    Require<ParamError>(!MethodOf(name).empty() || IsAmong(kChangers, name) || IsAmong(kLinear, name),
                        "`updater` must be made of ", Joined(Growers(), ", "),
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

void RefreshTree(Context const& ctx, TreeParam const& param, bool leaves, std::vector<OutputGradients> const& gradients,
                 std::vector<LeafRows const*> const& rows, Tree* tree) {
  GainRule const rule(param);
  std::size_t const outputs = gradients.size();
  Tree fresh = *tree;
  std::fill(fresh.cover.begin(), fresh.cover.end(), 0.0F);
  std::fill(fresh.gain.begin(), fresh.gain.end(), 0.0F);
  for (std::size_t k = 0; k < outputs; ++k) {
    LeafSums const sums = SumsByNode(ctx, gradients[k], rows, *tree);
    auto const gradient = [&](std::size_t at) { return sums.scale.Gradient(sums.by_node[at]); };
    auto const hessian = [&](std::size_t at) { return sums.scale.Hessian(sums.by_node[at]); };
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
