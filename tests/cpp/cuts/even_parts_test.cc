// SPDX-License-Identifier: Apache-2.0
#include "cuts/even_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace xgbl {
namespace {

using Weights = std::vector<std::uint64_t>;
using First = std::vector<std::size_t>;

// Up to 700, of all magnitudes.
Weights SomeWeights(Random const& random, std::size_t trial) {
  Weights weights(1 + random.Bits(trial) % 700);
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = random.Bits(trial * 1000 + i) >> (random.Bits(i) % 50 + 14);
  return weights;
}

TEST(PartsByWeight, FewWeightsHaveAPartEach) {
  EXPECT_EQ(PartsByWeight(Weights{}, 3), First{});
  EXPECT_EQ(PartsByWeight(Weights{7}, 1), First{0});
  EXPECT_EQ(PartsByWeight(Weights{1, 1000, 0}, 3), (First{0, 1, 2}));
}

TEST(PartsByWeight, EqualWeightsAreSharedOutEvenly) {
  EXPECT_EQ(PartsByWeight(Weights(12, 5), 4), (First{0, 3, 6, 9}));
  EXPECT_EQ(PartsByWeight(Weights(10, 1), 3), (First{0, 3, 7}));
  EXPECT_EQ(PartsByWeight(Weights(10, 0), 1), First{0});
}

TEST(PartsByWeight, AHeavyOneIsAlone) {
  Weights weights(20, 1);
  weights[7] = 1000;
  auto const first = PartsByWeight(weights, 5);
  ASSERT_EQ(first.size(), 5U);
  EXPECT_TRUE(std::count(first.begin(), first.end(), 7U) == 1 && std::count(first.begin(), first.end(), 8U) == 1);
}

TEST(PartsByWeight, WherePartsAreShortALightRunGoesWithTheHeavyOneBehindIt) {
  EXPECT_EQ(PartsByWeight(Weights{1, 1000, 1, 1000, 1}, 3), (First{0, 2, 3}));
  EXPECT_EQ(PartsByWeight(Weights{1, 1000, 1, 1000}, 3), (First{0, 1, 2}));
}

TEST(PartsByWeight, ShareIsOfWhatIsNotHeavy) {
  Weights const weights{100, 3, 3, 3, 50};
  EXPECT_EQ(ShareOf(weights, {}, 5).weight, 3U);
  EXPECT_EQ(ShareOf(weights, {}, 5).parts, 3U);
  std::vector<std::uint8_t> const whole{0, 1, 1, 1, 1};  // the heaviest can be split
  EXPECT_EQ(ShareOf(weights, whole, 5).weight, 27U);
}

TEST(PartsByWeight, NoPartIsMuchHeavierThanItsShare) {
  Random const random(3, Purpose::kCuts, 1);
  for (std::size_t trial = 0; trial < 300; ++trial) {
    Weights const weights = SomeWeights(random, trial);
    std::size_t const parts = 1 + random.Bits(~trial) % 60;
    auto first = PartsByWeight(weights, parts);
    ASSERT_TRUE(first.front() == 0 && first.size() <= parts && first.back() < weights.size());
    ASSERT_TRUE(std::adjacent_find(first.begin(), first.end(), std::greater_equal<>()) == first.end());
    auto const share = static_cast<double>(ShareOf(weights, {}, parts).weight);
    first.push_back(weights.size());
    for (std::size_t g = 0; g + 1 < first.size(); ++g) {
      double sum = 0, heaviest = 0;
      for (std::size_t i = first[g]; i < first[g + 1]; ++i) {
        sum += static_cast<double>(weights[i]);
        heaviest = std::max(heaviest, static_cast<double>(weights[i]));
      }
      EXPECT_LE(sum - (heaviest > share ? heaviest : 0), 3 * share + 2) << "trial " << trial << ", part " << g;
    }
  }
}

TEST(PartsByWeight, AFactorOfAllWeightsChangesNothing) {
  Random const random(4, Purpose::kCuts, 1);
  Weights weights(500), scaled;
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = random.Bits(i) % 1000 + (i % 50 == 0 ? 10000 : 0);
  for (std::uint64_t const weight : weights) scaled.push_back(weight << 30U);
  EXPECT_EQ(PartsByWeight(weights, 64), PartsByWeight(scaled, 64));
}

First ByRank(Weights const& weights, std::size_t parts) { return PartsByRank(weights, weights.size(), parts); }

TEST(PartsByRank, FewWeightsHaveAPartEach) {
  EXPECT_EQ(ByRank({}, 3), First{});
  EXPECT_EQ(ByRank({7}, 1), First{0});
  EXPECT_EQ(ByRank(Weights(3, 1), 3), (First{0, 1, 2}));
  EXPECT_EQ(ByRank(Weights(4, 1), 3), (First{0, 1, 2}));
}

TEST(PartsByRank, BeginWhereXgboostCuts) {
  EXPECT_EQ(ByRank(Weights(20, 1), 4), (First{0, 5, 10, 14}));
  EXPECT_EQ(ByRank(Weights(20, 1), 5), (First{0, 4, 8, 11, 15}));
  EXPECT_EQ(ByRank(Weights(23, 1), 7), (First{0, 4, 7, 10, 13, 16, 19}));
  EXPECT_EQ(ByRank(Weights(100, 1), 8), (First{0, 13, 25, 37, 50, 62, 74, 86}));  // thinned in steps
  EXPECT_EQ(ByRank({1, 30, 1, 1}, 2), (First{0, 1}));
}

TEST(PartsByRank, HeavyWeightsDoNotWasteParts) {
  Weights weights(40, 1);
  weights[7] = 1000;
  EXPECT_EQ(ByRank(weights, 10), PartsByWeight(weights, 10));
  EXPECT_EQ(ByRank(weights, 10).size(), 10U);
}

TEST(PartsByRank, RiseFromTheFirstWeight) {
  Random const random(3, Purpose::kCuts, 1);
  for (std::size_t trial = 0; trial < 300; ++trial) {
    Weights const weights = SomeWeights(random, trial);
    std::size_t const parts = 1 + random.Bits(~trial) % 60;
    First const first = ByRank(weights, parts);
    ASSERT_TRUE(first.front() == 0 && first.size() <= parts && first.back() < weights.size());
    ASSERT_TRUE(std::adjacent_find(first.begin(), first.end(), std::greater_equal<>()) == first.end());
  }
}

TEST(PartsByRank, AFactorOfAllWeightsChangesNothing) {
  Random const random(4, Purpose::kCuts, 1);
  Weights weights(500), scaled;
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = random.Bits(i) % 1000;
  for (std::uint64_t const weight : weights) scaled.push_back(weight << 30U);
  EXPECT_EQ(ByRank(weights, 64), ByRank(scaled, 64));
}

}  // namespace
}  // namespace xgbl
