// SPDX-License-Identifier: Apache-2.0
#include "predict/tree_shape.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace xgbl
