// SPDX-License-Identifier: Apache-2.0
#include "predict/layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace xgbl {
namespace {

// Whether a node sends missing values left and all others right: no value is below its threshold.
bool AsksForPresence(Tree const& tree, std::size_t node) {
  bool const none_below = !(tree.threshold[node] > -std::numeric_limits<float>::infinity());
  return tree.categorical[node] == 0 && tree.default_left[node] != 0 && none_below;
}

std::uint32_t CellOf(Tree const& tree, std::size_t node, Span<std::uint32_t const> features) {
  auto const* const place = std::lower_bound(features.begin(), features.end(), tree.feature[node]);
  bool const missing_below = tree.default_left[node] != 0 && !AsksForPresence(tree, node);
  return static_cast<std::uint32_t>(static_cast<std::size_t>(place - features.begin()) +
                                    (missing_below ? features.size() : 0));
}

constexpr std::size_t kMostSides = 1024;  // of a node; more of them would take more time to lay out than they save

// One more than the last category that goes right at a node.
std::size_t CategoryLimit(Tree const& tree, NodeId node) {
  auto const set = tree.CategorySet(node);
  return set.empty() ? 0 : static_cast<std::size_t>(set[set.size() - 1]) + 1;
}

// Nodes with a set get NaN for a threshold, which says "right" of all values, and the set has the last word.
void PackSets(PackedTree* packed) {
  Tree const& tree = *packed->tree;
  bool const fits = std::all_of(packed->nodes.begin(), packed->nodes.end(), [&](PackedNode const& node) {
    return CategoryLimit(tree, node.id) < kMostSides && !AsksForPresence(tree, Tree::At(node.id));
  });
  if (packed->plain || !fits) return;
  packed->sets.resize(packed->nodes.size());
  packed->sides.assign(1, 1);  // of nodes that compare
  for (std::size_t place = 0; place < packed->nodes.size(); ++place) {
    PackedNode& node = packed->nodes[place];
    if (tree.IsLeaf(node.id) || AskedByComparison(tree, Tree::At(node.id))) continue;
    std::size_t const limit = CategoryLimit(tree, node.id), first = packed->sides.size();
    packed->sides.resize(first + 1 + limit);
    for (std::int32_t const category : tree.CategorySet(node.id)) {
      packed->sides[first + 1 + static_cast<std::size_t>(category)] = 1;
    }
    packed->sets[place] = {ToBits(static_cast<float>(limit)), static_cast<std::uint32_t>(first)};
    node.threshold = std::numeric_limits<float>::quiet_NaN();
  }
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
    packed.nodes.push_back({tree.threshold[i], CellOf(tree, i, features), first_child, id});
    packed.plain = packed.plain && AskedByComparison(tree, i);
    order.push_back(tree.left[i]);
    order.push_back(tree.right[i]);
  }
  PackSets(&packed);
  return packed;
}

}  // namespace

bool AskedByComparison(Tree const& tree, std::size_t node) {
  return tree.categorical[node] == 0 && !AsksForPresence(tree, node);
}

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

bool GoesRight(PackedTree const& packed, PackedNode const& node, float x) {
  Tree const& tree = *packed.tree;
  std::size_t const at = Tree::At(node.id);
  if (tree.IsLeaf(node.id) || AskedByComparison(tree, at)) return !(x < node.threshold);
  if (tree.categorical[at] == 0) return !std::isnan(x);
  // NaN and minus infinity are no categories: the one stands for a missing value that goes right, the other goes left.
  return std::isnan(x) || !tree.GoesLeft(node.id, x);
}

std::vector<PackedTree> PackTrees(Model const& model, RoundRange trees, Span<std::uint32_t const> features) {
  std::vector<PackedTree> packed;
  for (std::size_t t = trees.begin; t < trees.end; ++t) packed.push_back(PackTree(*model.trees[t], features));
  return packed;
}

}  // namespace xgbl
