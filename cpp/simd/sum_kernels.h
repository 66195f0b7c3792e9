// SPDX-License-Identifier: Apache-2.0
// Kernels of exact sums (parallel/exact_sum.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/context.h"

namespace xgbl {

/// A sum in two parts, each a whole number of units: of 2^(exponent - 1074) in `high`, 2^(exponent - 1126) in `low`.
struct SplitSum {
  std::int64_t high = 0;
  std::int64_t low = 0;
  unsigned exponent = 0;
  bool good = false;  // else the terms are too large or too small to be split, or one is not finite
  bool rest = false;  // whether anything is left of them
};

struct TakenUnits {
  unsigned exponent = 0;  // of the unit, 2^(exponent - 1074)
  bool rest = false;      // whether anything is left of the terms
};

constexpr std::size_t kMostSplitTerms = 1024;

struct SumKernels {
  static SumKernels const& Of(SimdLevel level);

  /// Adds up at most kMostSplitTerms terms down to 2^-102 of the largest. What is left of each goes to `rest`, which
  /// may be `terms`.
  SplitSum (*split)(double const* terms, std::size_t n, double* rest);
  /// Takes from each of some floats what there is of it in whole numbers of units: 51 bits of the largest of them.
  TakenUnits (*take_units)(double* terms, std::size_t n, std::int64_t* units);
};

}  // namespace xgbl
