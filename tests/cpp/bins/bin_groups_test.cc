// SPDX-License-Identifier: Apache-2.0
#include "bins/bin_groups.h"

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

TEST(BinGroups, FewBinsAreOneEach) {
  BinGroups const groups = GroupBins(EvenBins(127, 3), false);
  EXPECT_EQ(groups.group_bins, 1U);
  EXPECT_EQ(groups.groups, 127U);
  EXPECT_EQ(GroupBins(EvenBins(128, 3), false).groups, 16U);
}

TEST(BinGroups, TheLastOfManyMayBeSmaller) {
  BinGroups const groups = GroupBins(EvenBins(131, 3), false);
  EXPECT_EQ(groups.group_bins, BinGroups::kMostBins);
  EXPECT_EQ(groups.groups, 17U);
  EXPECT_EQ(groups.rows_of_group[0].size(), 17U);
  EXPECT_EQ(groups.rows_of_bin[0].size(), 131U);
  EXPECT_TRUE(groups.rows_of_bin[1].empty());
}

// Nothing missing: the nearer end. Missing values right: from below; left: from above.
TEST(BinGroups, RowsAreThoseUpToTheEndThatSumsAreSeenFrom) {
  auto const below = EvenBins(160, 10);
  BinGroups const present = GroupBins(below, false), missing = GroupBins(below, true);
  EXPECT_EQ(present.from_above[0], 80U);
  for (std::uint32_t bin = 0; bin < 160; ++bin) {
    double const from_below = 10.0 * (bin + 1), from_above = 1600 - 10.0 * bin;
    EXPECT_EQ(present.rows_of_bin[0][bin], bin < 80 ? from_below : from_above) << bin;
    EXPECT_EQ(missing.rows_of_bin[0][bin], from_below) << bin;
    EXPECT_EQ(missing.rows_of_bin[1][bin], from_above) << bin;
    EXPECT_EQ(RowsAtBorder(below, bin, present.from_above[0]), bin < 80 ? 10.0 * bin : from_above) << bin;
    EXPECT_EQ(RowsAtBorder(below, bin, missing.from_above[0]), 10.0 * bin) << bin;
    EXPECT_EQ(RowsAtBorder(below, bin, missing.from_above[1]), from_above) << bin;
  }
  EXPECT_EQ(RowsAtBorder(below, 160, present.from_above[0]), 0);
  EXPECT_EQ(RowsAtBorder(below, 160, missing.from_above[0]), 1600);
}

TEST(BinGroups, OneThatIsSeenFromBothEndsCountsTheMoreOfBoth) {
  auto const below = EvenBins(160, 10);
  BinGroups const groups = GroupBins(below, false);
  std::size_t const last_from_below = groups.from_above[0] / groups.group_bins - 1;
  EXPECT_EQ(groups.rows_of_group[0][last_from_below], 1600 - 720);
  EXPECT_EQ(groups.rows_of_group[0][last_from_below - 1], 720);
  EXPECT_EQ(groups.rows_of_group[0][last_from_below + 1], 800);
}

TEST(BinGroups, NoBinIsNoGroup) {
  BinGroups const groups = GroupBins(EvenBins(0, 1), true);
  EXPECT_EQ(groups.groups, 0U);
  EXPECT_TRUE(groups.rows_of_bin[0].empty());
}

}  // namespace
}  // namespace xgbl
