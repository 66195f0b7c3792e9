// SPDX-License-Identifier: Apache-2.0
// A decision tree as flat arrays, one entry per node; node 0 is the root. A row goes left if its value is below the
// threshold (numeric) or not in the node's set (categorical: the set goes right, as in XGBoost). A missing value goes
// by default_left.
// Invariants (CheckTree): all arrays have one entry per node (values: one per output). left and right are both kNoNode
// (a leaf) or both in range. From the root every reachable node is reached exactly once, and its parent is the node
// that it is reached from. Nodes that cannot be reached were deleted by pruning in another library; they keep their
// numbers. The categories of a set rise.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"

namespace xgbl {

using NodeId = std::int32_t;
constexpr NodeId kNoNode = -1;

struct Tree {
  int outputs = 1;  // values per leaf
  std::vector<NodeId> left, right, parent;
  std::vector<std::uint32_t> feature;
  std::vector<float> threshold;
  std::vector<std::uint8_t> default_left;
  std::vector<std::uint8_t> categorical;
  std::vector<float> gain;    // loss reduction of the split, 0 in leaves
  std::vector<float> cover;   // sum of hessians, over all outputs
  std::vector<float> weight;  // nodes x outputs: the optimal weight, before shrinkage in inner nodes
  std::vector<float> value;   // nodes x outputs: what a leaf adds; 0 in inner nodes
  // The sets of categorical nodes, concatenated; node i has category[category_begin[i] .. category_begin[i + 1]).
  // Both are empty if the tree has no categorical node.
  std::vector<std::int32_t> category;
  std::vector<std::size_t> category_begin;

  std::size_t Size() const { return left.size(); }
  bool IsLeaf(NodeId node) const { return left[At(node)] == kNoNode; }
  Span<float const> Value(NodeId node) const {
    return Span<float const>(value).Sub(At(node) * static_cast<std::size_t>(outputs),
                                        static_cast<std::size_t>(outputs));
  }
  Span<std::int32_t const> CategorySet(NodeId node) const {
    if (category_begin.empty()) return {};
    std::size_t const begin = category_begin[At(node)];
    return Span<std::int32_t const>(category).Sub(begin, category_begin[At(node) + 1] - begin);
  }

  /// Appends a leaf; its parent's links are set by Split().
  NodeId AddNode(NodeId parent_node);
  /// Makes a leaf an inner node with two new leaves; returns the left one, the right one is the next.
  NodeId Split(NodeId node, std::uint32_t split_feature, float split_threshold, bool missing_left);

  /// Whether a present value goes left at a node.
  bool GoesLeft(NodeId node, float x) const;

  /// The leaf of a row; `value_of(feature)` gives NaN for a missing value.
  template <class ValueOf>
  NodeId LeafOf(ValueOf&& value_of) const {
    NodeId node = 0;
    while (!IsLeaf(node)) {
      float const x = value_of(feature[At(node)]);
      bool const goes_left = std::isnan(x) ? default_left[At(node)] != 0 : GoesLeft(node, x);
      node = goes_left ? left[At(node)] : right[At(node)];
    }
    return node;
  }

  static std::size_t At(NodeId node) { return static_cast<std::size_t>(node); }
};

/// The nodes that can be reached from the root, each before its children and left before right. The links must be
/// sound.
std::vector<NodeId> ReachableNodes(Tree const& tree);

/// Throws ModelError unless the invariants above hold and every feature is below `num_features`.
void CheckTree(Tree const& tree, std::size_t num_features);

}  // namespace xgbl
