// SPDX-License-Identifier: Apache-2.0
#include "predict/code_book.h"

#include <gtest/gtest.h>

#include <vector>

#include "model/sample_models.h"
#include "predict/sample_rows.h"

namespace xgbl {
namespace {

Tree Stump(std::uint32_t feature, float threshold, bool missing_left) {
  Tree tree;
  tree.AddNode(kNoNode);
  tree.Split(0, feature, threshold, missing_left);
  return tree;
}

Tree SetStump(std::vector<std::int32_t> set, bool missing_left) {
  Tree tree = Stump(0, 0, missing_left);
  tree.categorical[0] = 1;
  tree.category_begin = {0, set.size(), set.size(), set.size()};
  tree.category = std::move(set);
  return tree;
}

TEST(CodeBook, AModelWithoutSplitsHasRoomForABlockAllTheSame) {
  for (Model const& model : {ModelOf({}), ModelOf({LeafTree(1)})}) {
    CodeBook const book(model);
    EXPECT_TRUE(book.Used().empty());
    EXPECT_EQ(book.BlockBytes(), kCodeRows);
  }
}

TEST(CodeBook, EqualThresholdsAreOneEdgeAndEachWayOfMissingValuesACell) {
  Tree const left = Stump(2, 0.0F, true), same = Stump(2, -0.0F, true), right = Stump(2, 1, false);
  CodeBook const book(ModelOf({left, same, right}));
  ASSERT_EQ(book.NumberColumns().size(), 1U);
  auto const& column = book.NumberColumns()[0];
  EXPECT_EQ(column.count, 2U);
  EXPECT_EQ(book.BlockBytes(), 2 * kCodeRows);
  EXPECT_EQ(book.NodeOf(left, 0).cell, column.low);
  EXPECT_EQ(book.NodeOf(same, 0).edge, 0x01010101U);
  EXPECT_EQ(book.NodeOf(right, 0).cell, column.high);
  EXPECT_EQ(book.NodeOf(right, 0).edge, 0x02020202U);
}

TEST(CodeBook, EdgesBeyondAByteBeginANewRun) {
  std::vector<Tree> trees;
  for (int i = 0; i < 256; ++i) trees.push_back(Stump(1, static_cast<float>(i), true));
  CodeBook const book(ModelOf(trees));
  ASSERT_EQ(book.NumberColumns().size(), 2U);
  EXPECT_EQ(book.NumberColumns()[0].count, kMostEdges);
  EXPECT_EQ(book.NumberColumns()[1].count, 1U);
  EXPECT_EQ(book.NodeOf(trees[254], 0).edge, 0xFFFFFFFFU);
  EXPECT_EQ(book.NodeOf(trees[255], 0).edge, 0x01010101U);
  EXPECT_NE(book.NodeOf(trees[255], 0).cell, book.NodeOf(trees[254], 0).cell);
}

TEST(CodeBook, EqualSetsShareACell) {
  Tree const one = SetStump({1, 3}, true), other = SetStump({3}, true), right = SetStump({1, 3}, false);
  CodeBook const book(ModelOf({one, other, one, right}));
  EXPECT_EQ(book.BlockBytes(), 3 * kCodeRows);
  EXPECT_NE(book.NodeOf(one, 0).cell, book.NodeOf(other, 0).cell);
  EXPECT_NE(book.NodeOf(one, 0).cell, book.NodeOf(right, 0).cell);
  ASSERT_EQ(book.LabelColumns().size(), 1U);
  EXPECT_EQ(book.LabelColumns()[0].categories, (std::vector<std::int32_t>{1, 3}));
}

TEST(CodeBook, WhatIsNoCategoryOfASetHasNoPlace) {
  CodeBook::Labels labels;
  labels.categories = {0, 7, 16777215};
  EXPECT_EQ(labels.PlaceOf(-0.0F), 0U);
  EXPECT_EQ(labels.PlaceOf(7.9F), 1U);
  EXPECT_EQ(labels.PlaceOf(16777215), 2U);
  for (float const none : {kMissing, kInfinity, -kInfinity, -1e-45F, 1.0F, 16777216.0F}) {
    EXPECT_EQ(labels.PlaceOf(none), 3U) << none;
  }
}

}  // namespace
}  // namespace xgbl
