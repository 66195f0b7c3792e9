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

std::uint32_t CellOf(CodeBook const& book, Tree const& tree) {
  return (book.QuestionOf(tree, 0) >> 8U) * static_cast<std::uint32_t>(kCodeRows);
}

std::uint32_t EdgeOf(CodeBook const& book, Tree const& tree) { return book.QuestionOf(tree, 0) & 0xFFU; }

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
  EXPECT_EQ(CellOf(book, left), column.low);
  EXPECT_EQ(EdgeOf(book, same), 0x01U);
  EXPECT_EQ(CellOf(book, right), column.high);
  EXPECT_EQ(EdgeOf(book, right), 0x02U);
}

TEST(CodeBook, EdgesBeyondAByteBeginANewRun) {
  std::vector<Tree> trees;
  for (int i = 0; i < 256; ++i) trees.push_back(Stump(1, static_cast<float>(i), true));
  CodeBook const book(ModelOf(trees));
  ASSERT_EQ(book.NumberColumns().size(), 2U);
  EXPECT_EQ(book.NumberColumns()[0].count, kMostEdges);
  EXPECT_EQ(book.NumberColumns()[1].count, 1U);
  EXPECT_EQ(EdgeOf(book, trees[254]), 0xFFU);
  EXPECT_EQ(EdgeOf(book, trees[255]), 0x01U);
  EXPECT_NE(CellOf(book, trees[255]), CellOf(book, trees[254]));
}

TEST(CodeBook, EqualSetsShareACell) {
  Tree const one = SetStump({1, 3}, true), other = SetStump({3}, true), right = SetStump({1, 3}, false);
  CodeBook const book(ModelOf({one, other, one, right}));
  EXPECT_EQ(book.BlockBytes(), 3 * kCodeRows);
  EXPECT_NE(CellOf(book, one), CellOf(book, other));
  EXPECT_NE(CellOf(book, one), CellOf(book, right));
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
