// SPDX-License-Identifier: Apache-2.0
#include "tree/presence_sums.h"

#include <algorithm>

namespace xgbl {
namespace {

constexpr std::size_t kRowTile = std::size_t{1} << 14U;  // 256 KB of row records

}  // namespace

bool HasOneValue(ColumnBlocks const& columns, std::size_t column) {
  if (columns.Present(column) == 0) return false;
  ColumnBlocks::Block const head = columns.GetBlock(column, 0);
  ColumnBlocks::Block const tail = columns.GetBlock(column, columns.BlockCount(column) - 1);
  return head.values[0] == tail.values[tail.values.size() - 1];
}

bool WorthTiling(ColumnBlocks const& columns, std::size_t column, std::size_t slots) {
  std::size_t const tiles = columns.Rows() / kRowTile + 1;
  return columns.Present(column) >= std::max(8 * tiles, slots);
}

void PresenceSums::Compute(ColumnBlocks const& columns, Span<std::uint32_t const> group, Span<ScanRow const> rows,
                           std::size_t slots) {
  slots_ = slots;
  sums_.assign(group.size() * slots, FixedSum{});
  std::vector<Cursor> cursors(group.size());
  for (std::size_t row_end = kRowTile; row_end < rows.size() + kRowTile; row_end += kRowTile) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      AddTile(columns, group[i], rows, row_end, &cursors[i], sums_.data() + i * slots);
    }
  }
}

void PresenceSums::AddTile(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows,
                           std::size_t row_end, Cursor* cursor, FixedSum* sums) const {
  while (cursor->block < columns.BlockCount(column)) {
    Span<std::uint32_t const> const cells = columns.GetBlock(column, cursor->block).rows;
    std::size_t k = cursor->cell;
    for (; k < cells.size() && cells[k] < row_end; ++k) {
      ScanRow const row = rows[cells[k]];
      if (row.slot != kNoSlot) sums[row.slot] += row.pair;
    }
    cursor->cell = k;
    if (k < cells.size()) return;
    *cursor = {cursor->block + 1, 0};
  }
}

}  // namespace xgbl
