// SPDX-License-Identifier: Apache-2.0
#include "parallel/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace xgbl {
namespace {

void ExpectSorted(std::size_t count, std::function<float(double)> const& value) {
  Random const random(3, Purpose::kRows, 0);
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(value(random.Uniform(i)));
  std::vector<std::uint32_t> rows(count), expected(count);
  std::iota(rows.begin(), rows.end(), 5U);
  std::iota(expected.begin(), expected.end(), 5U);
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return values[a - 5] < values[b - 5]; });
  std::vector<float> sorted(values);
  std::stable_sort(sorted.begin(), sorted.end());
  static ColumnSorter sorter;  // as it is used: for one column after the other
  sorter.Sort(values, rows);
  EXPECT_EQ(values, sorted) << count;
  EXPECT_EQ(rows, expected) << count;
}

// Few cells, those that go to buckets, and those that are sorted by digits.
TEST(ColumnSorter, SortsAnyNumberOfValuesOfAnyDistributionAndKeepsRowsInOrder) {
  for (std::size_t const count : {0U, 1U, 2U, 24U, 25U, 390U, 4096U, 4097U, 20'000U}) {
    ExpectSorted(count, [](double u) { return static_cast<float>(u) - 0.5F; });
    ExpectSorted(count, [](double u) { return 1 + 1e-5F * static_cast<float>(u); });
    ExpectSorted(count, [](double u) { return static_cast<float>(static_cast<int>(u * 3)); });
    ExpectSorted(count, [](double) { return 7.0F; });
    // The first and the last float, and both zeros among denormal values.
    ExpectSorted(count, [](double u) {
      constexpr float kMost = std::numeric_limits<float>::max(), kInfinity = std::numeric_limits<float>::infinity();
      constexpr float kOdd[] = {0.0F, -0.0F, 1e-45F, -1e-45F, kMost, -kMost, kInfinity, -kInfinity, 1.0F};
      return kOdd[static_cast<std::size_t>(u * 9)];
    });
    ExpectSorted(count, [](double u) { return u < 0.01 ? -std::numeric_limits<float>::infinity() : 1e38F; });
    // Nearly all values in one bucket.
    ExpectSorted(count, [](double u) { return u < 0.01 ? 1e30F : u < 0.02 ? -1e30F : static_cast<float>(u); });
  }
}

}  // namespace
}  // namespace xgbl
