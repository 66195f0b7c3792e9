// SPDX-License-Identifier: Apache-2.0
#include "objective/risk_sets.h"

#include <cmath>
#include <numeric>

#include "parallel/radix_sort.h"

namespace xgbl {

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
    std::size_t begin = end;
    for (; begin > 0 && times[begin - 1] == times[end - 1]; --begin) sum += hazards[begin - 1];
    for (; end > begin; --end) at_risk[end - 1] = sum;
  }
  return at_risk;
}

}  // namespace xgbl
