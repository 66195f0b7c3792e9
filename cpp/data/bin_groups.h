// SPDX-License-Identifier: Apache-2.0
// The bins of a feature in groups of neighbours, and how many rows sums over bins are made of. What a split at a border
// sends to the left follows from the rows below it, or from those above it and the sum of all. Sums of rounded values
// are the less off the fewer rows they are of: where nothing is missing the nearer end of the feature is taken, where
// something is, the one or the other according to the side that it goes to.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "simd/kernels.h"

namespace xgbl {

struct BinGroups {
  static constexpr std::uint32_t kMostBins = SignTask::kGroupBins;  // of a group

  std::uint32_t bins = 0, group_bins = 1, groups = 0;
  // By the side that missing values go to, right and left; the first one only if there are none. Sums at the borders of
  // bins from this one on, which begins a group, are of what is above.
  std::array<std::uint32_t, 2> from_above{};
  // Of how many rows errors may add up in the left sums of a split within each group or bin, or at its borders. A bin's
  // upper border is seen from where its lower one is.
  std::array<std::vector<double>, 2> rows_of_group, rows_of_bin;
};

/// `rows_below`: how many rows are in bins below each, and at last in all of them.
BinGroups GroupBins(Span<std::uint32_t const> rows_below, bool has_missing);

/// The same of the sums at one border.
double RowsAtBorder(Span<std::uint32_t const> rows_below, std::uint32_t bin, std::uint32_t from_above);

}  // namespace xgbl
