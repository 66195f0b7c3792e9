// SPDX-License-Identifier: Apache-2.0
#include "tree/grow.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "parallel/parallel_for.h"
#include "tree/finish.h"
#include "tree/frontier.h"

namespace xgbl {
namespace {

// What children take over from their parent: bounds, features used above, and the columns that they may split on.
class Inheritance {
 public:
  Inheritance(TreeTask const& task, ColumnSampler const& columns)
      : rule_(task.param),
        columns_(columns),
        monotone_(task.param, task.data.Columns()),
        interaction_(task.param, task.data.Columns()) {}

  void Root(GrowingTree* tree) const { Restrict(&(*tree)[0]); }

  void Children(GrowingTree* tree, NodeId parent) const {
    GrowingNode const above = (*tree)[parent];
    auto const bounds = ChildBounds(above, tree->scales);
    for (int side = 0; side < 2; ++side) {
      GrowingNode& child = (*tree)[above.left + side];
      child.bounds = side == 0 ? bounds.first : bounds.second;
      if (interaction_.Active()) child.path_features = With(above.path_features, above.split.feature);
      Restrict(&child);
    }
  }

 private:
  using Bounds = std::vector<WeightBounds>;  // by output

  std::pair<Bounds, Bounds> ChildBounds(GrowingNode const& parent, std::vector<FixedScale> const& scales) const {
    Split const& split = parent.split;
    if (monotone_.Sign(split.feature) == 0) return {parent.bounds, parent.bounds};
    std::pair<Bounds, Bounds> children;
    for (std::size_t k = 0; k < scales.size(); ++k) {
      WeightBounds const bounds = parent.Bounds(k);
      auto const weight = [&](FixedSum sum) {
        return rule_.Weight(scales[k].Gradient(sum), scales[k].Hessian(sum), bounds);
      };
      double const left = weight(split.left[k]), right = weight(split.right[k]);
      FixedSum const both = parent.sums[k];
      double const middle = monotone_.Allows(split.feature, left, right)
                                ? (left + right) / 2
                                : rule_.SharedWeight(scales[k].Gradient(both), scales[k].Hessian(both), bounds);
      auto const below = monotone_.ChildBounds(bounds, split.feature, middle);
      children.first.push_back(below.first);
      children.second.push_back(below.second);
    }
    return children;
  }

  static std::vector<std::uint32_t> With(std::vector<std::uint32_t> features, std::uint32_t feature) {
    auto const place = std::lower_bound(features.begin(), features.end(), feature);
    if (place == features.end() || *place != feature) features.insert(place, feature);
    return features;
  }

  void Restrict(GrowingNode* node) const {
    if (columns_.VariesInTree()) node->columns = columns_.Node(static_cast<std::size_t>(node->depth), node->path);
    node->splittable = !(columns_.VariesInTree() ? node->columns : columns_.Tree()).empty();
    std::vector<std::uint32_t> const allowed = interaction_.Allowed(node->path_features);
    if (allowed.empty() || !node->splittable) return;
    auto const& from = columns_.VariesInTree() ? node->columns : columns_.Tree();
    std::vector<std::uint32_t> both;
    std::set_intersection(from.begin(), from.end(), allowed.begin(), allowed.end(), std::back_inserter(both));
    node->columns = std::move(both);
    node->splittable = !node->columns.empty();
  }

  GainRule rule_;
  ColumnSampler const& columns_;
  MonotoneConstraints monotone_;
  InteractionConstraints interaction_;
};

// A node that no limit allows to be split need not be looked at.
bool WorthEvaluating(GrowingTree const& tree, NodeId id, TreeParam const& param) {
  GrowingNode const& node = tree[id];
  bool const deep = param.max_depth > 0 && node.depth >= param.max_depth;
  return node.splittable && !deep && tree.Hessian(id) >= 2 * param.min_child_weight;
}

void Evaluate(SplitFinder* finder, GrowingTree* tree, TreeParam const& param, std::vector<NodeId> const& nodes) {
  std::vector<NodeId> worth;
  std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(worth),
               [&](NodeId node) { return WorthEvaluating(*tree, node, param); });
  if (worth.empty()) return;
  std::vector<Split> splits = finder->Evaluate(*tree, worth);
  for (std::size_t i = 0; i < worth.size(); ++i) (*tree)[worth[i]].split = std::move(splits[i]);
}

// From below: a split both of whose children are leaves and that gained too little becomes a leaf itself.
void Prune(GrowingTree* tree, double least_gain) {
  for (auto node = tree->commits.rbegin(); node != tree->commits.rend(); ++node) {
    GrowingNode& inner = (*tree)[*node];
    bool const twig = !(*tree)[inner.left].committed && !(*tree)[inner.left + 1].committed;
    if (twig && inner.split.gain < least_gain) inner.committed = false;
  }
}

}  // namespace

GrownTree GrowTree(TreeTask task, TreeMethod const& method, bool prune) {
  ColumnSampler const columns(task.param, task.key, task.data.Columns(), task.data.Info().feature_weights);
  Inheritance const inheritance(task, columns);
  std::unique_ptr<SplitFinder> const finder = method.Start(&task, columns);
  std::unique_ptr<Frontier> const frontier = MakeFrontier(task.param, finder->NodesAhead(), method.StopsEarly());

  GrowingTree tree;
  tree.scales = finder->Scales();
  tree.nodes.emplace_back();
  tree[0].sums = finder->RootSums();
  inheritance.Root(&tree);
  std::vector<NodeId> fresh{0};
  Evaluate(finder.get(), &tree, task.param, fresh);
  for (auto chosen = frontier->Next(&tree, fresh); !chosen.empty(); chosen = frontier->Next(&tree, fresh)) {
    CheckInterrupt(task.ctx);
    fresh.clear();
    for (NodeId const node : chosen) {
      NodeId const left = tree.AddChildren(node);
      inheritance.Children(&tree, node);
      fresh.insert(fresh.end(), {left, left + 1});
    }
    finder->Apply(tree, chosen);
    Evaluate(finder.get(), &tree, task.param, fresh);
  }
  if (prune) Prune(&tree, task.param.min_split_loss);
  return FinishTree(task, tree, finder.get());
}

}  // namespace xgbl
