// SPDX-License-Identifier: Apache-2.0
#include "cuts/cuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

#include "base/random.h"
#include "ingest/matrices.h"

namespace xgbl {
namespace {

// How many of a column's rows are in each bin.
std::vector<std::size_t> RowsByBin(std::vector<float> const& values, std::vector<float> const& ends) {
  EXPECT_TRUE(std::is_sorted(ends.begin(), ends.end()));
  Cuts const cuts = CutsAt({ends});
  std::vector<std::size_t> rows(cuts.Bins(0));
  for (float const value : values) {
    if (value == value) ++rows[cuts.BinOf(0, value)];
  }
  return rows;
}

std::vector<std::size_t> BySample(std::vector<float> const& values, std::size_t most) {
  std::vector<std::size_t> const rows = RowsByBin(values, EndsBySample(values, most));
  EXPECT_LE(rows.size(), most);
  return rows;
}

std::vector<std::size_t> ByRank(std::vector<float> const& values, std::size_t most) {
  std::vector<float> rising;
  std::copy_if(values.begin(), values.end(), std::back_inserter(rising), [](float value) { return value == value; });
  std::sort(rising.begin(), rising.end());
  std::vector<std::size_t> const rows = RowsByBin(values, EndsByRank(rising, most));
  EXPECT_LE(rows.size(), most);
  return rows;
}

std::vector<float> Column(std::size_t rows, std::function<float(double)> const& value) {
  Random const random(7, Purpose::kRows, 0);
  std::vector<float> values;
  for (std::size_t row = 0; row < rows; ++row) values.push_back(value(random.Uniform(row)));
  return values;
}

TEST(RoughCuts, BinsHaveAboutAsManyRows) {
  auto const column = Column(200'000, [](double u) { return static_cast<float>(u * u); });
  auto const sampled = BySample(column, 100), ranked = ByRank(column, 100);
  EXPECT_EQ(sampled.size(), 100U);
  for (std::size_t const count : sampled) {
    EXPECT_GT(count, 1000U);
    EXPECT_LT(count, 4000U);
  }
  EXPECT_EQ(ranked.size(), 100U);
  for (std::size_t const count : ranked) EXPECT_NEAR(static_cast<double>(count), 2000, 20);  // few values are equal
}

TEST(RoughCuts, FrequentValuesHaveBinsOfTheirOwn) {
  auto const column = Column(100'000, [](double u) { return u < 0.5 ? 3.0F : static_cast<float>(10 * u); });
  for (auto const& rows : {BySample(column, 64), ByRank(column, 64)}) {
    EXPECT_EQ(rows[0], *std::max_element(rows.begin(), rows.end()));
    EXPECT_NEAR(static_cast<double>(rows[0]), 50'000, 1000);
    EXPECT_GT(rows.size(), 60U);
    for (std::size_t b = 1; b < rows.size(); ++b) EXPECT_LT(rows[b], 2000U);
  }
}

TEST(RoughCuts, AFrequentValueInTheMiddleTakesNothingElseAlong) {
  auto const column = Column(10'000, [](double u) { return u < 0.4 || u > 0.7 ? static_cast<float>(u) : 0.5F; });
  auto const frequent = static_cast<std::size_t>(std::count(column.begin(), column.end(), 0.5F));
  auto const rows = ByRank(column, 50);
  EXPECT_EQ(*std::max_element(rows.begin(), rows.end()), frequent);
}

TEST(RoughCuts, FewValuesHaveABinEach) {
  auto const column = Column(50'000, [](double u) { return static_cast<float>(static_cast<int>(u * 9)); });
  EXPECT_EQ(BySample(column, 256).size(), 9U);
  EXPECT_EQ(ByRank(column, 256).size(), 9U);
  EXPECT_EQ(ByRank({3, 1, 2}, 256), (std::vector<std::size_t>{1, 1, 1}));
}

TEST(RoughCuts, NothingOrOneValueIsOneBin) {
  for (auto const rows_by_bin : {BySample, ByRank}) {
    EXPECT_EQ(rows_by_bin({}, 16).size(), 1U);
    EXPECT_EQ(rows_by_bin({kMissing, kMissing}, 16), std::vector<std::size_t>{0});
    EXPECT_EQ(rows_by_bin({5, kMissing, 5, 5}, 16), std::vector<std::size_t>{3});
    EXPECT_EQ(rows_by_bin({5, 6, 7, 8}, 1), std::vector<std::size_t>{4});
  }
}

}  // namespace
}  // namespace xgbl
