// SPDX-License-Identifier: Apache-2.0
// Bins with about equal numbers of rows, for callers that need no guarantee. A value with many rows gets a bin of its
// own almost surely.
#pragma once

#include <cstddef>
#include <vector>

#include "base/span.h"
#include "cuts/cuts.h"

namespace xgbl {

/// Where bins end, that is, where the next one begins, at most this many. Takes all values of a column, none of them
/// missing, in rising order. The last bin takes everything above, the first one everything below.
std::vector<float> EndsByRank(Span<float const> rising, std::size_t most);

/// The same by a sample of the values, in any order; NaN: missing.
std::vector<float> EndsBySample(Span<float const> values, std::size_t most);

/// Of all columns.
Cuts CutsAt(std::vector<std::vector<float>> const& ends);

}  // namespace xgbl
