// SPDX-License-Identifier: Apache-2.0
#include "hist/end_sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "simd/level.h"

namespace xgbl {
namespace {

using Numbers = std::vector<std::uint32_t>;

class EndSorterTest : public testing::TestWithParam<SimdLevel> {
 protected:
  void Expect(std::vector<float> const& weights, std::size_t most) {
    sorter_.Sort(weights, most, HistogramKernels::Of(GetParam()));
    Numbers order(weights.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return weights[a] < weights[b]; });
    auto const wanted = static_cast<std::ptrdiff_t>(std::min(most, weights.size()));
    auto const copy = [](Span<std::uint32_t const> numbers) { return Numbers(numbers.begin(), numbers.end()); };
    EXPECT_EQ(copy(sorter_.Rising()), Numbers(order.begin(), order.begin() + wanted)) << weights.size() << " " << most;
    EXPECT_EQ(copy(sorter_.Falling()), Numbers(order.rbegin(), order.rbegin() + wanted))
        << weights.size() << " " << most;
  }

 private:
  EndSorter sorter_;  // one for all: what was sorted before does not matter
};
INSTANTIATE_TEST_SUITE_P(Simd, EndSorterTest, testing::ValuesIn(AvailableSimd()),
                         [](auto const& param_info) { return SimdName(param_info.param); });

TEST_P(EndSorterTest, EveryCountWithManyTies) {
  Random const random(5, Purpose::kRows, 0);
  for (std::size_t const count : {0U, 1U, 2U, 63U, 64U, 127U, 128U, 129U, 130U, 131U, 200U, 1000U, 5000U, 9000U}) {
    for (std::uint64_t const values : {1U, 2U, 9U, 500U, 1000000U}) {
      std::vector<float> weights;
      for (std::size_t i = 0; i < count; ++i) {
        weights.push_back((static_cast<float>(random.Bits(i) % values) - 4) / 3);
      }
      for (std::size_t const most : {0U, 1U, 2U, 63U, 100U, 700U, 100000U}) Expect(weights, most);
    }
  }
}

TEST_P(EndSorterTest, RisingAndFallingWeights) {
  std::vector<float> weights(3000);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i) - 1500;
  Expect(weights, 63);
  std::reverse(weights.begin(), weights.end());
  Expect(weights, 63);
}

TEST_P(EndSorterTest, ZerosOfBothSignsAreOneWeight) {
  std::vector<float> weights(300, 0.0F);
  for (std::size_t i = 0; i < weights.size(); i += 3) weights[i] = -0.0F;
  Expect(weights, 20);
  weights.resize(100);
  Expect(weights, 20);
}

}  // namespace
}  // namespace xgbl
