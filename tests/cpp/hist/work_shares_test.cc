// SPDX-License-Identifier: Apache-2.0
#include "hist/histogram_loops.h"

#include <gtest/gtest.h>

#include <vector>

namespace xgbl {
namespace {

using Lists = std::vector<std::vector<std::size_t>>;

Lists Share(std::vector<WorkPiece> const& pieces, int count) { return ShareOut(pieces, count); }

TEST(WorkShares, ArePiecesOfEqualWork) {
  EXPECT_EQ(Share({{4}, {1}, {2}, {1}}, 2), (Lists{{0}, {1, 2, 3}}));
  EXPECT_EQ(Share({{1}, {1}, {1}}, 3), (Lists{{0}, {1}, {2}}));
}

TEST(WorkShares, StayWithTheirOwners) {
  EXPECT_EQ(Share({{1, 1}, {1, 1}, {1, 0}, {1, 0}}, 2), (Lists{{2, 3}, {0, 1}}));
  EXPECT_EQ(Share({{10, 1}, {9, 0}}, 2), (Lists{{1}, {0}}));
}

TEST(WorkShares, LeaveAnOwnerThatHasTooMuch) {
  EXPECT_EQ(Share({{1, 0}, {1, 0}, {1, 0}, {1, 0}}, 2), (Lists{{0, 1}, {2, 3}}));
  EXPECT_EQ(Share({{1, 7}, {1, 7}}, 2), (Lists{{0}, {1}}));  // an owner of a time with more shares
}

TEST(WorkShares, AreNoneOfUnlikeOrFewPieces) {
  EXPECT_TRUE(Share({{10}, {1}, {1}}, 2).empty());
  EXPECT_TRUE(Share({{1}, {1}}, 3).empty());
  EXPECT_TRUE(Share({{1}, {1}}, 1).empty());
  EXPECT_TRUE(Share({}, 2).empty());
}

}  // namespace
}  // namespace xgbl
