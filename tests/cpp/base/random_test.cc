// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

namespace xgbl {
namespace {

TEST(Random, IsAFunctionOfItsKeys) {
  Random const a(1, Purpose::kRows, 2), b(1, Purpose::kRows, 2);
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(a.Bits(99 - i), b.Bits(99 - i));
}

TEST(Random, EveryKeyMatters) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t const seed : {0U, 1U}) {
    for (Purpose const purpose :
         {Purpose::kRows, Purpose::kTreeColumns, Purpose::kLevelColumns, Purpose::kNodeColumns}) {
      for (std::uint64_t stream = 0; stream < 3; ++stream) {
        for (std::uint64_t i = 0; i < 3; ++i) seen.insert(Random(seed, purpose, stream).Bits(i));
      }
    }
  }
  EXPECT_EQ(seen.size(), 2U * 4 * 3 * 3);
}

TEST(Random, UniformIsFlatOnTheUnitInterval) {
  Random const random(42, Purpose::kRows, 0);
  constexpr std::size_t kDraws = 100000;
  std::array<std::size_t, 10> counts{};
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    double const x = random.Uniform(i);
    ASSERT_TRUE(x >= 0 && x < 1);
    ++counts[static_cast<std::size_t>(x * 10)];
  }
  for (std::size_t const count : counts) EXPECT_NEAR(static_cast<double>(count), kDraws / 10.0, 500);
}

TEST(Random, NeighboursAreUncorrelated) {
  Random const random(0, Purpose::kRows, 0);
  double sum = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) sum += (random.Uniform(i) - 0.5) * (random.Uniform(i + 1) - 0.5);
  EXPECT_NEAR(sum / 100000, 0, 0.002);
}

}  // namespace
}  // namespace xgbl
