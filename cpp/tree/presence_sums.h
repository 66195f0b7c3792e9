// SPDX-License-Identifier: Apache-2.0
// For columns in which all present cells are equal (one-hot and other indicators) presence is all that there is to split
// on: no order to walk, only sums per node. The cells of such a column stand in the order of their rows, so a group of
// columns is walked side by side, a tile of rows at a time, whose records stay in the cache for all columns of the group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "data/column_blocks.h"
#include "tree/cell_gather.h"
#include "tree/fixed_point.h"

namespace xgbl {

/// Whether a column has at least one cell and all are equal.
bool HasOneValue(ColumnBlocks const& columns, std::size_t column);

/// Whether a column of one value has so many cells that walking it in tiles pays.
bool WorthTiling(ColumnBlocks const& columns, std::size_t column, std::size_t slots);

class PresenceSums {
 public:
  /// The most columns of a group.
  static constexpr std::size_t kGroup = 32;

  /// Adds up the rows that have a cell, per column of the group and slot.
  void Compute(ColumnBlocks const& columns, Span<std::uint32_t const> group, Span<ScanRow const> rows,
               std::size_t slots);
  /// The sums of the i-th column of the group, one per slot.
  Span<FixedSum const> Of(std::size_t i) const { return Span<FixedSum const>(sums_).Sub(i * slots_, slots_); }

 private:
  struct Cursor {
    std::size_t block = 0;
    std::size_t cell = 0;
  };
  void AddTile(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows, std::size_t row_end,
               Cursor* cursor, FixedSum* sums) const;

  std::size_t slots_ = 0;
  std::vector<FixedSum> sums_;
};

}  // namespace xgbl
