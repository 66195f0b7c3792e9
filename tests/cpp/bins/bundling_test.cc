// SPDX-License-Identifier: Apache-2.0
#include "bins/bins.h"

namespace xgbl {
namespace {

Random const kRandom(5, Purpose::kRows, 0);

// `groups` columns of codes as indicators, `levels` a group, of which `share` of the rows have one; column c stands at
// place[c].
SparseRows OneHot(std::size_t rows, std::size_t groups, std::size_t levels, double share,
                  std::vector<std::uint32_t> const& place = {}) {
  SparseRows out;
  out.columns = groups * levels;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t> columns;
    for (std::size_t group = 0; group < groups; ++group) {
      std::size_t const cell = row * groups + group;
      if (kRandom.Uniform(cell) >= share) continue;
      double const skew = kRandom.Uniform(~cell);
      std::size_t const column = group * levels + static_cast<std::size_t>(skew * skew * static_cast<double>(levels));
      columns.push_back(place.empty() ? static_cast<std::uint32_t>(column) : place[column]);
    }
    std::sort(columns.begin(), columns.end());
    out.column.insert(out.column.end(), columns.begin(), columns.end());
    for (std::uint32_t const column : columns) out.value.push_back(static_cast<float>(column % 3));
    out.row_begin.push_back(out.column.size());
  }
  return out;
}

Bundles Find(FeatureMatrix const& features, int threads = 1) {
  return FindBundles(features, *CutsOf(features, 64), PresentOf(features), Threads(threads));
}

void ExpectExclusive(FeatureMatrix const& features, Bundles const& bundles) {
  std::vector<std::size_t> owner(features.Columns(), bundles.size());
  for (std::size_t b = 0; b < bundles.size(); ++b) {
    EXPECT_GT(bundles[b].size(), 1U);
    EXPECT_TRUE(std::is_sorted(bundles[b].begin(), bundles[b].end()));
    for (std::uint32_t const feature : bundles[b]) {
      EXPECT_EQ(owner.at(feature), bundles.size()) << feature << " is in two bundles";
      owner[feature] = b;
    }
  }
  for (std::size_t row = 0; row < features.Rows(); ++row) {
    std::vector<int> seen(bundles.size() + 1);
    features.ForEachPresent(row, [&](std::size_t column, float) { ++seen[owner[column]]; });
    for (std::size_t b = 0; b < bundles.size(); ++b) ASSERT_LE(seen[b], 1) << "row " << row;
  }
}

TEST(Bundling, OneHotGroupsBecomeBundles) {
  FeatureMatrix const features(OneHot(20000, 5, 60, 1));
  Bundles const bundles = Find(features);
  ASSERT_EQ(bundles.size(), 5U);
  for (std::uint32_t g = 0; g < 5; ++g) {
    EXPECT_EQ(bundles[g].front(), g * 60);
    EXPECT_EQ(bundles[g].size(), 60U);
  }
  ExpectExclusive(features, bundles);
}

TEST(Bundling, FindsGroupsWhoseColumnsAreShuffledAndRowsMissing) {
  std::vector<std::uint32_t> place(300);
  for (std::uint32_t i = 0; i < 300; ++i) place[i] = i * 7 % 300;
  FeatureMatrix const features(OneHot(30000, 5, 60, 0.9, place));
  Bundles const bundles = Find(features);
  EXPECT_LT(bundles.size(), 12U);
  ExpectExclusive(features, bundles);
}

TEST(Bundling, IsExactBeyondTheSample) {
  constexpr std::size_t kRows = 150000, kMeeting = 77777;  // a row that no sample by even distances has
  SparseRows rows;
  rows.columns = 6;
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::uint32_t column = 0; column < 6; ++column) {
      bool const meets = row == kMeeting && column > 3;
      if (row % 6 != column && !meets) continue;
      rows.column.push_back(column);
      rows.value.push_back(1);
    }
    rows.row_begin.push_back(rows.column.size());
  }
  FeatureMatrix const features(std::move(rows));
  Bundles const bundles = Find(features);
  EXPECT_EQ(bundles, (Bundles{{0, 1, 2, 3, 4}}));
  ExpectExclusive(features, bundles);
}

TEST(Bundling, IsTheSameForAnyNumberOfThreadsAndShape) {
  SparseRows const rows = OneHot(9000, 3, 20, 0.7);
  FeatureMatrix const features(rows), dense(TableOf(9000, 60, CellsOf(FeatureMatrix(rows))));
  Bundles const one = Find(features);
  EXPECT_FALSE(one.empty());
  for (int const threads : {2, 3, 7}) EXPECT_EQ(Find(features, threads), one);
  EXPECT_EQ(Find(dense), one);
}

TEST(Bundling, LeavesAloneWhatDoesNotFit) {
  FeatureMatrix const shapes[] = {
      FeatureMatrix(), FeatureMatrix(TableOf(1, 2, {1, kNan})), FeatureMatrix(TableOf(3, 1, {1, kNan, 2})),
      FeatureMatrix(TableOf(2, 2, {kNan, kNan, kNan, kNan})), FeatureMatrix(TableOf(3, 2, {1, 1, 2, kNan, kNan, 3}))};
  for (FeatureMatrix const& shape : shapes) EXPECT_TRUE(Find(shape).empty());
  EXPECT_EQ(Find(FeatureMatrix(TableOf(2, 2, {1, kNan, kNan, 2}))), (Bundles{{0, 1}}));
}

TEST(Bundling, IsInvisibleInTheBins) {
  FeatureMatrix const features(OneHot(3000, 4, 90, 0.8));
  auto const cuts = CutsOf(features, 64);
  auto const bundled = BinMatrix(features, cuts, PresentOf(features), Threads(2));
  EXPECT_LT(bundled->Layout().slots.size(), 8U);
  EXPECT_TRUE(bundled->Sparse().empty());
  ExpectBins(*bundled, features);
  ExpectBins(*Regroup(*bundled, CutsOf(features, 1), Threads(2)), features);
  FeatureMatrix const dense(TableOf(3000, 360, CellsOf(features)));
  ExpectBins(*BinMatrix(dense, cuts, PresentOf(dense), Threads(2)), features);
}

TEST(Bundling, TakesTwoBytesForManyCodes) {
  FeatureMatrix const features(OneHot(20000, 1, 2000, 1));
  auto const bins = BinMatrix(features, CutsOf(features, 64), PresentOf(features), Threads(1));
  ASSERT_EQ(bins->Layout().slots.size(), 1U);
  EXPECT_EQ(bins->Tiles()[0].cell_bytes, 2U);
  ExpectBins(*bins, features);
}

}  // namespace
}  // namespace xgbl
