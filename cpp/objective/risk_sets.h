// SPDX-License-Identifier: Apache-2.0
// What the partial likelihood of proportional hazards needs: rows in the order of their times, |label|, and who is at
// risk at each time. A positive label is an event; any other is a row that was lost from sight (Cox 1972; tied times
// after Breslow 1974). O(n) with a radix sort.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/span.h"
#include "parallel/exact_sum.h"
#include "parallel/radix_sort.h"

namespace xgbl {

struct RiskSets {
  std::vector<float> times;         // rising
  std::vector<std::uint32_t> rows;  // rising among equal times
};

inline RiskSets SortedByTime(Span<float const> labels) {
  RiskSets sets;
  sets.times.resize(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) sets.times[i] = std::fabs(labels[i]);
  sets.rows.resize(labels.size());
  std::iota(sets.rows.begin(), sets.rows.end(), 0U);
  ColumnSorter().Sort(sets.times, sets.rows);
  return sets;
}

/// The order of rows that share a time is nobody's choice.
inline double SumInAnyOrder(Span<double const> terms) {
  if (terms.size() <= 2) return std::accumulate(terms.begin(), terms.end(), 0.0);
  ExactSum sum;
  sum.Add(terms.data(), terms.size());
  return sum.Value();
}

/// For each place in `times`, the sum of `hazards` from the first place of the same time on. Added up from the end,
/// time by time, so that small late sums are not the remainder of large ones.
inline std::vector<double> HazardsAtRisk(Span<float const> times, Span<double const> hazards) {
  std::vector<double> at_risk(hazards.size());
  double sum = 0;
  for (std::size_t end = hazards.size(); end > 0;) {
    std::size_t begin = end - 1;
    while (begin > 0 && times[begin - 1] == times[end - 1]) --begin;
    sum += SumInAnyOrder(hazards.Sub(begin, end - begin));
    for (; end > begin; --end) at_risk[end - 1] = sum;
  }
  return at_risk;
}

}  // namespace xgbl
