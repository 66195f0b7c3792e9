// SPDX-License-Identifier: Apache-2.0
// Trees packed for walking: 16 bytes a node, siblings side by side, levels in order, so that a step is a load of the
// node, a load of the value, a comparison and an addition, without a branch and without a question about missing
// values. For that a row has two cells for each feature: one where a missing value is NaN, which is below nothing and
// so goes right, and one where it is minus infinity, which goes left; a node reads the one that suits its default. A
// leaf leads to itself, so that rows that arrive early may keep stepping along with the others. Built per call in time
// linear in the nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "model/model.h"

namespace xgbl {

struct PackedNode {
  float threshold;     // of a leaf it is NaN, which no value is below
  std::uint32_t cell;  // of the row
  std::uint32_t left;  // the right child is the next; of a leaf the node before itself, as nothing goes left there
  NodeId id;           // in the tree
};

struct PackedTree {
  Tree const* tree = nullptr;
  std::vector<PackedNode> nodes;
  int depth = 0;      // steps to the deepest leaf
  bool plain = true;  // every node is asked by a comparison; else by GoesRight()
};

/// Whether comparing its cell with the threshold tells where a row goes at a node that is no leaf.
bool AskedByComparison(Tree const& tree, std::size_t node);

/// Whether a row goes right at a node of any kind; `x` is its cell.
bool GoesRight(PackedTree const& tree, PackedNode const& node, float x);

/// The features on which trees [trees.begin, trees.end) split, rising.
std::vector<std::uint32_t> UsedFeatures(Model const& model, RoundRange trees);

/// `features` lists the features of the cells of a row: cell i is for missing values that go right, cell
/// features.size() + i for those that go left.
std::vector<PackedTree> PackTrees(Model const& model, RoundRange trees, Span<std::uint32_t const> features);

}  // namespace xgbl
