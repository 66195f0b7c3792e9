// SPDX-License-Identifier: Apache-2.0
#include "predict/layout.h"

#include <algorithm>
#include <limits>

namespace xgbl {
namespace {

std::uint32_t CellOf(Tree const& tree, std::size_t node, Span<std::uint32_t const> features) {
  auto const* const place = std::lower_bound(features.begin(), features.end(), tree.feature[node]);
  std::size_t const offset = tree.default_left[node] != 0 ? features.size() : 0;
  return static_cast<std::uint32_t>(static_cast<std::size_t>(place - features.begin()) + offset);
}

// A threshold that no value is below still lets the minus infinity of a missing value go left; it is as good as the
// lowest number for all values but minus infinity itself.
float ThresholdOf(Tree const& tree, std::size_t node) {
  constexpr float kLowest = std::numeric_limits<float>::lowest();
  float const threshold = tree.threshold[node];
  return tree.default_left[node] != 0 && !(threshold > kLowest) ? kLowest : threshold;
}

PackedTree PackTree(Tree const& tree, Span<std::uint32_t const> features) {
  PackedTree packed;
  packed.tree = &tree;
  std::vector<NodeId> order{0};  // level by level
  std::size_t level_end = 1;
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (place == level_end) {
      ++packed.depth;
      level_end = order.size();
    }
    NodeId const id = order[place];
    std::size_t const i = Tree::At(id);
    if (tree.IsLeaf(id)) {
      packed.nodes.push_back({std::numeric_limits<float>::quiet_NaN(), 0, static_cast<std::uint32_t>(place) - 1, id});
      continue;
    }
    auto const first_child = static_cast<std::uint32_t>(order.size());
    packed.nodes.push_back({ThresholdOf(tree, i), CellOf(tree, i, features), first_child, id});
    packed.categorical = packed.categorical || tree.categorical[i] != 0;
    order.push_back(tree.left[i]);
    order.push_back(tree.right[i]);
  }
  return packed;
}

}  // namespace

std::vector<std::uint32_t> UsedFeatures(Model const& model, RoundRange trees) {
  std::vector<std::uint32_t> used;
  for (std::size_t t = trees.begin; t < trees.end; ++t) {
    Tree const& tree = *model.trees[t];
    for (std::size_t i = 0; i < tree.Size(); ++i) {
      if (!tree.IsLeaf(static_cast<NodeId>(i))) used.push_back(tree.feature[i]);
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
  }
  return used;
}

std::vector<PackedTree> PackTrees(Model const& model, RoundRange trees, Span<std::uint32_t const> features) {
  std::vector<PackedTree> packed;
  for (std::size_t t = trees.begin; t < trees.end; ++t) packed.push_back(PackTree(*model.trees[t], features));
  return packed;
}

}  // namespace xgbl
