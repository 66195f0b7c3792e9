// SPDX-License-Identifier: Apache-2.0
#include "tree/grow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <vector>

#include "tree/growing.h"

namespace xgbl {
namespace {

int DepthOf(Tree const& tree, NodeId node) {
  int depth = 0;
  for (; node != 0; node = tree.parent[Tree::At(node)]) ++depth;
  return depth;
}

std::size_t LeavesOf(Tree const& tree) {
  std::size_t leaves = 0;
  for (NodeId i = 0; Tree::At(i) < tree.Size(); ++i) leaves += tree.IsLeaf(i) ? 1 : 0;
  return leaves;
}

TEST(Grow, RowsAreInTheLeafThatTheTreeSendsThemTo) {
  Sample const sample = RandomSample(5, 500, 4, 30, 0.3);
  TreeParam param;
  param.subsample = 0.5;
  GrownTree const grown = Grow(sample, param);
  CheckTree(grown.tree, 4);
  std::vector<NodeId> const leaf_of_row = LeafOfRow(grown);
  for (std::size_t row = 0; row < 500; ++row) {
    EXPECT_EQ(leaf_of_row[row],
              grown.tree.LeafOf([&](std::size_t f) { return sample.data->Features().Value(row, f); }));
  }
}

TEST(Grow, LeavesHoldTheRegularisedNewtonStepOfTheirRows) {
  Sample const sample = RandomSample(6, 300, 3, 40, 0.1);
  TreeParam param;
  param.reg_lambda = 2;
  param.learning_rate = 0.5;
  GrownTree const grown = Grow(sample, param);
  std::vector<NodeId> const leaf_of_row = LeafOfRow(grown);
  std::vector<double> g(grown.tree.Size()), h(grown.tree.Size());
  for (std::size_t row = 0; row < 300; ++row) {
    g[Tree::At(leaf_of_row[row])] += static_cast<double>(sample.gradient[row]);
    h[Tree::At(leaf_of_row[row])] += static_cast<double>(sample.hessian[row]);
  }
  for (NodeId i = 0; Tree::At(i) < grown.tree.Size(); ++i) {
    if (!grown.tree.IsLeaf(i)) continue;
    EXPECT_NEAR(static_cast<double>(grown.tree.value[Tree::At(i)]), -0.5 * g[Tree::At(i)] / (h[Tree::At(i)] + 2), 1e-6);
    EXPECT_NEAR(static_cast<double>(grown.tree.cover[Tree::At(i)]), h[Tree::At(i)], 1e-4);
  }
}

TEST(Grow, LimitsOfDepthAndLeavesHold) {
  Sample const sample = RandomSample(8, 2000, 5, 500, 0);
  for (char const* policy : {"depthwise", "lossguide"}) {
    TreeParam param;
    param.grow_policy = policy;
    param.max_depth = 5;
    param.max_leaves = 11;
    Tree const tree = Grow(sample, param).tree;
    EXPECT_EQ(LeavesOf(tree), 11U) << policy;
    for (NodeId i = 0; Tree::At(i) < tree.Size(); ++i) EXPECT_LE(DepthOf(tree, i), 5) << policy;
  }
}

// Best-first growth evaluates many leaves at once; what it keeps must be what one leaf at a time would have kept.
TEST(Grow, LossguideTakesTheLargestGainEachTime) {
  Sample const sample = RandomSample(9, 3000, 6, 800, 0.1);
  TreeParam param;
  param.grow_policy = "lossguide";
  param.max_depth = 0;
  param.colsample_bynode = 0.5;
  param.max_leaves = 40;
  Tree const big = Grow(sample, param).tree;
  for (int const leaves : {2, 3, 7, 20}) {
    param.max_leaves = leaves;
    Tree const small = Grow(sample, param).tree;
    ASSERT_EQ(LeavesOf(small), static_cast<std::size_t>(leaves));
    for (NodeId i = 0; Tree::At(i) < small.Size(); ++i) {  // the first commits of both are the same
      EXPECT_EQ(small.parent[Tree::At(i)], big.parent[Tree::At(i)]);
      if (small.IsLeaf(i)) continue;
      EXPECT_EQ(small.feature[Tree::At(i)], big.feature[Tree::At(i)]);
      EXPECT_EQ(small.threshold[Tree::At(i)], big.threshold[Tree::At(i)]);
    }
  }
}

TEST(Grow, UnlimitedDepthSeparatesAllRows) {
  std::vector<float> x, g, h(64, 1.0F);
  for (int i = 0; i < 64; ++i) {
    x.push_back(static_cast<float>(i));
    g.push_back(i % 2 == 0 ? 1.0F : -1.0F);
  }
  TreeParam param;
  param.max_depth = 0;
  param.reg_lambda = 0;
  EXPECT_EQ(LeavesOf(Grow({DenseMatrix(x, 1), g, h}, param).tree), 64U);
}

TEST(Grow, PruningTakesBackWhatGainsTooLittleFromBelow) {
  Sample const sample = RandomSample(10, 1000, 4, 100, 0);
  TreeParam param;
  Tree const whole = Grow(sample, param).tree;
  std::vector<float> gains;
  std::copy_if(whole.gain.begin(), whole.gain.end(), std::back_inserter(gains), [](float x) { return x > 0; });
  std::sort(gains.begin(), gains.end());
  param.min_split_loss = static_cast<double>(gains[gains.size() / 2]);
  Tree const pruned = Grow(sample, param).tree;
  EXPECT_LT(pruned.Size(), whole.Size());
  EXPECT_TRUE(SameTree(Grow(sample, param, 1, {}, false).tree, whole));
  for (NodeId i = 0; Tree::At(i) < pruned.Size(); ++i) {
    bool const twig =
        !pruned.IsLeaf(i) && pruned.IsLeaf(pruned.left[Tree::At(i)]) && pruned.IsLeaf(pruned.right[Tree::At(i)]);
    if (twig) {
      EXPECT_GE(static_cast<double>(pruned.gain[Tree::At(i)]), param.min_split_loss);
    }
  }
}

TEST(Grow, MonotoneConstraintsHoldOnEveryPairOfRows) {
  Sample const sample = RandomSample(11, 400, 2, 25, 0);
  TreeParam param;
  param.monotone_constraints = {-1, 1};
  Tree const tree = Grow(sample, param).tree;
  EXPECT_GT(tree.Size(), 3U);
  auto const predict = [&](float a, float b) {
    return tree.value[Tree::At(tree.LeafOf([&](std::size_t f) { return f == 0 ? a : b; }))];
  };
  for (float a = 0; a < 25; ++a) {
    for (float b = 0; b < 25; ++b) {
      EXPECT_GE(predict(a, b), predict(a + 1, b));
      EXPECT_LE(predict(a, b), predict(a, b + 1));
    }
  }
}

TEST(Grow, InteractionConstraintsHoldOnEveryPath) {
  Sample const sample = RandomSample(12, 2000, 5, 60, 0);
  TreeParam param;
  param.interaction_constraints = {{0, 1}, {1, 2, 3}};
  Tree const tree = Grow(sample, param).tree;
  for (NodeId leaf = 0; Tree::At(leaf) < tree.Size(); ++leaf) {
    std::set<std::uint32_t> used;
    for (NodeId i = leaf; i != 0; i = tree.parent[Tree::At(i)])
      used.insert(tree.feature[Tree::At(tree.parent[Tree::At(i)])]);
    auto const within = [&](std::set<std::uint32_t> const& set) {
      return std::includes(set.begin(), set.end(), used.begin(), used.end());
    };
    EXPECT_TRUE(within({0, 1}) || within({1, 2, 3}) || within({4})) << "leaf " << leaf;
  }
}

TEST(Grow, ConstraintsThatDoNotFitTheDataAreRefused) {
  Sample const sample = RandomSample(1, 20, 2, 5, 0);
  TreeParam param;
  param.monotone_constraints = {1, 0, 1};
  EXPECT_THROW(Grow(sample, param), ParamError);
  param.monotone_constraints = {2};
  EXPECT_THROW(Grow(sample, param), ParamError);
  param.monotone_constraints = {};
  param.interaction_constraints = {{0, 2}};
  EXPECT_THROW(Grow(sample, param), ParamError);
}

TEST(Grow, MaxDeltaStepBoundsLeaves) {
  Sample const sample = RandomSample(13, 300, 3, 30, 0);
  TreeParam param;
  param.max_delta_step = 0.1;
  param.learning_rate = 1;
  for (float const value : Grow(sample, param).tree.value) EXPECT_LE(std::fabs(value), 0.1F + 1e-7F);
}

}  // namespace
}  // namespace xgbl
