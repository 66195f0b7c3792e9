// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
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

}  // namespace
}  // namespace xgbl
