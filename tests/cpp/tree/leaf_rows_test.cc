// SPDX-License-Identifier: Apache-2.0
#include "tree/leaf_rows.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "hist/binned.h"

namespace xgbl {
namespace {

std::vector<std::uint32_t> RowsOf(LeafRows const& by_leaf, std::size_t i) {
  auto const* const rows = by_leaf.rows.data();
  return {rows + by_leaf.leaves[i].begin, rows + by_leaf.leaves[i].end};
}

TEST(LeafRows, AllRowsRiseWithinTheirLeaf) {
  LeafRows const sorted = SortByLeaf({}, true, std::vector<NodeId>{4, 1, 4, 1, 4}, 5);
  ASSERT_EQ(sorted.leaves.size(), 2U);
  EXPECT_EQ(sorted.leaves[0].node, 1);
  EXPECT_EQ(RowsOf(sorted, 0), (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(sorted.leaves[1].node, 4);
  EXPECT_EQ(RowsOf(sorted, 1), (std::vector<std::uint32_t>{0, 2, 4}));
}

TEST(LeafRows, GivenRowsAreSortedAlone) {
  LeafRows const sorted = SortByLeaf(std::vector<std::uint32_t>{1, 2, 4}, false, std::vector<NodeId>{0, 2, 1, 0, 2}, 3);
  ASSERT_EQ(sorted.leaves.size(), 2U);
  EXPECT_EQ(RowsOf(sorted, 0), std::vector<std::uint32_t>{2});
  EXPECT_EQ(RowsOf(sorted, 1), (std::vector<std::uint32_t>{1, 4}));
}

TEST(LeafRows, NoRowsHaveNoLeaves) { EXPECT_TRUE(SortByLeaf({}, true, {}, 3).leaves.empty()); }

TEST(LeafRows, NoRowsHaveNoPieces) {
  SortByLeaf({}, true, {}, 3).ForEachPiece(WithThreads(2), [](auto const&...) { ADD_FAILURE(); });
}

// By the number of leaves: one, a few, and so many that their pieces are short.
class PiecesOfLeaves : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Numbers, PiecesOfLeaves, testing::Values(1, 3, 50'000));

TEST_P(PiecesOfLeaves, AreEachRowOnceAndRise) {
  constexpr std::size_t kRows = 200'000;  // leaves of several pieces
  std::vector<NodeId> leaf_of_row(kRows);
  for (std::size_t row = 0; row < kRows; ++row) leaf_of_row[row] = static_cast<NodeId>(row * row % 1009 % GetParam());
  LeafRows const sorted = SortByLeaf({}, true, leaf_of_row, GetParam());
  for (int const threads : {1, 4}) {
    std::vector<std::atomic<int>> seen(kRows);
    std::atomic<int> wrong{0};
    sorted.ForEachPiece(WithThreads(threads), [&](LeafRows::Leaf const& leaf, Span<std::uint32_t const> piece) {
      wrong += std::is_sorted(piece.begin(), piece.end()) ? 0 : 1;
      for (std::uint32_t const row : piece) {
        ++seen[row];
        wrong += leaf_of_row[row] == leaf.node ? 0 : 1;
      }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](auto const& times) { return times == 1; }));
  }
}

}  // namespace
}  // namespace xgbl
