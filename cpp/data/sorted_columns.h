// SPDX-License-Identifier: Apache-2.0
// The present cells of each column in rising order of value, rows rising among equals, one column after the other: for
// those who need each column only once and must not keep a sorted copy of them all, as ColumnBlocks does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/context.h"
#include "base/span.h"
#include "data/feature_matrix.h"

namespace xgbl {

/// Calls `visit(column, values, rows)` for every column, in any order and from several threads. -0.0 becomes 0.0.
void ForEachSortedColumn(FeatureMatrix const& features, Context const& ctx,
                         std::function<void(std::size_t, Span<float const>, Span<std::uint32_t const>)> const& visit);

}  // namespace xgbl
