// SPDX-License-Identifier: Apache-2.0
#include "objective/cumulative_gain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/error.h"
#include "base/math.h"

namespace xgbl {

CumulativeGain::CumulativeGain(bool exponential, std::size_t ranks) : exponential_(exponential), discounts_(ranks) {
  double const ln2 = Log(2.0);
  for (std::size_t i = 0; i < ranks; ++i) discounts_[i] = ln2 / Log(static_cast<double>(i + 2));
}

void CumulativeGain::CheckLabels(Span<float const> labels, bool exponential, std::string const& user) {
  if (!exponential) return;
  auto const* bad = std::find_if_not(labels.begin(), labels.end(), [](float label) {
    return label >= 0.0F && label <= static_cast<float>(kMaxGrade) && label == std::floor(label);
  });
  if (bad == labels.end()) return;
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
  std::array<std::size_t, kMaxGrade + 1> count{};
  for (float const label : labels) ++count[static_cast<std::size_t>(label)];
  double sum = 0;
  std::size_t rank = 0;
  for (std::size_t grade = count.size(); grade-- > 1;) {
    double const gain = Gain(static_cast<float>(grade));
    for (std::size_t i = 0; i < count[grade] && rank < top; ++i) sum += discounts_[rank++] * gain;
  }
  return sum;
}

}  // namespace xgbl
