// SPDX-License-Identifier: Apache-2.0
#include "bins/bin_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace xgbl {
namespace {

// Bins of `rows` rows each.
std::vector<std::uint32_t> EvenBins(std::uint32_t bins, std::uint32_t rows) {
  std::vector<std::uint32_t> below;
  for (std::uint32_t bin = 0; bin <= bins; ++bin) below.push_back(bin * rows);
  return below;
}

TEST(ErrorRows, FewBinsAreOneEach) {
  ErrorRows const errors = ErrorRows::Of(EvenBins(127, 3), false);
  EXPECT_EQ(errors.group_bins, 1U);
  EXPECT_EQ(errors.groups, 127U);
  EXPECT_EQ(ErrorRows::Of(EvenBins(128, 3), false).groups, 16U);
}

TEST(ErrorRows, TheLastOfManyMayBeSmaller) {
  ErrorRows const errors = ErrorRows::Of(EvenBins(131, 3), false);
  EXPECT_EQ(errors.group_bins, SignTask::kGroupBins);
  EXPECT_EQ(errors.groups, 17U);
  EXPECT_EQ(errors.rows_of_group[0].size(), 17U);
  EXPECT_EQ(errors.rows_of_bin[0].size(), 131U);
  EXPECT_TRUE(errors.rows_of_bin[1].empty());
}

// Nothing missing: the nearer end. Missing values right: from below; left: from above.
TEST(ErrorRows, RowsAreThoseUpToTheEndThatSumsAreSeenFrom) {
  auto const below = EvenBins(160, 10);
  ErrorRows const present = ErrorRows::Of(below, false), missing = ErrorRows::Of(below, true);
  EXPECT_EQ(present.from_above[0], 80U);
  for (std::uint32_t bin = 0; bin < 160; ++bin) {
    double const from_below = 10.0 * (bin + 1), from_above = 1600 - 10.0 * bin;
    EXPECT_EQ(present.rows_of_bin[0][bin], bin < 80 ? from_below : from_above) << bin;
    EXPECT_EQ(missing.rows_of_bin[0][bin], from_below) << bin;
    EXPECT_EQ(missing.rows_of_bin[1][bin], from_above) << bin;
    EXPECT_EQ(ErrorRows::AtBorder(below, bin, present.from_above[0]), bin < 80 ? 10.0 * bin : from_above) << bin;
    EXPECT_EQ(ErrorRows::AtBorder(below, bin, missing.from_above[0]), 10.0 * bin) << bin;
    EXPECT_EQ(ErrorRows::AtBorder(below, bin, missing.from_above[1]), from_above) << bin;
  }
  EXPECT_EQ(ErrorRows::AtBorder(below, 160, present.from_above[0]), 0);
  EXPECT_EQ(ErrorRows::AtBorder(below, 160, missing.from_above[0]), 1600);
}

TEST(ErrorRows, OneThatIsSeenFromBothEndsCountsTheMoreOfBoth) {
  auto const below = EvenBins(160, 10);
  ErrorRows const errors = ErrorRows::Of(below, false);
  std::size_t const last_from_below = errors.from_above[0] / errors.group_bins - 1;
  EXPECT_EQ(errors.rows_of_group[0][last_from_below], 1600 - 720);
  EXPECT_EQ(errors.rows_of_group[0][last_from_below - 1], 720);
  EXPECT_EQ(errors.rows_of_group[0][last_from_below + 1], 800);
}

TEST(ErrorRows, NoBinIsNoGroup) {
  ErrorRows const errors = ErrorRows::Of(EvenBins(0, 1), true);
  EXPECT_EQ(errors.groups, 0U);
  EXPECT_TRUE(errors.rows_of_bin[0].empty());
}

}  // namespace
}  // namespace xgbl
