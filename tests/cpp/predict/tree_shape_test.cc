// SPDX-License-Identifier: Apache-2.0
#include "predict/node_trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "model/sample_models.h"
#include "predict/sample_rows.h"

namespace xgbl {
namespace {

TEST(TreeShape, CountsLevelsAndLeaves) {
  auto const expect = [](Tree const& tree, std::uint32_t levels, std::size_t leaves) {
    EXPECT_EQ(ShapeOf(tree).levels, levels);
    EXPECT_EQ(ShapeOf(tree).leaves, leaves);
  };
  expect(LeafTree(1), 0, 1);
  expect(SampleTree(), 2, 3);
  expect(RandomTree(1, 40, 2, true), 40, 41);
}

TEST(TreeShape, NodesThatPruningLeftBehindDoNotCount) {
  Tree tree = SampleTree();
  tree.left[1] = tree.right[1] = kNoNode;
  EXPECT_EQ(ShapeOf(tree).levels, 1U);
  EXPECT_EQ(ShapeOf(tree).leaves, 2U);
}

TEST(TreeShape, SharesFollowCoversAndElseAreEven) {
  Tree tree = SampleTree();  // covers 10, 6, 4, 2.5, 3.5
  TreeShape const covered = ShapeOf(tree);
  EXPECT_FLOAT_EQ(covered.shares[1], 0.6F);
  EXPECT_FLOAT_EQ(covered.shares[4], 0.6F * 3.5F / 6.0F);
  EXPECT_NEAR(covered.path, 1.6, 1e-6);
  for (float const cover : {0.0F, -1.0F, kMissing}) {
    std::fill(tree.cover.begin(), tree.cover.end(), cover);
    TreeShape const even = ShapeOf(tree);
    EXPECT_EQ(even.shares, (std::vector<float>{1, 0.5F, 0.5F, 0.25F, 0.25F}));
    EXPECT_EQ(even.path, 1.5);
  }
}

}  // namespace
}  // namespace xgbl
