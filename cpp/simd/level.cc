// SPDX-License-Identifier: Apache-2.0
#include "simd/level.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "base/error.h"
#include "base/params.h"
#include "simd/region.h"

namespace xgbl {
namespace {

constexpr SimdLevel kLevels[] = {SimdLevel::kScalar, SimdLevel::kAvx2, SimdLevel::kAvx512, SimdLevel::kAvx512Vbmi};
constexpr char const* kLevelNames[] = {"scalar", "avx2", "avx512", "avx512vbmi"};

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

std::vector<SimdLevel> AvailableSimd() {
  std::vector<SimdLevel> levels;
  std::copy_if(std::begin(kLevels), std::end(kLevels), std::back_inserter(levels), Has);
  return levels;
}

SimdLevel DefaultSimd() {
  char const* forced = std::getenv("XGB_LIKE_SIMD");
  return forced != nullptr && *forced != '\0' ? LevelNamed(forced) : AvailableSimd().back();
}

std::string SimdName(SimdLevel level) { return kLevelNames[static_cast<std::size_t>(level)]; }

}  // namespace xgbl
