// SPDX-License-Identifier: Apache-2.0
// The kernel that puts values into bins.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/context.h"

namespace xgbl {

struct BinKernels {
  static BinKernels const& Of(SimdLevel level);

  /// bin[i] = how many of the rising `upper` are <= x[i], at most bins - 1; `bins` if x[i] is NaN.
  void (*bins_of)(float const* x, std::size_t n, float const* upper, std::size_t bins, std::uint16_t* bin);
};

}  // namespace xgbl
