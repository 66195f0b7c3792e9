// SPDX-License-Identifier: Apache-2.0
// Also tests row_router.cc.
#include "hist/row_partition.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "hist/binned.h"

namespace xgbl {
namespace {

using Rows = std::vector<std::uint32_t>;
using Move = RowPartition::Move;

Rows RowsOf(RowPartition const& partition, NodeId node) {
  auto const rows = partition.Rows(node);
  EXPECT_EQ(rows.size(), partition.Count(node));
  return {rows.begin(), rows.end()};
}

bool GoesLeft(BinnedSample const& sample, Move const& move, std::uint32_t row) {
  std::uint32_t const bin = sample.bins[move.feature][row];
  if (sample.Missing(row, move.feature)) return move.missing_left;
  if (move.right_bins.empty()) return bin <= move.last_left_bin;
  return (move.right_bins[bin / 64] >> (bin % 64) & 1U) == 0;
}

// The rows that go left, then the others.
std::vector<Rows> Oracle(BinnedSample const& sample, Move const& move, Rows const& rows) {
  std::vector<Rows> sides(2);
  for (std::uint32_t const row : rows) sides[GoesLeft(sample, move, row) ? 0 : 1].push_back(row);
  return sides;
}

void ExpectSplit(BinnedSample const& sample, Move move, int threads = 1) {
  move.node = 0;
  move.left = 1;
  Context ctx = WithThreads(threads);
  for (SimdLevel const level : AvailableSimd()) {
    ctx.simd = level;
    RowPartition partition(sample.matrix->Rows(), {});
    auto const expected = Oracle(sample, move, RowsOf(partition, 0));
    partition.Split(*sample.matrix, Span<Move const>(&move, 1), ctx);
    ASSERT_EQ(RowsOf(partition, 1), expected[0]);
    ASSERT_EQ(RowsOf(partition, 2), expected[1]);
  }
}

Move Numeric(std::uint32_t feature, std::uint32_t last_left_bin, bool missing_left) {
  Move move;
  move.feature = feature;
  move.last_left_bin = last_left_bin;
  move.missing_left = missing_left;
  return move;
}

// Features of one byte, of two, in a bundle, sparse, full, always missing.
BinnedSample Mixed(std::size_t rows) {
  std::vector<FeatureRecipe> features(90, {5, 0.97});
  features[0] = {200, 0.1};
  features[1] = {256, 0};
  features[2] = {600, 0.1};
  features[3] = {20, 0.1};
  features[4] = {30, 0.1};
  features[5] = {1, 0};
  features[6] = {3, 1};
  return MakeBinned(rows, features, {{3, 4}});
}

TEST(RowPartition, NumericSplitsOfEveryLayout) {
  BinnedSample const sample = Mixed(3000);
  ASSERT_TRUE(sample.matrix->Place(50).Sparse());
  ASSERT_GT(sample.matrix->Place(4).offset, 20U);
  for (std::uint32_t const feature : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 50U, 89U}) {
    std::uint32_t const bins = sample.matrix->Place(feature).bins;
    for (std::uint32_t const last : {0U, bins / 2, bins - 1}) {
      for (bool const missing_left : {false, true}) ExpectSplit(sample, Numeric(feature, last, missing_left));
    }
  }
}

TEST(RowPartition, SplitsOfJointCodes) {
  BinnedSample const sample = MakeJoined(3000);
  for (std::uint32_t feature = 0; feature < 60; ++feature) {
    std::uint32_t const bins = sample.matrix->Place(feature).bins;
    for (bool const missing_left : {false, true}) {
      for (std::uint32_t last = 0; last < bins; last += 1 + bins / 3) {
        ExpectSplit(sample, Numeric(feature, last, missing_left));
      }
      Move move = Numeric(feature, 0, missing_left);
      std::vector<std::uint64_t> const right(4, 0b0110);
      move.right_bins = right;
      ExpectSplit(sample, move);
    }
  }
}

// Rows of many sparse cells, which are searched around a guess: at both ends, in the middle, where cells crowd.
TEST(RowPartition, SplitsByFeaturesOfLongSparseRows) {
  std::vector<FeatureRecipe> features(900, {3, 0.93});
  for (std::size_t f = 300; f < 500; ++f) features[f].missing = 0.999;
  BinnedSample const sample = MakeBinned(1500, features);
  for (std::uint32_t const feature : {0U, 1U, 299U, 300U, 400U, 501U, 898U, 899U}) {
    ASSERT_TRUE(sample.matrix->Place(feature).Sparse());
    for (bool const missing_left : {false, true}) ExpectSplit(sample, Numeric(feature, 1, missing_left));
  }
}

TEST(RowPartition, CategoricalSplitsOfEveryLayout) {
  BinnedSample const sample = Mixed(3000);
  std::vector<std::uint64_t> const right(10, 0x5A5A0FF012345678U);
  for (std::uint32_t const feature : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 50U}) {
    for (bool const missing_left : {false, true}) {
      Move move = Numeric(feature, 0, missing_left);
      move.right_bins = right;
      ExpectSplit(sample, move);
    }
  }
}

TEST(RowPartition, TilesAreReadAsTheCopyByColumns) {
  for (BinnedSample const& sample : {Mixed(500), MakeJoined(500)}) {
    for (std::uint32_t const feature : {0U, 2U, 4U}) {
      Move const move = Numeric(feature, std::min(7U, sample.matrix->Place(feature).bins / 2), true);
      Rows rows(500), right(500);
      std::iota(rows.begin(), rows.end(), 0U);
      auto const expected = Oracle(sample, move, rows);
      RowRouter const router(*sample.matrix, move, RowRouter::Source::kTiles);
      rows.resize(router.Route(rows, rows.data(), right.data(), WithThreads(1)));
      right.resize(500 - rows.size());
      EXPECT_EQ(rows, expected[0]);
      EXPECT_EQ(right, expected[1]);
    }
  }
}

TEST(RowPartition, LargeNodesOnAnyNumberOfThreads) {
  BinnedSample const sample = MakeBinned(250001, {{256, 0}, {300, 0.2}});
  for (int const threads : {1, 2, 3, 7}) {
    ExpectSplit(sample, Numeric(0, 100, false), threads);
    ExpectSplit(sample, Numeric(0, 255, false), threads);
    ExpectSplit(sample, Numeric(1, 10, true), threads);
  }
}

// Splits all nodes of a level at once, five levels deep.
std::vector<Rows> Grow(BinnedSample const& sample, RowPartition partition, int threads) {
  NodeId first = 0, end = 1;
  for (std::uint32_t level = 0; level < 5; ++level) {
    std::vector<Move> moves;
    NodeId next = end;
    for (NodeId node = first; node < end; ++node, next += 2) {
      Move move = Numeric((level + static_cast<std::uint32_t>(node)) % 3, 20 * level, level % 2 == 0);
      move.node = node;
      move.left = next;
      moves.push_back(move);
    }
    partition.Split(*sample.matrix, moves, WithThreads(threads));
    first = end;
    end = next;
  }
  std::vector<Rows> rows;
  for (NodeId node = 0; node < end; ++node) rows.push_back(RowsOf(partition, node));
  return rows;
}

TEST(RowPartition, ManyNodesAtOnceKeepTheirRowsInOrder) {
  BinnedSample const sample = MakeBinned(120000, {{100, 0.1}, {300, 0.2}, {100, 0}});
  auto const expected = Grow(sample, RowPartition(120000, {}), 1);
  for (std::size_t node = expected.size() / 2; node < expected.size(); ++node) {  // those that were not split
    EXPECT_TRUE(std::is_sorted(expected[node].begin(), expected[node].end()));
  }
  for (std::size_t node = 0; 2 * node + 2 < expected.size(); ++node) {
    EXPECT_EQ(expected[2 * node + 1].size() + expected[2 * node + 2].size(), expected[node].size());
  }
  for (int const threads : {2, 3, 7}) EXPECT_EQ(Grow(sample, RowPartition(120000, {}), threads), expected);
}

TEST(RowPartition, BeginsWithAListToo) {
  BinnedSample const sample = MakeBinned(1000, {{10, 0.3}});
  Rows const listed{3, 17, 18, 500, 999};
  RowPartition partition(listed);
  EXPECT_FALSE(partition.AllRows(0));
  EXPECT_EQ(RowsOf(partition, 0), listed);
  Move move = Numeric(0, 4, false);
  move.node = 0;
  move.left = 1;
  auto const expected = Oracle(sample, move, listed);
  partition.Split(*sample.matrix, Span<Move const>(&move, 1), WithThreads(1));
  EXPECT_EQ(RowsOf(partition, 1), expected[0]);
  EXPECT_EQ(RowsOf(partition, 2), expected[1]);
}

TEST(RowPartition, KnowsWhichNodesHaveAllRows) {
  BinnedSample const sample = MakeBinned(10, {{4, 0}});
  RowPartition partition(10, {});
  EXPECT_TRUE(partition.AllRows(0));
  Move move = Numeric(0, 3, false);
  move.node = 0;
  move.left = 5;
  partition.Split(*sample.matrix, Span<Move const>(&move, 1), WithThreads(1));
  EXPECT_TRUE(partition.AllRows(5));
  EXPECT_FALSE(partition.AllRows(6));
  EXPECT_EQ(partition.Count(6), 0U);
}

TEST(RowPartition, EmptyNodesSplitIntoEmptyNodes) {
  BinnedSample const sample = MakeBinned(1, {{4, 0}});
  RowPartition partition(Rows{});
  Move move = Numeric(0, 1, false);
  move.node = 0;
  move.left = 1;
  partition.Split(*sample.matrix, Span<Move const>(&move, 1), WithThreads(3));
  EXPECT_EQ(partition.Count(1) + partition.Count(2), 0U);
  ExpectSplit(sample, Numeric(0, 1, false));
}

// The root's split is part of the tree; that of its left child was tried, as was one below.
TEST(RowPartition, RowsOfALeafRiseThoughItWasSplitInVain) {
  BinnedSample const sample = MakeBinned(500, {{8, 0}, {8, 0}, {8, 0}});
  GrowingTree tree;
  tree.nodes.resize(1);
  RowPartition partition(500, {});
  Rows left;
  for (std::uint32_t feature = 0; feature < 3; ++feature) {
    Move move = Numeric(feature, 3, false);
    move.node = feature == 0 ? 0 : tree[feature == 1 ? 0 : 1].left;
    tree.nodes.resize(tree.nodes.size() + 2);
    move.left = static_cast<NodeId>(tree.nodes.size() - 2);
    tree[move.node].left = move.left;
    tree[move.left].parent = tree[move.left + 1].parent = move.node;
    partition.Split(*sample.matrix, Span<Move const>(&move, 1), WithThreads(1));
    if (feature == 0) left = RowsOf(partition, 1);
  }
  tree[0].committed = true;
  std::vector<NodeId> const final_of{0, 1, 2, 1, 1, 1, 1};
  LeafRows const taken = partition.TakeLeaves(tree, final_of);
  ASSERT_EQ(taken.leaves.size(), 2U);
  EXPECT_EQ(taken.leaves[0].node, 1);
  EXPECT_EQ(Rows(taken.rows.data() + taken.leaves[0].begin, taken.rows.data() + taken.leaves[0].end), left);
}

TEST(RowPartition, NoMovesChangeNothing) {
  BinnedSample const sample = MakeBinned(5, {{4, 0}});
  RowPartition partition(5, {});
  partition.Split(*sample.matrix, {}, WithThreads(2));
  EXPECT_EQ(RowsOf(partition, 0), (Rows{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace xgbl
