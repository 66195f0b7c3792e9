// SPDX-License-Identifier: Apache-2.0
// Row weights as integers, so that sums do not depend on the order. The largest becomes about 2^40, or less if there
// are so many rows that the sum could exceed 2^62. Every row counts at least one unit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace xgbl {

class WeightUnits {
 public:
  /// All rows are equal.
  WeightUnits() = default;
  WeightUnits(float largest, std::size_t rows) {
    if (!(largest > 0)) return;  // no row has any weight
    int bits = kMostBits;
    while (bits > 1 && (rows >> static_cast<unsigned>(62 - bits)) != 0) --bits;
    int exponent = 0;
    static_cast<void>(std::frexp(largest, &exponent));
    factor_ = std::ldexp(1.0, bits - exponent);
  }

  bool AllEqual() const { return factor_ == 0; }
  std::uint64_t operator()(double weight) const {
    if (AllEqual()) return 1;
    double const units = weight * factor_ + 0.5;
    return units < 1 ? 1 : static_cast<std::uint64_t>(std::min(units, kMost));
  }

 private:
  static constexpr int kMostBits = 40;
  static constexpr double kMost = 0x1p40;
  double factor_ = 0;
};

}  // namespace xgbl
