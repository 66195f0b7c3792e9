// SPDX-License-Identifier: Apache-2.0
// Walking the cells of a sorted column whose rows lie anywhere in memory (Chen and Guestrin 2016, section 4.2). What is
// needed of a row is one 16-byte record. The records of a chunk of cells are fetched into a small buffer, all at once,
// and those of the next chunk are asked for, before the cells are worked on one after the other: so the misses of many
// rows overlap. bench/cpp/cell_gather_bench.cc shows what it gains.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/prefetch.h"
#include "base/span.h"
#include "data/column_blocks.h"
#include "tree/fixed_point.h"

namespace xgbl {

/// `slot` is the place of the row's node in the batch that is evaluated, kNoSlot if the row takes no part.
struct ScanRow {
  FixedPair pair;
  std::int32_t slot;
  std::int32_t sampled;  // whether the tree is grown on it
};
constexpr std::int32_t kNoSlot = -1;

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
      if (buffer[k].slot == kNoSlot) continue;
      visit(static_cast<std::size_t>(buffer[k].slot), block.values[begin + k], buffer[k].pair);
    }
  }
}

}  // namespace xgbl
