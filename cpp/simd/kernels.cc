// SPDX-License-Identifier: Apache-2.0
#include "simd/kernels.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "base/suggest.h"
#include "simd/region.h"

#if XGBL_HAS_REGIONS
#include <immintrin.h>
#endif

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // builds without optimisation cannot keep the promise of vector code
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC's own intrinsics start from a vector that is not set
#endif

#define XGBL_LEVEL 0  // clang has no other sign of the region that a line is in
namespace xgbl::scalar {
#include "simd/kernels.inl"
}  // namespace xgbl::scalar
#undef XGBL_LEVEL

#if XGBL_HAS_REGIONS
#define XGBL_LEVEL 1
XGBL_BEGIN_REGION("avx2,popcnt")
namespace xgbl::avx2 {
#include "simd/kernels.inl"
}  // namespace xgbl::avx2
XGBL_END_REGION
#undef XGBL_LEVEL

#define XGBL_LEVEL 2
#if defined(__clang__)
XGBL_BEGIN_REGION("avx512f,avx512bw,avx512dq,avx512vl")
#else
XGBL_BEGIN_REGION("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif
namespace xgbl::avx512 {
#include "simd/kernels.inl"
}  // namespace xgbl::avx512
XGBL_END_REGION
#undef XGBL_LEVEL

// What Intel's first processors with AVX-512 lack is of use to one kernel.
#define XGBL_LEVEL 3
XGBL_BEGIN_REGION("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")
namespace xgbl::avx512vbmi {
#include "simd/pick_leaves.inl"
// Before the heaps, which look leaves up.
#include "simd/byte_heaps.inl"

constexpr Kernels WithHeaps(Kernels kernels) {
  kernels.add_heaps = AddHeaps;
  return kernels;
}
constexpr Kernels kTable = WithHeaps(avx512::kTable);
}  // namespace xgbl::avx512vbmi
XGBL_END_REGION
#undef XGBL_LEVEL
#endif

namespace xgbl {
namespace {

constexpr SimdLevel kLevels[] = {SimdLevel::kScalar, SimdLevel::kAvx2, SimdLevel::kAvx512, SimdLevel::kAvx512Vbmi};

bool Has(SimdLevel level) {
#if XGBL_HAS_REGIONS
  if (level == SimdLevel::kAvx2) return __builtin_cpu_supports("avx2") != 0;
  if (level == SimdLevel::kAvx512Vbmi) return Has(SimdLevel::kAvx512) && __builtin_cpu_supports("avx512vbmi") != 0;
  if (level == SimdLevel::kAvx512) {
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  }
#endif
  return level == SimdLevel::kScalar;
}

SimdLevel LevelNamed(std::string const& name) {
  std::vector<std::string> available;
  std::string all;
  for (SimdLevel const level : AvailableSimd()) {
    if (SimdName(level) == name) return level;
    available.push_back(SimdName(level));
    all += (all.empty() ? "" : ", ") + available.back();
  }
  throw ParamError(Text("The environment variable `XGB_LIKE_SIMD` is `", name, "`; this machine has ", all,
                        ". Unset it to use the fastest.", DidYouMean(name, available)));
}

}  // namespace

Kernels const& Simd(Context const& ctx) {
#if XGBL_HAS_REGIONS
  if (ctx.simd == SimdLevel::kAvx512Vbmi) return avx512vbmi::kTable;
  if (ctx.simd == SimdLevel::kAvx512) return avx512::kTable;
  if (ctx.simd == SimdLevel::kAvx2) return avx2::kTable;
#endif
  static_cast<void>(ctx);
  return scalar::kTable;
}

std::vector<SimdLevel> AvailableSimd() {
  std::vector<SimdLevel> levels;
  std::copy_if(std::begin(kLevels), std::end(kLevels), std::back_inserter(levels), Has);
  return levels;
}

SimdLevel DefaultSimd() {
  char const* forced = std::getenv("XGB_LIKE_SIMD");
  return forced != nullptr && *forced != '\0' ? LevelNamed(forced) : AvailableSimd().back();
}

std::string SimdName(SimdLevel level) {
  switch (level) {
    case SimdLevel::kAvx2:
      return "avx2";
    case SimdLevel::kAvx512:
      return "avx512";
    case SimdLevel::kAvx512Vbmi:
      return "avx512vbmi";
    default:
      return "scalar";
  }
}

}  // namespace xgbl
