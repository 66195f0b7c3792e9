// SPDX-License-Identifier: Apache-2.0
// Runs the scans of many features over a piece of the rows. Dense tables are read in blocks of rows that are turned
// into columns in the cache; of sparse rows, the cells of a block are put in the order of their columns, so that only
// present cells take time or room. Blocks are shared out over threads; the tallies are integers, so that how does not
// matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "data/row_sample.h"
#include "data/value_scan.h"

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
