// SPDX-License-Identifier: Apache-2.0
#include "cuts/rank_groups.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "cuts/weight_groups.h"

namespace xgbl {
namespace {

using Weights = std::vector<std::uint64_t>;
using First = std::vector<std::size_t>;

First Groups(Weights const& weights, std::size_t groups) { return GroupByRank(weights, weights.size(), groups); }

TEST(RankGroups, FewWeightsHaveAGroupEach) {
  EXPECT_EQ(Groups({}, 3), First{});
  EXPECT_EQ(Groups({7}, 1), First{0});
  EXPECT_EQ(Groups(Weights(3, 1), 3), (First{0, 1, 2}));
  EXPECT_EQ(Groups(Weights(4, 1), 3), (First{0, 1, 2}));
}

TEST(RankGroups, BeginWhereXgboostCuts) {
  EXPECT_EQ(Groups(Weights(20, 1), 4), (First{0, 5, 10, 14}));
  EXPECT_EQ(Groups(Weights(20, 1), 5), (First{0, 4, 8, 11, 15}));
  EXPECT_EQ(Groups(Weights(23, 1), 7), (First{0, 4, 7, 10, 13, 16, 19}));
  EXPECT_EQ(Groups(Weights(100, 1), 8), (First{0, 13, 25, 37, 50, 62, 74, 86}));  // thinned in steps
  EXPECT_EQ(Groups({1, 30, 1, 1}, 2), (First{0, 1}));
}

TEST(RankGroups, HeavyWeightsDoNotWasteGroups) {
  Weights weights(40, 1);
  weights[7] = 1000;
  EXPECT_EQ(Groups(weights, 10), GroupByWeight(weights, 10));
  EXPECT_EQ(Groups(weights, 10).size(), 10U);
}

TEST(RankGroups, RiseFromTheFirstWeight) {
  Random const random(3, Purpose::kCuts, 1);
  for (std::size_t trial = 0; trial < 300; ++trial) {
    Weights weights(1 + random.Bits(trial) % 700);
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] = random.Bits(trial * 1000 + i) >> (random.Bits(i) % 50 + 14);
    std::size_t const groups = 1 + random.Bits(~trial) % 60;
    First const first = Groups(weights, groups);
    ASSERT_TRUE(first.front() == 0 && first.size() <= groups && first.back() < weights.size());
    ASSERT_TRUE(std::adjacent_find(first.begin(), first.end(), std::greater_equal<>()) == first.end());
  }
}

TEST(RankGroups, AFactorOfAllWeightsChangesNothing) {
  Random const random(4, Purpose::kCuts, 1);
  Weights weights(500), scaled;
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = random.Bits(i) % 1000;
  for (std::uint64_t const weight : weights) scaled.push_back(weight << 30U);
  EXPECT_EQ(Groups(weights, 64), Groups(scaled, 64));
}

}  // namespace
}  // namespace xgbl
