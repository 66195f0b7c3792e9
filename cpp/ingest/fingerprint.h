// SPDX-License-Identifier: Apache-2.0
// Large float32 tables, dense and sparse, are used in place, without a copy. If their owner writes to them later,
// sorted columns, caches and later reads would silently disagree. So a 64-bit hash of all cells is kept with the table.
// It is compared whenever the table is read again, and when a training begins that would use bins or sorted columns
// made before. One pass at the speed of memory; the same value for any number of threads. The hash multiplies the
// halves of keyed 64-bit words into eight running sums, which vectorises.
#pragma once

#include <cstdint>

#include "base/context.h"
#include "base/span.h"
#include "ingest/feature_matrix.h"

namespace xgbl {

struct TableScan {
  std::uint64_t fingerprint = 0;
  bool has_infinity = false;  // infinite cells that are not `missing`
};

/// Reads every cell once.
TableScan Scan(DenseTable const& table, Context const& ctx);
TableScan Scan(SparseTable const& table, Context const& ctx);

/// A hash of all rows and their weights, for batches that come again: a table's strides do not matter.
std::uint64_t HashRows(FeatureMatrix const& features, Span<float const> weights, Context const& ctx);

/// Throws DataError if the user's memory has changed. Costs nothing for our own memory.
void CheckUnchanged(FeatureMatrix const& features, Context const& ctx);

}  // namespace xgbl
