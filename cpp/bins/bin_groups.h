// SPDX-License-Identifier: Apache-2.0
// Groups neighbouring bins of a feature, and says how many rows the sums over bins cover. What a split sends left can
// be computed from the rows below it, or from the total and the rows above it. Sums of rounded values are the more
// accurate the fewer rows they cover. Without missing values, the nearer end of the feature is used. With missing
// values, the end depends on the side that they go to.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "simd/exact_kernels.h"

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
