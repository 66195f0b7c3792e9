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

constexpr std::size_t kMostSides = 1024;     // of a node; more of them would take more time to lay out than they save
constexpr std::size_t kMostNodes = 100'000;  // so that 24 bits number their sides

// One more than the last category that goes right at a node.
std::size_t CategoryLimit(Tree const& tree, NodeId node) {
  auto const set = tree.CategorySet(node);
  return set.empty() ? 0 : static_cast<std::size_t>(set[set.size() - 1]) + 1;
}

// Whether a node of a tree that is not `plain` is asked by a set.
bool HasSet(Tree const& tree, NodeId node) { return !tree.IsLeaf(node) && !AskedByComparison(tree, Tree::At(node)); }

bool SetsFit(PackedTree const& packed) {
  if (packed.plain || packed.nodes.size() > kMostNodes) return false;
  return std::all_of(packed.nodes.begin(), packed.nodes.end(), [&](PackedNode const& node) {
    return CategoryLimit(*packed.tree, node.id) < kMostSides && !AsksForPresence(*packed.tree, Tree::At(node.id));
  });
}

// Reading a bit takes longer than reading a byte, if both are near.
bool SetsShare(PackedTree const& packed) {
  std::size_t sides = 0;
  for (PackedNode const& node : packed.nodes) {
    if (HasSet(*packed.tree, node.id)) sides += 1 + CategoryLimit(*packed.tree, node.id);
  }
  return sides > packed.nodes.size() * sizeof(PackedNode);
}

// Nodes with a set get NaN for a threshold, which says "right" of all values, and the set has the last word.
void PackSets(PackedTree* packed) {
  if (!SetsFit(*packed)) return;
  Tree const& tree = *packed->tree;
  packed->shared = SetsShare(*packed);
  packed->sets.resize(packed->nodes.size(), {0, packed->shared ? 1U : 0U});
  packed->sides.assign(1, 1);  // of nodes that compare
  std::size_t first = 0;
  unsigned bit = 0;
  for (std::size_t place = 0; place < packed->nodes.size(); ++place) {
    PackedNode& node = packed->nodes[place];
    if (!HasSet(tree, node.id)) continue;
    if (bit == 0) first = packed->sides.size();
    auto const mask = static_cast<std::uint8_t>(1U << bit);
    std::size_t const limit = CategoryLimit(tree, node.id);
    packed->sides.resize(std::max(packed->sides.size(), first + 1 + limit));
    for (std::int32_t const category : tree.CategorySet(node.id)) {
      packed->sides[first + 1 + static_cast<std::size_t>(category)] |= mask;
    }
    auto const from = static_cast<std::uint32_t>(first);
    packed->sets[place] = {ToBits(static_cast<float>(limit)), packed->shared ? from << 8U | mask : from};
    if (packed->shared) bit = (bit + 1) % 8;
    node.threshold = std::numeric_limits<float>::quiet_NaN();
  }
}

PackedTree PackTree(Tree const& tree, Span<std::uint32_t const> features, SetTables tables) {
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
  if (tables == SetTables::kMade) PackSets(&packed);
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

std::vector<PackedTree> PackTrees(Model const& model, RoundRange trees, Span<std::uint32_t const> features,
                                  SetTables tables) {
  std::vector<PackedTree> packed;
  for (std::size_t t = trees.begin; t < trees.end; ++t) packed.push_back(PackTree(*model.trees[t], features, tables));
  return packed;
}

}  // namespace xgbl
