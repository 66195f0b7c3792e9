// SPDX-License-Identifier: Apache-2.0
#include "simd/histogram_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/random.h"
#include "simd/level.h"

namespace xgbl {
namespace {

class FirstMaximum : public testing::TestWithParam<SimdLevel> {
 protected:
  void Expect(std::vector<double> const& values) const {
    auto const best = std::max_element(values.begin(), values.end());  // the first of several
    EXPECT_EQ(HistogramKernels::Of(GetParam()).first_maximum(values.data(), values.size()),
              static_cast<std::size_t>(best - values.begin()))
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

using Rows = std::vector<std::uint32_t>;

struct Case {
  std::vector<std::uint8_t> codes;
  Rows rows;
  std::uint8_t first = 0;
  std::uint8_t last = 0;
  bool inside_left = true;
};

Case RandomCase(std::size_t count, std::uint8_t first, std::uint8_t last, bool inside_left) {
  Random const random(3, Purpose::kRows, count);
  Case out{{}, {}, first, last, inside_left};
  for (std::size_t i = 0; i < count; ++i) {
    out.codes.push_back(static_cast<std::uint8_t>(random.Bits(i)));
    out.rows.push_back(static_cast<std::uint32_t>(0xFFFFFF00U - 3 * i));
  }
  return out;
}

Rows Side(Case const& test, bool left) {
  Rows side;
  for (std::size_t i = 0; i < test.rows.size(); ++i) {
    bool const inside = test.codes[i] >= test.first && test.codes[i] <= test.first + test.last;
    if ((inside == test.inside_left) == left) side.push_back(test.rows[i]);
  }
  return side;
}

void ExpectSplit(SimdLevel level, Case const& test) {
  constexpr std::uint32_t kUntouched = 77;
  std::size_t const count = test.rows.size();
  Rows rows = test.rows, right(count + 1, kUntouched);
  rows.push_back(kUntouched);
  std::size_t const left = HistogramKernels::Of(level).split_rows(
      {test.codes.data(), rows.data(), count, test.first, test.last, test.inside_left, rows.data(), right.data()});
  EXPECT_EQ(Rows(rows.data(), rows.data() + left), Side(test, true));
  EXPECT_EQ(Rows(right.data(), right.data() + (count - left)), Side(test, false));
  EXPECT_EQ(rows[count], kUntouched);
  EXPECT_EQ(right[count], kUntouched);
}

TEST(SplitRows, InPlaceAtEveryLengthOnEveryLevel) {
  for (SimdLevel const level : AvailableSimd()) {
    for (std::size_t count = 0; count < 130; ++count) ExpectSplit(level, RandomCase(count, 100, 90, true));
  }
}

TEST(SplitRows, AllRangesOfCodes) {
  for (SimdLevel const level : AvailableSimd()) {
    for (unsigned first = 0; first < 256; first += 15) {
      for (unsigned last = 0; first + last < 256; last += 15) {
        auto const low = static_cast<std::uint8_t>(first), width = static_cast<std::uint8_t>(last);
        ExpectSplit(level, RandomCase(1000, low, width, true));
        ExpectSplit(level, RandomCase(1000, low, width, false));
      }
    }
  }
}

TEST(TakeNonzero, OfEveryLengthOnEveryLevel) {
  Random const random(6, Purpose::kRows, 0);
  for (SimdLevel const level : AvailableSimd()) {
    for (std::size_t count = 0; count < 70; ++count) {
      for (std::uint64_t const filled : {0U, 1U, 5U, 10U}) {
        std::vector<std::int64_t> bins, expected, taken(count);
        std::vector<std::uint32_t> places, numbers(count);
        for (std::size_t i = 0; i < count; ++i) {
          bool const here = random.Bits(100 * count + i) % 10 < filled;
          std::int64_t const halves[] = {1, std::int64_t{1} << 32U, -(std::int64_t{1} << 32U)};
          bins.push_back(here ? halves[i % 3] * static_cast<std::int64_t>(i + 1) : 0);
          if (!here) continue;
          expected.push_back(bins[i]);
          places.push_back(static_cast<std::uint32_t>(i));
        }
        std::size_t const found =
            HistogramKernels::Of(level).take_nonzero(bins.data(), count, numbers.data(), taken.data());
        ASSERT_EQ(found, expected.size());
        taken.resize(found);
        numbers.resize(found);
        EXPECT_EQ(taken, expected);
        EXPECT_EQ(numbers, places);
      }
    }
  }
}

TEST(WeighLevels, AsDefinedOnEveryLevel) {
  Random const random(7, Purpose::kRows, 0);
  constexpr std::size_t kCount = 101;
  std::vector<std::int64_t> packed, wide;
  for (std::size_t i = 0; i < kCount; ++i) {
    auto const gradient = static_cast<std::int64_t>(random.Bits(2 * i) % 2001) - 1000;
    auto const own = static_cast<std::int64_t>(random.Bits(2 * i + 1) % 40000000U);
    std::int64_t const hessian = i % 7 == 0 ? 0 : i == 1 ? std::int64_t{2200000000} : own;
    packed.push_back(gradient * (std::int64_t{1} << 32U) + hessian);
    wide.insert(wide.end(), {gradient, hessian});
  }
  for (double const lambda : {0.0, 1.5}) {
    std::vector<float> expected;
    LowLevels low;
    for (std::size_t i = 0; i < kCount; ++i) {
      double const hessian = static_cast<double>(wide[2 * i + 1]) * 0x1p-20 + lambda + 0.25 * lambda;
      double const gradient = static_cast<double>(wide[2 * i]) * 0.3;
      expected.push_back(hessian > 0 ? static_cast<float>(-gradient / hessian) : 0);
      if (!(expected[i] < 0)) continue;
      ++low.count;
      low.gradient += wide[2 * i];
      low.hessian += wide[2 * i + 1];
    }
    ASSERT_GT(low.count, 20U);
    for (SimdLevel const level : AvailableSimd()) {
      for (bool const is_packed : {true, false}) {
        HistogramKernels const& kernels = HistogramKernels::Of(level);
        std::vector<float> weights(kCount);
        LevelTask const task{
            is_packed ? packed.data() : wide.data(), kCount, 0.3, 0x1p-20, lambda, 0.25 * lambda, weights.data()};
        LowLevels const found = is_packed ? kernels.weigh_packed(task) : kernels.weigh_wide(task);
        EXPECT_EQ(weights, expected);
        EXPECT_EQ(found.count, low.count);
        EXPECT_EQ(found.gradient, low.gradient);
        EXPECT_EQ(found.hessian, low.hessian);
      }
    }
  }
}

TEST(PickBetween, OfEveryLengthOnEveryLevel) {
  Random const random(9, Purpose::kRows, 0);
  constexpr float kInf = std::numeric_limits<float>::infinity();
  std::vector<std::pair<float, float>> const bounds{{-kInf, kInf}, {-kInf, -1},   {3, kInf},
                                                    {-1, 2},       {-0.0F, 0.0F}, {4, 1}};
  for (SimdLevel const level : AvailableSimd()) {
    for (std::size_t count = 0; count < 70; ++count) {
      std::vector<float> values;
      for (std::size_t i = 0; i < count; ++i)
        values.push_back(static_cast<float>(random.Bits(i + 70 * count) % 11) - 5);
      for (auto const& [least, most] : bounds) {
        std::vector<std::uint32_t> numbers(count), expected;
        for (std::uint32_t i = 0; i < count; ++i) {
          if (values[i] >= least && values[i] <= most) expected.push_back(i);
        }
        numbers.resize(HistogramKernels::Of(level).pick_between(values.data(), count, least, most, numbers.data()));
        EXPECT_EQ(numbers, expected);
      }
    }
  }
}

TEST(SortFew, OfEveryLengthOnEveryLevel) {
  Random const random(8, Purpose::kRows, 0);
  for (SimdLevel const level : AvailableSimd()) {
    for (std::size_t count = 0; count < 140; ++count) {
      std::vector<std::int64_t> keys, sorted(count);
      for (std::size_t i = 0; i < count; ++i) {  // all differ
        keys.push_back((static_cast<std::int64_t>(random.Bits(i)) & ~std::int64_t{0xFF}) +
                       static_cast<std::int64_t>(i));
      }
      HistogramKernels::Of(level).sort_few(keys.data(), count, sorted.data());
      std::sort(keys.begin(), keys.end());
      EXPECT_EQ(sorted, keys);
    }
  }
}

}  // namespace
}  // namespace xgbl
