// SPDX-License-Identifier: Apache-2.0
// The terms of discounted cumulative gain (Järvelin and Kekäläinen 2002). A row of gain g at rank r, from 0, adds g /
// log2(r + 2). Gains are 2^label - 1 or the labels themselves.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/math.h"
#include "base/span.h"

namespace xgbl {

class CumulativeGain {
 public:
  static constexpr int kMaxGrade = 31;

  /// Of up to `ranks` ranks.
  CumulativeGain(bool exponential, std::size_t ranks) : exponential_(exponential), discounts_(ranks) {
    double const ln2 = Log(2.0);
    for (std::size_t i = 0; i < ranks; ++i) discounts_[i] = ln2 / Log(static_cast<double>(i + 2));
  }

  /// Throws DataError if gains are exponential and a label is not a whole number from 0 to 31.
  static void CheckLabels(Span<float const> labels, bool exponential, std::string const& user) {
    if (!exponential) return;
    bool all = true;  // to the end, as vector code, before the bad one is looked for
    for (float const label : labels) all = all & IsGrade(label);
    if (all) return;
    auto const* bad = std::find_if_not(labels.begin(), labels.end(), IsGrade);
    throw DataError(Text("`", user, "` needs labels that are whole numbers from 0 to ", kMaxGrade,
                         ", as a row gains 2^label - 1; got ", *bad, " in row ", bad - labels.begin(),
                         ". Set `ndcg_exp_gain` to false to take the labels themselves as gains."));
  }

  double Discount(std::size_t rank) const { return discounts_[rank]; }
  double Gain(float label) const {
    return exponential_ ? static_cast<double>((1U << static_cast<unsigned>(label)) - 1U) : static_cast<double>(label);
  }
  /// The gain that the best order of rows of these labels has in its first `top` ranks.
  double Ideal(Span<float const> labels, std::size_t top) const {
    top = std::min(top, labels.size());
    if (exponential_) return IdealOfGrades(labels, top);
    std::vector<float> sorted(labels.begin(), labels.end());
    auto const middle = sorted.begin() + static_cast<std::ptrdiff_t>(top);
    std::partial_sort(sorted.begin(), middle, sorted.end(), std::greater<>());
    double sum = 0;
    for (std::size_t rank = 0; rank < top; ++rank) sum += discounts_[rank] * Gain(sorted[rank]);
    return sum;
  }

 private:
  static bool IsGrade(float label) {
    float const within = label >= 0.0F && label <= static_cast<float>(kMaxGrade) ? label : 0.5F;
    return within == static_cast<float>(static_cast<int>(within));
  }

  double IdealOfGrades(Span<float const> labels, std::size_t top) const {
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

  bool exponential_;
  std::vector<double> discounts_;
};

}  // namespace xgbl
