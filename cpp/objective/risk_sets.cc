// SPDX-License-Identifier: Apache-2.0
#include "objective/risk_sets.h"

#include <cmath>
#include <numeric>

#include "parallel/exact_sum.h"
#include "parallel/radix_sort.h"

namespace xgbl {
namespace {

// The order of rows that share a time is nobody's choice.
double InAnyOrder(Span<double const> terms) {
  if (terms.size() <= 2) return std::accumulate(terms.begin(), terms.end(), 0.0);
  ExactSum sum;
  sum.Add(terms.data(), terms.size());
  return sum.Value();
}

}  // namespace

RiskSets SortedByTime(Span<float const> labels) {
  RiskSets sets;
  sets.times.resize(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) sets.times[i] = std::fabs(labels[i]);
  sets.rows.resize(labels.size());
  std::iota(sets.rows.begin(), sets.rows.end(), 0U);
  ColumnSorter().Sort(sets.times, sets.rows);
  return sets;
}

std::vector<double> HazardsAtRisk(Span<float const> times, Span<double const> hazards) {
  std::vector<double> at_risk(hazards.size());
  double sum = 0;
  for (std::size_t end = hazards.size(); end > 0;) {
    std::size_t begin = end - 1;
    while (begin > 0 && times[begin - 1] == times[end - 1]) --begin;
    sum += InAnyOrder(hazards.Sub(begin, end - begin));
    for (; end > begin; --end) at_risk[end - 1] = sum;
  }
  return at_risk;
}

}  // namespace xgbl
