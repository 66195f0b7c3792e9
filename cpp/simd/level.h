// SPDX-License-Identifier: Apache-2.0
// The instruction sets that kernels are compiled for. The one in use is chosen at run time;
// XGB_LIKE_SIMD=scalar|avx2|avx512|avx512vbmi forces one. A kernel belongs to the table of its customer, x_kernels.h:
// it is a member there, a function of x_kernels.inl, and its name in `kTable` at the end of that.
#pragma once

#include <string>
#include <vector>

#include "base/context.h"

namespace xgbl {

/// The levels that this machine has, lowest first.
std::vector<SimdLevel> AvailableSimd();
/// The level to use: XGB_LIKE_SIMD if set (ParamError for an unknown or unavailable one), else the highest available.
SimdLevel DefaultSimd();
std::string SimdName(SimdLevel level);

}  // namespace xgbl
