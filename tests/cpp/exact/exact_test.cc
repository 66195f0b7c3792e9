// SPDX-License-Identifier: Apache-2.0
// Also tests column_finder.cc and column_scan.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

#include "tree/growing.h"

namespace xgbl {
namespace {

struct Sums {
  double g = 0, h = 0;
  void Add(Sample const& sample, std::size_t row) {
    g += static_cast<double>(sample.gradient[row]);
    h += static_cast<double>(sample.hessian[row]);
  }
};

double Score(Sums const& s, TreeParam const& p) {
  double const shrunk = std::max(std::fabs(s.g) - p.reg_alpha, 0.0);
  return s.h > 0 ? shrunk * shrunk / (s.h + p.reg_lambda) : 0.0;
}

// The largest gain of any split of these rows, by trying every pair of sides.
double BruteForceGain(Sample const& sample, TreeParam const& param, std::vector<std::size_t> const& rows) {
  FeatureMatrix const& features = sample.data->Features();
  double best = 0;
  for (std::size_t column = 0; column < features.Columns(); ++column) {
    std::set<float> thresholds{std::numeric_limits<float>::infinity()};
    for (auto const row : rows) {
      if (!std::isnan(features.Value(row, column))) thresholds.insert(features.Value(row, column));
    }
    for (float const threshold : thresholds) {
      for (bool const missing_left : {false, true}) {
        Sums left, right, all;
        for (auto const row : rows) {
          float const x = features.Value(row, column);
          ((std::isnan(x) ? missing_left : x < threshold) ? left : right).Add(sample, row);
          all.Add(sample, row);
        }
        bool const enough = left.h >= param.min_child_weight && right.h >= param.min_child_weight;
        if (enough && left.h > 0 && right.h > 0) {
          best = std::max(best, Score(left, param) + Score(right, param) - Score(all, param));
        }
      }
    }
  }
  return best;
}

struct Case {
  std::size_t rows, columns;
  int levels;
  double missing, alpha, lambda, least;
};

class EveryNode : public testing::TestWithParam<Case> {};

TEST_P(EveryNode, SplitsWithTheGainOfBruteForce) {
  Case const c = GetParam();
  TreeParam param;
  param.max_depth = 4;
  param.reg_alpha = c.alpha;
  param.reg_lambda = c.lambda;
  param.min_child_weight = c.least;
  Sample const sample = RandomSample(7, c.rows, c.columns, c.levels, c.missing);
  Tree const tree = Grow(sample, param).tree;
  std::vector<std::vector<std::size_t>> rows_of(tree.Size());
  for (std::size_t row = 0; row < c.rows; ++row) {
    for (NodeId node = tree.LeafOf([&](std::size_t f) { return sample.data->Features().Value(row, f); });
         node != kNoNode; node = tree.parent[Tree::At(node)]) {
      rows_of[Tree::At(node)].push_back(row);
    }
  }
  for (std::size_t i = 0; i < tree.Size(); ++i) {
    bool const leaf = tree.IsLeaf(static_cast<NodeId>(i));
    bool const deepest = leaf && rows_of[i].empty();
    if (leaf || deepest) continue;
    EXPECT_NEAR(static_cast<double>(tree.gain[i]), BruteForceGain(sample, param, rows_of[i]), 1e-4) << "node " << i;
  }
  EXPECT_GT(tree.Size(), 3U);
}

INSTANTIATE_TEST_SUITE_P(Exact, EveryNode,
                         testing::Values(Case{200, 3, 1000, 0, 0, 1, 1}, Case{200, 3, 4, 0, 0, 1, 1},
                                         Case{200, 4, 20, 0.4, 0, 1, 1}, Case{150, 2, 50, 0.9, 0, 0.1, 0},
                                         Case{200, 3, 10, 0.2, 1.5, 0.5, 3}, Case{60, 5, 1, 0.5, 0, 1, 0.5}));

TEST(Exact, GrowsTheSameTreeOnAnyNumberOfThreads) {
  Sample const sample = RandomSample(3, 20'000, 9, 300, 0.2);
  TreeParam param;
  param.max_depth = 8;
  param.subsample = 0.7;
  param.colsample_bynode = 0.5;
  GrownTree const one = Grow(sample, param, 1);
  for (int const threads : {2, 3, 7}) {
    GrownTree const many = Grow(sample, param, threads);
    EXPECT_TRUE(SameTree(one.tree, many.tree)) << threads;
    EXPECT_EQ(LeafOfRow(one), LeafOfRow(many)) << threads;
  }
}

// Indicators are found by sums that are counted for one of two siblings only. A second, different value in a single row
// makes an ordinary column of the same data, so both must grow the same tree.
TEST(Exact, IndicatorsAreSplitAsOrdinaryColumnsAre) {
  constexpr std::size_t kRows = 6000, kColumns = 12;
  Sample indicators = RandomSample(21, kRows, kColumns, 1, 0.7);
  std::vector<float> values;
  for (std::size_t i = 0; i < kRows * kColumns; ++i) {
    values.push_back(indicators.data->Features().Value(i / kColumns, i % kColumns) + 1);
  }
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t c = 0; c < 4; ++c)
      indicators.gradient[row] += std::isnan(values[row * kColumns + c]) ? 0.3F : -0.4F;
  }
  values.insert(values.end(), kColumns, 2.0F);  // a row without gradient or hessian, which no sum sees
  indicators.data = DenseMatrix({values.begin(), values.end() - kColumns}, kColumns);
  Sample ordinary = indicators;
  ordinary.data = DenseMatrix(values, kColumns);
  ordinary.gradient.push_back(0);
  ordinary.hessian.push_back(0);
  for (char const* policy : {"depthwise", "lossguide"}) {
    TreeParam param;
    param.grow_policy = policy;
    Tree fast = Grow(indicators, param, 2).tree, plain = Grow(ordinary, param).tree;
    EXPECT_GT(fast.Size(), 15U);
    for (Tree* tree : {&fast, &plain}) {  // the present cells may go left in one and right in the other
      std::sort(tree->gain.begin(), tree->gain.end());
      std::sort(tree->value.begin(), tree->value.end());
    }
    EXPECT_EQ(fast.gain, plain.gain) << policy;
    EXPECT_EQ(fast.value, plain.value) << policy;
  }
}

// Of sparse rows the few of a light node are counted cell by cell, of dense ones column by column.
TEST(Exact, SparseRowsGrowTheTreeOfTheSameDenseTable) {
  constexpr std::size_t kRows = 30'000, kColumns = 40;
  Sample dense = RandomSample(41, kRows, kColumns, 1, 0.95);
  SparseRows cells;
  cells.columns = kColumns;
  for (std::size_t row = 0; row < kRows; ++row) {
    dense.data->Features().ForEachPresent(row, [&](std::size_t column, float value) {
      cells.column.push_back(static_cast<std::uint32_t>(column));
      cells.value.push_back(value);
      dense.gradient[row] += column % 7 == 0 ? 1.0F : -0.2F;
    });
    cells.row_begin.push_back(cells.column.size());
  }
  Sample sparse = dense;
  sparse.data = std::make_shared<DMatrix>(FeatureMatrix(cells), Meta{});
  for (char const* policy : {"depthwise", "lossguide"}) {
    TreeParam param;
    param.grow_policy = policy;
    param.subsample = 0.8;
    Tree const expected = Grow(dense, param).tree;
    EXPECT_GT(expected.Size(), 20U);
    for (int const threads : {1, 3}) EXPECT_TRUE(SameTree(Grow(sparse, param, threads).tree, expected)) << policy;
  }
}

TEST(Exact, AnOutlierDoesNotTakeThePrecisionOfTheOthers) {
  Sample sample = RandomSample(31, 2000, 3, 200, 0);
  sample.gradient[7] = 1e8F;
  TreeParam param;
  param.max_depth = 5;
  Tree const tree = Grow(sample, param).tree;
  for (NodeId i = 0; Tree::At(i) < tree.Size(); ++i) {  // deep nodes split on gradients a hundred million times smaller
    EXPECT_TRUE(tree.IsLeaf(i) || tree.gain[Tree::At(i)] > 0);
  }
  std::vector<std::size_t> rows;
  NodeId const node = tree.parent[Tree::At(static_cast<NodeId>(tree.Size() - 1))];
  for (std::size_t row = 0; row < 2000; ++row) {
    NodeId leaf = tree.LeafOf([&](std::size_t f) { return sample.data->Features().Value(row, f); });
    while (leaf > node) leaf = tree.parent[Tree::At(leaf)];
    if (leaf == node) rows.push_back(row);
  }
  EXPECT_NEAR(static_cast<double>(tree.gain[Tree::At(node)]) / BruteForceGain(sample, param, rows), 1, 1e-4);
}

TEST(Exact, TiesGoToTheLowerFeature) {
  Sample sample = RandomSample(1, 50, 1, 10, 0);
  std::vector<float> twice;
  for (std::size_t row = 0; row < 50; ++row) {
    float const x = sample.data->Features().Value(row, 0);
    twice.insert(twice.end(), {-x, x, x});
  }
  sample.data = DenseMatrix(twice, 3);
  Tree const tree = Grow(sample, TreeParam{}, 3).tree;
  EXPECT_EQ(std::count(tree.feature.begin(), tree.feature.end(), 2U), 0);
}

TEST(Exact, ThresholdSeparatesNeighbouringFloats) {
  float const low = 1.0F, high = std::nextafter(1.0F, 2.0F);
  Sample sample{DenseMatrix({low, high, low, high}, 1), {-1, 1, -1, 1}, {1, 1, 1, 1}};
  Tree const tree = Grow(sample, TreeParam{}).tree;
  ASSERT_EQ(tree.Size(), 3U);
  EXPECT_TRUE(tree.GoesLeft(0, low));
  EXPECT_FALSE(tree.GoesLeft(0, high));
}

TEST(Exact, HugeAndDenormalValuesAreSeparated) {
  float const huge = std::numeric_limits<float>::max(), tiny = std::numeric_limits<float>::denorm_min();
  for (auto const& [a, b] :
       std::vector<std::pair<float, float>>{{-huge, huge}, {huge / 2, huge}, {0.0F, tiny}, {-tiny, 0.0F}}) {
    Sample sample{DenseMatrix({a, b, a, b}, 1), {-1, 1, -1, 1}, {1, 1, 1, 1}};
    GrownTree const grown = Grow(sample, TreeParam{});
    EXPECT_NE(LeafOfRow(grown)[0], LeafOfRow(grown)[1]) << a << ' ' << b;
  }
}

TEST(Exact, NothingToSplitGivesOneLeaf) {
  std::vector<float> const g{1, -2, 1, 2}, h{1, 1, 1, 1};
  for (auto const& values : {std::vector<float>(4, 3.0F), std::vector<float>(4, kMissing)}) {
    GrownTree const grown = Grow({DenseMatrix(values, 1), g, h}, TreeParam{});
    ASSERT_EQ(grown.tree.Size(), 1U);
    EXPECT_FLOAT_EQ(grown.tree.value[0], -0.3F * 2 / 5);
  }
}

TEST(Exact, OneRowGivesOneLeaf) {
  GrownTree const grown = Grow({DenseMatrix({1, 2, 3}, 3), {4}, {1}}, TreeParam{});
  EXPECT_EQ(grown.tree.Size(), 1U);
  EXPECT_FLOAT_EQ(grown.tree.value[0], -0.3F * 4 / 2);
}

TEST(Exact, GradientsThatAreNotNumbersAreRefused) {
  for (float const bad : {kMissing, std::numeric_limits<float>::infinity()}) {
    EXPECT_THROW(Grow({DenseMatrix({1, 2}, 1), {1, bad}, {1, 1}}, TreeParam{}), DataError);
    EXPECT_THROW(Grow({DenseMatrix({1, 2}, 1), {1, 1}, {bad, 1}}, TreeParam{}), DataError);
  }
}

}  // namespace
}  // namespace xgbl
