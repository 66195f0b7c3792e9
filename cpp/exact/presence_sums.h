// SPDX-License-Identifier: Apache-2.0
// Columns in which all present cells are equal (one-hot and other indicators) can only be split on presence. There is
// no order to walk, so the sums per node of the rows that have a cell suffice. Two things make them cheap:
//   - The cells of such a column stand in the order of their rows, so a group of columns is walked side by side, a tile
//     of rows at a time, whose records stay in the cache for all columns of the group.
//   - Sums are integers, so those of a node are exactly its parent's less its sibling's: of two siblings only the
//     lighter one is counted. A parent's sums are kept for that while they take less than kMostKept bytes.
// To count few rows of a sparse matrix, their own cells are walked instead of the columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "columns/column_blocks.h"
#include "data/dmatrix.h"
#include "exact/cell_gather.h"
#include "tree/fixed_point.h"
#include "tree/growing_tree.h"

namespace xgbl {

/// The indicator columns of one tree, and what is known of their sums per node.
class PresenceSums {
 public:
  /// The most columns that are walked side by side.
  static constexpr std::size_t kGroup = 32;
  static constexpr std::size_t kMostKept = std::size_t{64} << 20U;

  /// Chooses the columns of one value that have enough cells for tiles to pay.
  PresenceSums(DMatrix const& data, ColumnBlocks const& columns, std::vector<std::uint32_t> const& candidates);

  std::size_t Groups() const { return (indicators_.size() + kGroup - 1) / kGroup; }
  Span<std::uint32_t const> Group(std::size_t group) const;
  bool Contains(std::uint32_t column) const;

  /// Prepares for the nodes of a batch: which are counted, which follow from their parent and sibling.
  void Plan(GrowingTree const& tree, std::vector<NodeId> const& nodes, Span<ScanRow const> rows, Context const& ctx);
  /// The sums of a group's columns, columns x nodes of the batch. Groups may be asked for by several threads at once.
  std::vector<FixedSum> Sums(std::size_t group, Span<ScanRow const> rows);

 private:
  struct Source {
    NodeId parent = kNoNode;  // kNoNode: the node is counted
    std::size_t sibling = 0;  // its slot
  };
  struct Cursor {
    std::size_t block = 0;
    std::size_t cell = 0;
  };
  void Inherit(GrowingTree const& tree, std::vector<NodeId> const& nodes);
  std::size_t MarkCounted(Span<ScanRow const> rows, Context const& ctx);
  void CountByRow(Span<ScanRow const> rows, Context const& ctx);
  std::vector<FixedSum> Count(Span<std::uint32_t const> group, Span<ScanRow const> rows) const;
  void AddTile(std::uint32_t column, Span<ScanRow const> rows, std::size_t row_end, Cursor* cursor,
               FixedSum* lanes) const;

  FeatureMatrix const& features_;
  ColumnBlocks const& columns_;
  std::vector<std::uint32_t> indicators_;    // rising
  std::vector<NodeId> batch_;                // the node of each slot
  std::vector<Source> sources_;              // by slot
  std::vector<std::int32_t> counted_slot_;   // by row: its slot if its node is counted, else kNoSlot
  std::vector<FixedSum> by_row_;             // indicators x slots, if the batch was counted row by row; else empty
  std::vector<std::vector<FixedSum>> kept_;  // by node: sums of all indicators; empty if not kept
  std::size_t kept_bytes_ = 0;
};

}  // namespace xgbl
