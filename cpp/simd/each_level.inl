// SPDX-License-Identifier: Apache-2.0
// Compiles the kernels of one customer once per instruction set, each into its own namespace. A source file defines
// XGBL_KERNELS, the type of the table, and XGBL_SOURCE, the file of the functions and their `kTable`. All sets give the
// same bits: no fused multiply-add, no reordered sums, no C library functions.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "simd/region.h"

#if XGBL_HAS_REGIONS
#include <immintrin.h>
#endif

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // builds without optimisation cannot keep the promise of vector code
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC's own intrinsics start from a vector that is not set
#endif

namespace xgbl {
namespace {

#define XGBL_LEVEL 0  // clang has no other sign of the region that a line is in
namespace scalar {
#include XGBL_SOURCE
}  // namespace scalar
#undef XGBL_LEVEL

#if XGBL_HAS_REGIONS
#define XGBL_LEVEL 1
XGBL_BEGIN_REGION("avx2,popcnt")
namespace avx2 {
#include XGBL_SOURCE
}  // namespace avx2
XGBL_END_REGION
#undef XGBL_LEVEL

#define XGBL_LEVEL 2
#if defined(__clang__)
XGBL_BEGIN_REGION("avx512f,avx512bw,avx512dq,avx512vl")
#else
XGBL_BEGIN_REGION("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif
namespace avx512 {
#include XGBL_SOURCE
}  // namespace avx512
XGBL_END_REGION
#undef XGBL_LEVEL

#ifdef XGBL_HAS_VBMI  // what Intel's first processors with AVX-512 lack is of use to some only
#define XGBL_LEVEL 3
XGBL_BEGIN_REGION("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")
namespace avx512vbmi {
#include XGBL_SOURCE
}  // namespace avx512vbmi
XGBL_END_REGION
#undef XGBL_LEVEL
#endif
#endif

}  // namespace

XGBL_KERNELS const& XGBL_KERNELS::Of([[maybe_unused]] SimdLevel level) {
#if XGBL_HAS_REGIONS
#ifdef XGBL_HAS_VBMI
  if (level == SimdLevel::kAvx512Vbmi) return avx512vbmi::kTable;
#endif
  if (level >= SimdLevel::kAvx512) return avx512::kTable;
  if (level == SimdLevel::kAvx2) return avx2::kTable;
#endif
  return scalar::kTable;
}

}  // namespace xgbl
