// SPDX-License-Identifier: Apache-2.0
#include "explain/background.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace xgbl {
namespace {

TEST(PairShare, IsTheShareOfOneOrder) {
  EXPECT_EQ(PairShare(1, 0), 1);
  EXPECT_EQ(PairShare(4, 0), 0.25);
  EXPECT_DOUBLE_EQ(PairShare(2, 3), 1.0 * 6 / 120);
}

// Few rows make pairs cheaper than a table, many the other way round.
TEST(LeafShares, TableAndPairsAgree) {
  for (std::size_t const features : {1U, 2U, 5U, 9U}) {
    Random const random(features, Purpose::kRows, 0);
    std::vector<std::uint64_t> bits(60);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      bits[i] = (random.Bits(i) | random.Bits(100 + i)) & ((std::uint64_t{1} << features) - 1);
    }
    PatternView const background{bits.data(), 40, 1}, rows{bits.data() + 40, 20, 1};
    LeafShares table(background, features, 1000000, WholeWeights({}, 40));
    LeafShares pairs(background, features, 0, WholeWeights({}, 40));
    for (std::size_t row = 0; row < 20; ++row) {
      auto const expected = pairs.Of(rows, row), found = table.Of(rows, row);
      for (std::size_t f = 0; f < features; ++f) EXPECT_NEAR(found[f], expected[f], 1e-13);
    }
  }
}

// Rows that stand there twice and three times are rows of weights 2 and 3, by a table and by pairs.
TEST(LeafShares, WeightsAreNumbersOfRows) {
  std::vector<std::uint64_t> const once{0b001, 0b110}, often{0b001, 0b110, 0b110, 0b001, 0b110}, row{0b011};
  std::vector<float> const weights{4, 6};
  for (std::size_t const rows : {std::size_t{0}, std::size_t{1000}}) {
    LeafShares weighted({once.data(), 2, 1}, 3, rows, WholeWeights(weights, 2));
    LeafShares repeated({often.data(), 5, 1}, 3, rows, WholeWeights({}, 5));
    auto const found = weighted.Of({row.data(), 1, 1}, 0), expected = repeated.Of({row.data(), 1, 1}, 0);
    for (std::size_t f = 0; f < 3; ++f) EXPECT_NEAR(found[f], expected[f], 1e-14);
  }
}

// Of any weights, in any order: the sums of doubles are exact.
TEST(WholeWeights, AddUpWithoutRounding) {
  Random const random(3, Purpose::kRows, 0);
  std::vector<float> weights(5000);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<float>(std::exp(40 * (random.Uniform(i) - 0.5)));
  }
  auto const forwards = WholeWeights(weights, weights.size());
  double const sum = std::accumulate(forwards.begin(), forwards.end(), 0.0);
  EXPECT_EQ(std::accumulate(forwards.rbegin(), forwards.rend(), 0.0), sum);
  std::size_t const most = static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  double const unit = static_cast<double>(weights[most]) / forwards[most];
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_NEAR(forwards[i] * unit, static_cast<double>(weights[i]), unit) << i;
  }
}

TEST(LeafShares, PatternsOfSeveralWordsAreSplitByAllOfThem) {
  std::vector<std::uint64_t> const other{0, 1};                // of 65 features the last alone
  std::vector<std::uint64_t> const row{~std::uint64_t{0}, 1};  // all
  LeafShares shares({other.data(), 1, 2}, 65, 1, WholeWeights({}, 1));
  auto const found = shares.Of({row.data(), 1, 2}, 0);
  EXPECT_DOUBLE_EQ(found[0], 1.0 / 64);
  EXPECT_EQ(found[64], 0);
}

TEST(LeafShares, WordsThatAPathDoesNotNeedChangeNothing) {
  std::vector<std::uint64_t> const other{0b001, 0b110, 0b111, 0, 0, 0}, row{0b011, 0};
  auto const weights = WholeWeights({}, 3);
  LeafShares narrow({other.data(), 3, 1}, 3, 0, weights), wide({other.data(), 3, 2}, 3, 0, weights);
  auto const found = wide.Of({row.data(), 1, 2}, 0), expected = narrow.Of({row.data(), 1, 1}, 0);
  EXPECT_NE(expected[0], 0);
  for (std::size_t f = 0; f < 3; ++f) EXPECT_EQ(found[f], expected[f]);
}

}  // namespace
}  // namespace xgbl
