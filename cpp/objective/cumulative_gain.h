// SPDX-License-Identifier: Apache-2.0
// The terms of discounted cumulative gain (Järvelin and Kekäläinen 2002). A row of gain g at rank r, from 0, adds g /
// log2(r + 2). Gains are 2^label - 1 or the labels themselves.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/span.h"

namespace xgbl {

class CumulativeGain {
 public:
  static constexpr int kMaxGrade = 31;

  /// Of up to `ranks` ranks.
  CumulativeGain(bool exponential, std::size_t ranks);

  /// Throws DataError if gains are exponential and a label is not a whole number from 0 to 31.
  static void CheckLabels(Span<float const> labels, bool exponential, std::string const& user);

  double Discount(std::size_t rank) const { return discounts_[rank]; }
  double Gain(float label) const {
    return exponential_ ? static_cast<double>((1U << static_cast<unsigned>(label)) - 1U) : static_cast<double>(label);
  }
  /// The gain that the best order of rows of these labels has in its first `top` ranks.
  double Ideal(Span<float const> labels, std::size_t top) const;

 private:
  double IdealOfGrades(Span<float const> labels, std::size_t top) const;

  bool exponential_;
  std::vector<double> discounts_;
};

}  // namespace xgbl
