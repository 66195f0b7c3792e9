// SPDX-License-Identifier: Apache-2.0
// A tree while it grows: nodes with what split search needs to know about them, numbered in the order of creation. A
// node becomes part of the result only when its parent's split is committed, because best-first growth evaluates more
// nodes than it keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "tree/fixed_point.h"
#include "tree/gain.h"
#include "tree/tree.h"

namespace xgbl {

/// A split of a node, and the order of splits. The larger gain wins. Among equal gains the lower feature wins, then
/// "missing goes right", then the lower threshold. The order is total, so a node's best split does not depend on the
/// order in which candidates are seen.
struct Split {
  /// Gains up to this are noise: nothing is split for them.
  static constexpr double kLeastGain = 1e-6;

  double gain = 0;
  std::uint32_t feature = 0;
  bool missing_left = false;
  float threshold = 0;
  // Of a method that bins: the threshold is the upper edge of this bin, or lies below all bins.
  static constexpr std::uint32_t kNoBin = 0xFFFFFFFFU;
  std::uint32_t last_left_bin = 0;
  std::vector<std::int32_t> right_categories;  // rising; of a categorical feature: those that go right
  FixedSums left;                              // one per output
  FixedSums right;

  bool Valid() const { return gain > kLeastGain; }
  bool BetterThan(Split const& other) const {
    if (gain != other.gain) return gain > other.gain;
    return std::tie(feature, missing_left, threshold) < std::tie(other.feature, other.missing_left, other.threshold);
  }
};

struct GrowingNode {
  NodeId parent = kNoNode;
  NodeId left = kNoNode;  // the right child is the next node
  int depth = 0;
  std::uint64_t path = 0;                    // equal for nodes reached by the same turns, whatever their number
  FixedSums sums;                            // of the sampled rows, one per output
  std::vector<WeightBounds> bounds;          // of monotone constraints, one per output; empty: none
  std::vector<std::uint32_t> path_features;  // used above, rising; kept for interaction constraints only
  std::vector<std::uint32_t> columns;        // that it may split on, rising; empty: those of the tree
  bool splittable = true;                    // whether any column is left to split on
  Split split;                               // the best one found, valid or not
  bool committed = false;                    // its split is part of the tree

  bool HasChildren() const { return left != kNoNode; }
  /// The interval for the weight of an output.
  WeightBounds Bounds(std::size_t output) const { return bounds.empty() ? WeightBounds{} : bounds[output]; }
};

struct GrowingTree {
  std::vector<GrowingNode> nodes;
  std::vector<NodeId> commits;     // committed nodes in order; pruning may take some back
  std::vector<FixedScale> scales;  // of the sums, one per output

  GrowingNode& operator[](NodeId node) { return nodes[Tree::At(node)]; }
  GrowingNode const& operator[](NodeId node) const { return nodes[Tree::At(node)]; }

  /// The hessian of a node: the mean over its outputs.
  double Hessian(NodeId node) const {
    double hessian = 0;
    for (std::size_t k = 0; k < scales.size(); ++k) hessian += scales[k].Hessian((*this)[node].sums[k]);
    return hessian / static_cast<double>(scales.size());
  }

  void Commit(NodeId node) {
    (*this)[node].committed = true;
    commits.push_back(node);
  }

  /// Adds both children of a node that has a valid split; returns the left one.
  NodeId AddChildren(NodeId parent) {
    auto const left = static_cast<NodeId>(nodes.size());
    for (int side = 0; side < 2; ++side) {
      GrowingNode child;
      child.parent = parent;
      child.depth = (*this)[parent].depth + 1;
      child.path = Mix((*this)[parent].path * 2 + static_cast<std::uint64_t>(side) + 1);
      child.sums = side == 0 ? (*this)[parent].split.left : (*this)[parent].split.right;
      nodes.push_back(std::move(child));
    }
    (*this)[parent].left = left;
    return left;
  }
};

}  // namespace xgbl
