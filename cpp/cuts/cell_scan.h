// SPDX-License-Identifier: Apache-2.0
// Runs the scans of many features over a piece of the rows. Dense tables are read in blocks of rows that are transposed
// in the cache. Cells of sparse rows are sorted by column within a block, so only present cells cost time or memory.
// Threads share the blocks. Tallies are integers, so the way that blocks are shared does not change them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "cuts/cut_sample.h"
#include "cuts/value_scan.h"

namespace xgbl {

/// The scan of one feature and what it has found so far.
struct FeatureScan {
  std::size_t feature = 0;
  ValueScan scan;
  ValueTally tally;
};

/// `scans`: features rise. `weights`: of the piece's rows, as integers; empty: 1 each.
void ScanCells(RowPiece const& piece, Span<std::uint64_t const> weights, std::vector<FeatureScan>* scans,
               Context const& ctx);

}  // namespace xgbl
