// SPDX-License-Identifier: Apache-2.0
// The few loops worth an instruction set of their own. One source (kernels.inl) is compiled once per level into a
// namespace of its own; which table is used is decided at run time and can be forced by
// XGB_LIKE_SIMD=scalar|avx2|avx512. All levels give the same bits: no fused multiply-add, no reordered sums, no C
// library functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/context.h"

namespace xgbl {

struct Kernels {
  /// out[i] = 1 / (1 + exp(-x[i])); `out` may be `x`.
  void (*sigmoid)(float const* x, float* out, std::size_t n);
  /// out[i] = exp(x[i]); `out` may be `x`.
  void (*exp)(float const* x, float* out, std::size_t n);
};

Kernels const& Simd(Context const& ctx);

/// The levels that this machine has, lowest first.
std::vector<SimdLevel> AvailableSimd();
/// The level to use: XGB_LIKE_SIMD if set (ParamError for an unknown or unavailable one), else the highest available.
SimdLevel DefaultSimd();
std::string SimdName(SimdLevel level);

}  // namespace xgbl
