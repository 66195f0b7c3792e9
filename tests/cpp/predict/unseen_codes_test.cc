// SPDX-License-Identifier: Apache-2.0
#include "predict/row_reader.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "predict/sample_rows.h"

namespace xgbl {
namespace {

std::vector<KnownCodes> const kKnown{{0, {{0, 3}}, true}, {2, {{1, 1}, {4, 7}}, false}};

Context Threads(int count) {
  Context ctx;
  ctx.threads = count;
  return ctx;
}

// Many blocks of rows of three columns, all known but for those that are set later.
Table KnownRows(std::size_t rows) {
  Table table{{}, rows, 3};
  for (std::size_t row = 0; row < rows; ++row) {
    table.values.insert(table.values.end(), {static_cast<float>(row % 4), -5.0F, row % 2 == 0 ? 1.0F : kMissing});
  }
  return table;
}

std::vector<std::pair<std::size_t, std::vector<float>>> Found(FeatureMatrix const& rows, int threads) {
  std::vector<std::pair<std::size_t, std::vector<float>>> found;
  for (auto& unseen : FindUnseenCodes(kKnown, rows, Threads(threads))) {
    EXPECT_EQ(unseen.certain, unseen.feature == 0);
    found.emplace_back(unseen.feature, unseen.values);
  }
  return found;
}

TEST(UnseenCodes, ThereAreNoneInFewOrKnownRows) {
  for (std::size_t const rows : {0U, 1U, 20'000U}) {
    Table const table = KnownRows(rows);
    EXPECT_TRUE(HasKnownCodes(kKnown, table.ByRow(), Threads(2))) << rows;
    EXPECT_TRUE(HasKnownCodes({}, table.ByRow(), Threads(2))) << rows;
    EXPECT_TRUE(Found(table.ByRow(), 2).empty()) << rows;
    EXPECT_TRUE(Found(table.Sparse(), 2).empty()) << rows;
  }
}

TEST(UnseenCodes, AreListedOnceInTheOrderOfRowsByAnyNumberOfThreads) {
  Table table = KnownRows(50'000);
  table.values[std::size_t{3} * 49'999] = 9;
  table.values[std::size_t{3} * 20'000] = kInfinity;
  table.values[std::size_t{3} * 20'001] = -1;
  table.values[std::size_t{3} * 40'000] = kInfinity;
  for (std::size_t const row : {100U, 30'000U}) table.values[3 * row + 2] = 2.5F;
  std::vector<std::pair<std::size_t, std::vector<float>>> const expected{{0, {kInfinity, -1, 9}}, {2, {2.5F}}};
  for (int const threads : {1, 3}) {
    EXPECT_EQ(Found(table.ByRow(), threads), expected);
    EXPECT_EQ(Found(table.Sparse(), threads), expected);
    EXPECT_FALSE(HasKnownCodes(kKnown, table.ByRow(), Threads(threads)));
    EXPECT_FALSE(HasKnownCodes(kKnown, table.Sparse(), Threads(threads)));
  }
}

TEST(UnseenCodes, TheLastRowCounts) {
  for (std::size_t const rows : {1U, 2U, 4096U, 4097U}) {
    Table table = KnownRows(rows);
    table.values[3 * (rows - 1)] = 4;
    EXPECT_FALSE(HasKnownCodes(kKnown, table.ByRow(), Threads(2))) << rows;
  }
}

TEST(UnseenCodes, LookingForThemCanBeInterrupted) {
  Table const table = KnownRows(20'000);
  Context ctx = Threads(1);
  ctx.interrupted = [] { return true; };
  EXPECT_THROW(HasKnownCodes(kKnown, table.ByRow(), ctx), Cancelled);
  EXPECT_THROW(FindUnseenCodes(kKnown, table.ByRow(), ctx), Cancelled);
}

}  // namespace
}  // namespace xgbl
