// SPDX-License-Identifier: Apache-2.0
// Walks the cells of a sorted column whose rows lie anywhere in memory (Chen and Guestrin 2016, section 4.2). Each row
// is needed as one 16-byte record. The records of a chunk of cells are fetched into a small buffer at once, and those
// of the next chunk are prefetched, before the cells are processed one after the other. So the cache misses of many
// rows overlap. bench/cpp/cell_gather_bench.cc shows the gain.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/prefetch.h"
#include "base/span.h"
#include "columns/column_blocks.h"
#include "tree/fixed_point.h"

namespace xgbl {

/// A FixedPair and the place of the row's node in the batch that is evaluated.
struct ScanRow {
  std::int64_t gradient;
  std::int32_t hessian;
  std::int32_t slot;

  FixedPair Pair() const { return {gradient, hessian}; }
};
static_assert(sizeof(ScanRow) == 16, "four to a cache line");

// Slots of rows that take no part; all are negative.
constexpr std::int32_t kNoSlot = -1;      // the node is not in the batch
constexpr std::int32_t kNotSampled = -2;  // the tree is not grown on the row

/// Calls `visit(slot, value, pair)` for the cells of open nodes, in the column's order.
template <class Visit>
void ForEachOpenCell(ColumnBlocks::Block const& block, Span<ScanRow const> rows, Visit&& visit) {
  constexpr std::size_t kChunk = 64;
  std::array<ScanRow, kChunk> buffer;
  std::size_t const size = block.rows.size();
  for (std::size_t begin = 0; begin < size; begin += kChunk) {
    std::size_t const count = std::min(kChunk, size - begin);
    std::size_t const next_end = std::min(size, begin + 2 * kChunk);
    for (std::size_t k = begin + count; k < next_end; ++k) Prefetch(&rows[block.rows[k]]);
    for (std::size_t k = 0; k < count; ++k) buffer[k] = rows[block.rows[begin + k]];
    for (std::size_t k = 0; k < count; ++k) {
      if (buffer[k].slot < 0) continue;
      visit(static_cast<std::size_t>(buffer[k].slot), block.values[begin + k], buffer[k].Pair());
    }
  }
}

}  // namespace xgbl
