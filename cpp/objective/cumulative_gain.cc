// SPDX-License-Identifier: Apache-2.0
#include "objective/cumulative_gain.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "base/math.h"

namespace xgbl {
namespace {

bool IsGrade(float label) {
  float const within = label >= 0.0F && label <= static_cast<float>(CumulativeGain::kMaxGrade) ? label : 0.5F;
  return within == static_cast<float>(static_cast<int>(within));
}

}  // namespace

CumulativeGain::CumulativeGain(bool exponential, std::size_t ranks) : exponential_(exponential), discounts_(ranks) {
  double const ln2 = Log(2.0);
  for (std::size_t i = 0; i < ranks; ++i) discounts_[i] = ln2 / Log(static_cast<double>(i + 2));
}

void CumulativeGain::CheckLabels(Span<float const> labels, bool exponential, std::string const& user) {
  if (!exponential) return;
  bool all = true;  // to the end, as vector code, before the bad one is looked for
  for (float const label : labels) all = all & IsGrade(label);
  if (all) return;
  auto const* bad = std::find_if_not(labels.begin(), labels.end(), IsGrade);
  throw DataError(Text("`", user, "` needs labels that are whole numbers from 0 to ", kMaxGrade,
                       ", as a row gains 2^label - 1; got ", *bad, " in row ", bad - labels.begin(),
                       ". Set `ndcg_exp_gain` to false to take the labels themselves as gains."));
}

double CumulativeGain::Ideal(Span<float const> labels, std::size_t top) const {
  top = std::min(top, labels.size());
  if (exponential_) return IdealOfGrades(labels, top);
  std::vector<float> sorted(labels.begin(), labels.end());
  auto const middle = sorted.begin() + static_cast<std::ptrdiff_t>(top);
  std::partial_sort(sorted.begin(), middle, sorted.end(), std::greater<>());
  double sum = 0;
  for (std::size_t rank = 0; rank < top; ++rank) sum += discounts_[rank] * Gain(sorted[rank]);
  return sum;
}

double CumulativeGain::IdealOfGrades(Span<float const> labels, std::size_t top) const {
  // Several counters of each grade: adding to the one of the last row would wait for it.
  constexpr std::size_t kCounters = 4;
  std::array<std::array<std::uint32_t, kCounters>, kMaxGrade + 1> counts{};
  for (std::size_t i = 0; i < labels.size(); ++i) ++counts[static_cast<std::size_t>(labels[i])][i % kCounters];
  double sum = 0;
  std::size_t rank = 0;
  for (std::size_t grade = counts.size(); grade-- > 1;) {
    double const gain = Gain(static_cast<float>(grade));
    std::size_t const count = std::accumulate(counts[grade].begin(), counts[grade].end(), std::size_t{0});
    for (std::size_t i = 0; i < count && rank < top; ++i) sum += discounts_[rank++] * gain;
  }
  return sum;
}

}  // namespace xgbl
