// SPDX-License-Identifier: Apache-2.0
// The present cells of each column in rising order of value, with ties in the order of the rows, one column at a time.
// For callers that need each column once and must not keep a sorted copy of all, as ColumnBlocks does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/context.h"
#include "base/span.h"
#include "ingest/feature_matrix.h"

namespace xgbl {

/// Calls `visit(column, values, rows)` for every column, in any order and from several threads. -0.0 becomes 0.0.
void ForEachSortedColumn(FeatureMatrix const& features, Context const& ctx,
                         std::function<void(std::size_t, Span<float const>, Span<std::uint32_t const>)> const& visit);

}  // namespace xgbl
