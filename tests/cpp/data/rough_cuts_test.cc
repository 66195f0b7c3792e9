// SPDX-License-Identifier: Apache-2.0
#include "data/rough_cuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.h"
#include "data/matrices.h"

namespace xgbl {
namespace {

// How many of a column's rows are in each bin.
std::vector<std::size_t> RowsByBin(std::vector<float> const& values, int max_bin) {
  DenseTable table;
  table.data = values.data();
  table.rows = values.size();
  table.columns = 1;
  table.row_stride = 1;
  table.column_stride = static_cast<std::ptrdiff_t>(values.size());
  Cuts const cuts = RoughCuts(table, max_bin, Threads(1));
  EXPECT_EQ(cuts, RoughCuts(table, max_bin, Threads(3)));
  EXPECT_TRUE(std::is_sorted(cuts.upper.begin(), cuts.upper.end()));
  EXPECT_LE(cuts.Bins(0), static_cast<std::uint32_t>(max_bin));
  std::vector<std::size_t> rows(cuts.Bins(0));
  for (float const value : values) {
    if (value == value) ++rows[cuts.BinOf(0, value)];
  }
  return rows;
}

std::vector<float> Column(std::size_t rows, std::function<float(double)> const& value) {
  Random const random(7, Purpose::kRows, 0);
  std::vector<float> values;
  for (std::size_t row = 0; row < rows; ++row) values.push_back(value(random.Uniform(row)));
  return values;
}

TEST(RoughCuts, BinsHaveAboutAsManyRows) {
  auto const rows = RowsByBin(Column(200'000, [](double u) { return static_cast<float>(u * u); }), 100);
  EXPECT_EQ(rows.size(), 100U);
  for (std::size_t const count : rows) {
    EXPECT_GT(count, 1000U);
    EXPECT_LT(count, 4000U);
  }
}

TEST(RoughCuts, FrequentValuesHaveBinsOfTheirOwn) {
  auto const rows =
      RowsByBin(Column(100'000, [](double u) { return u < 0.5 ? 3.0F : static_cast<float>(10 * u); }), 64);
  EXPECT_EQ(rows[0], *std::max_element(rows.begin(), rows.end()));
  EXPECT_NEAR(static_cast<double>(rows[0]), 50'000, 1000);
}

TEST(RoughCuts, FewValuesHaveABinEach) {
  auto const rows =
      RowsByBin(Column(50'000, [](double u) { return static_cast<float>(static_cast<int>(u * 9)); }), 256);
  EXPECT_EQ(rows.size(), 9U);
}

TEST(RoughCuts, NothingOrOneValueIsOneBin) {
  EXPECT_EQ(RowsByBin({}, 16).size(), 1U);
  EXPECT_EQ(RowsByBin({kMissing, kMissing}, 16), std::vector<std::size_t>{0});
  EXPECT_EQ(RowsByBin({5, kMissing, 5, 5}, 16), std::vector<std::size_t>{3});
}

}  // namespace
}  // namespace xgbl
