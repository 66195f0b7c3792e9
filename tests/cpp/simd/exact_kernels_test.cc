// SPDX-License-Identifier: Apache-2.0
#include "simd/exact_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "simd/level.h"

namespace xgbl {
namespace {

class SumSigns : public testing::TestWithParam<SimdLevel> {};
INSTANTIATE_TEST_SUITE_P(Simd, SumSigns, testing::ValuesIn(AvailableSimd()),
                         [](auto const& param_info) { return SimdName(param_info.param); });

TEST_P(SumSigns, OfAnyNumberOfBinsAndOfGroups) {
  Random const random(6, Purpose::kRows, 0);
  std::vector<std::int64_t> words(2 * 300);
  for (std::size_t b = 0; b < 300; ++b) {
    auto const size = static_cast<std::int64_t>(random.Bits(b) % 500);
    words[2 * b] = size * (std::int64_t{1} << 32U) + size * 1'000'000;  // eight of them nearly fill the half
    words[2 * b + 1] = -size * 3 * (std::int64_t{1} << 32U) + size % 11;
  }
  for (bool const groups : {false, true}) {
    std::size_t const step = groups ? SignTask::kGroupBins : 1;
    for (std::size_t bins = 0; bins <= 300; ++bins) {
      std::size_t const runs = (bins + step - 1) / step;
      std::vector<std::int64_t> sums(runs + 1, -7);
      std::vector<double> rise(runs + 1, -7);
      ExactKernels::Of(GetParam()).sum_signs({words.data(), bins, groups, 0.5, sums.data(), rise.data()});
      for (std::size_t k = 0; k < runs; ++k) {
        std::int64_t sum = 0, rising = 0;
        for (std::size_t b = k * step; b < std::min(bins, (k + 1) * step); ++b) {
          sum += words[2 * b] + words[2 * b + 1];
          rising += words[2 * b] >> 32;
        }
        ASSERT_EQ(sums[k], sum) << bins;
        ASSERT_EQ(rise[k], static_cast<double>(rising) * 0.5) << bins;
      }
      ASSERT_EQ(sums[runs], -7) << "written beyond the end";
      ASSERT_EQ(rise[runs], -7);
    }
  }
}

}  // namespace
}  // namespace xgbl
