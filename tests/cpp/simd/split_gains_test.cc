// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/random.h"
#include "simd/kernels.h"

namespace xgbl {
namespace {

class FirstMaximum : public testing::TestWithParam<SimdLevel> {
 protected:
  void Expect(std::vector<double> const& values) const {
    Context ctx;
    ctx.simd = GetParam();
    auto const best = std::max_element(values.begin(), values.end());  // the first of several
    EXPECT_EQ(Simd(ctx).first_maximum(values.data(), values.size()), static_cast<std::size_t>(best - values.begin()))
        << values.size();
  }
};
INSTANTIATE_TEST_SUITE_P(Simd, FirstMaximum, testing::ValuesIn(AvailableSimd()),
                         [](auto const& param_info) { return SimdName(param_info.param); });

TEST_P(FirstMaximum, OfEveryLengthWithManyTies) {
  Random const random(5, Purpose::kRows, 0);
  for (std::size_t count = 1; count <= 300; ++count) {
    for (std::uint64_t const levels : {2U, 7U, 1000U}) {
      std::vector<double> values;
      for (std::size_t i = 0; i < count; ++i) {
        values.push_back(static_cast<double>(random.Bits(i + 1000 * count + levels) % levels) - 3);
      }
      Expect(values);
    }
  }
}

TEST_P(FirstMaximum, OfOneValueAnywhere) {
  for (std::size_t place = 0; place < 70; ++place) {
    std::vector<double> values(70, -1e300);
    values[place] = 1e-300;
    Expect(values);
  }
}

TEST_P(FirstMaximum, OfZerosOfBothSignsAndInfinities) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  std::vector<double> values(40, -0.0);
  values[21] = 0.0;
  Expect(values);
  Expect(std::vector<double>(33, -kInf));
  values[39] = kInf;
  Expect(values);
}

class SumSigns : public testing::TestWithParam<SimdLevel> {};
INSTANTIATE_TEST_SUITE_P(Simd, SumSigns, testing::ValuesIn(AvailableSimd()),
                         [](auto const& param_info) { return SimdName(param_info.param); });

TEST_P(SumSigns, OfAnyNumberOfBinsAndOfGroups) {
  Random const random(6, Purpose::kRows, 0);
  Context ctx;
  ctx.simd = GetParam();
  std::vector<std::int64_t> words(2 * 300);
  for (std::size_t b = 0; b < 300; ++b) {
    auto const size = static_cast<std::int64_t>(random.Bits(b) % 1000);
    words[2 * b] = size * (std::int64_t{1} << 32U) + size % 7;
    words[2 * b + 1] = -size * 3 * (std::int64_t{1} << 32U) + size % 11;
  }
  for (bool const groups : {false, true}) {
    std::size_t const step = groups ? SignTask::kGroupBins : 1;
    for (std::size_t bins = 0; bins <= 300; ++bins) {
      std::size_t const runs = (bins + step - 1) / step;
      std::vector<std::int64_t> sums(runs + 1, -7);
      std::vector<double> rise(runs + 1, -7);
      Simd(ctx).sum_signs({words.data(), bins, groups, 0.5, sums.data(), rise.data()});
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
