// SPDX-License-Identifier: Apache-2.0
// Which rows are in which leaf of a grown tree: row numbers, leaf after leaf. Used to update scores and to compute leaf
// values without walking the tree again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "parallel/buffer.h"
#include "tree/fixed_point.h"
#include "tree/tree.h"

namespace xgbl {

struct LeafRows {
  struct Leaf {
    NodeId node = kNoNode;  // of the final tree
    std::size_t begin = 0;  // its rows are rows[begin, end)
    std::size_t end = 0;
  };

  Buffer<std::uint32_t> rows;  // rising within a leaf
  std::vector<Leaf> leaves;

  /// Calls `body(leaf, rows)` for pieces of leaves, in parallel. All leaves have their pieces cut at the same row
  /// numbers: what a thread reads and writes of these rows is near, and no other thread's.
  void ForEachPiece(Context const& ctx, std::function<void(Leaf const&, Span<std::uint32_t const>)> const& body) const;
};

/// The rows of a tree by leaf: those that it was grown on, and the others.
struct TreeRows {
  LeafRows sampled;
  LeafRows others;
};

/// The given rows (those numbered 0, 1 … if `all`), sorted by their leaf, rising within a leaf.
LeafRows SortByLeaf(Span<std::uint32_t const> rows, bool all, Span<NodeId const> leaf_of_row, std::size_t nodes);

/// Sums of the derivatives of one output over each leaf's rows, finer than those that choose splits. They are integers,
/// so the order of rows and the number of threads do not matter, on a grid so fine that rounding is far below a
/// float's: as many bits as the number of rows leaves in 62.
struct LeafSums {
  FixedScale scale;
  std::vector<FixedSum> by_node;  // those of leaves set
};
LeafSums SumLeaves(OutputGradients const& gradients, std::vector<LeafRows const*> const& rows, std::size_t nodes,
                   Context const& ctx);

}  // namespace xgbl
