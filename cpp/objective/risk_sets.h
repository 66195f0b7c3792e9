// SPDX-License-Identifier: Apache-2.0
// What the partial likelihood of proportional hazards needs: rows in the order of their times, |label|, and who is at
// risk at each time. A positive label is an event; any other is a row that was lost from sight (Cox 1972; tied times
// after Breslow 1974). O(n) with a radix sort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"

namespace xgbl {

struct RiskSets {
  std::vector<float> times;         // rising
  std::vector<std::uint32_t> rows;  // rising among equal times
};

RiskSets SortedByTime(Span<float const> labels);

/// For each place in `times`, the sum of `hazards` from the first place of the same time on. Added up from the end,
/// time by time, so that small late sums are not the remainder of large ones.
std::vector<double> HazardsAtRisk(Span<float const> times, Span<double const> hazards);

}  // namespace xgbl
