// SPDX-License-Identifier: Apache-2.0
#include "tree/tree.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"

namespace xgbl {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// x0 < 0.5 ? (x1 < 2 ? node 3 : node 4) : node 2, missing left at the root and right below it.
Tree TwoSplits() {
  Tree tree;
  tree.AddNode(kNoNode);
  NodeId const left = tree.Split(0, 0, 0.5F, true);
  tree.Split(left, 1, 2.0F, false);
  return tree;
}

// A root whose set {0, 2, 5} goes right.
Tree OnCategories(bool missing_left = false) {
  Tree tree;
  tree.AddNode(kNoNode);
  tree.Split(0, 0, 0.0F, missing_left);
  tree.categorical[0] = 1;
  tree.category = {0, 2, 5};
  tree.category_begin = {0, 3, 3, 3};
  return tree;
}

NodeId LeafOf(Tree const& tree, std::vector<float> const& row) {
  return tree.LeafOf([&](std::uint32_t feature) { return row[feature]; });
}

TEST(Tree, RootAloneIsALeaf) {
  Tree tree;
  EXPECT_EQ(tree.AddNode(kNoNode), 0);
  EXPECT_TRUE(tree.IsLeaf(0));
  EXPECT_EQ(LeafOf(tree, {}), 0);
  EXPECT_NO_THROW(CheckTree(tree, 0));
}

TEST(Tree, SplitGivesTwoLeavesThatKnowTheirParent) {
  Tree const tree = TwoSplits();
  EXPECT_EQ(tree.Size(), 5U);
  EXPECT_EQ(tree.left[1], 3);
  EXPECT_EQ(tree.right[1], 4);
  EXPECT_EQ(tree.parent[4], 1);
  EXPECT_EQ(tree.value.size(), 5U);
  EXPECT_NO_THROW(CheckTree(tree, 2));
}

TEST(Tree, VectorLeavesHaveAValuePerOutput) {
  Tree tree;
  tree.outputs = 3;
  tree.AddNode(kNoNode);
  tree.Split(0, 0, 1.0F, true);
  EXPECT_EQ(tree.value.size(), 9U);
  EXPECT_EQ(tree.Value(2).size(), 3U);
  EXPECT_NO_THROW(CheckTree(tree, 1));
}

TEST(Tree, ThresholdItselfGoesRight) {
  Tree const tree = TwoSplits();
  EXPECT_EQ(LeafOf(tree, {0.5F, 0.0F}), 2);
  EXPECT_EQ(LeafOf(tree, {0.49F, 1.9F}), 3);
  EXPECT_EQ(LeafOf(tree, {-kInfinity, kInfinity}), 4);
}

TEST(Tree, MissingFollowsTheDefaultOfEachNode) {
  Tree const tree = TwoSplits();
  EXPECT_EQ(LeafOf(tree, {kNaN, 0.0F}), 3);
  EXPECT_EQ(LeafOf(tree, {kNaN, kNaN}), 4);
}

TEST(Tree, DenormalsAreOrderedAndNotZero) {
  Tree tree;
  tree.AddNode(kNoNode);
  tree.Split(0, 0, 1e-44F, true);
  EXPECT_TRUE(tree.GoesLeft(0, 1e-45F));
  EXPECT_FALSE(tree.GoesLeft(0, 1e-44F));
}

TEST(Tree, CategoriesOfTheSetGoRight) {
  Tree const tree = OnCategories();
  for (float const in_set : {0.0F, -0.0F, 2.0F, 5.0F}) EXPECT_FALSE(tree.GoesLeft(0, in_set)) << in_set;
  for (float const other : {1.0F, 3.0F, 4.0F, 6.0F, 16777215.0F}) EXPECT_TRUE(tree.GoesLeft(0, other)) << other;
}

TEST(Tree, FractionsCountAsTheCategoryBelow) {
  EXPECT_FALSE(OnCategories().GoesLeft(0, 2.9F));
  EXPECT_TRUE(OnCategories().GoesLeft(0, 1.9F));
}

TEST(Tree, WhatIsNoCategoryIsInNoSet) {
  Tree const tree = OnCategories();
  for (float const x : {-1.0F, -0.5F, 16777216.0F, 1e30F, -1e30F, kInfinity, -kInfinity}) {
    EXPECT_TRUE(tree.GoesLeft(0, x)) << x;
  }
}

TEST(Tree, MissingCategoryFollowsTheDefault) {
  EXPECT_EQ(LeafOf(OnCategories(true), {kNaN}), 1);
  EXPECT_EQ(LeafOf(OnCategories(false), {kNaN}), 2);
}

TEST(Tree, NodesComeInPreorder) { EXPECT_EQ(ReachableNodes(TwoSplits()), (std::vector<NodeId>{0, 1, 3, 4, 2})); }

TEST(Tree, DeletedNodesAreNotReached) {
  Tree tree = TwoSplits();
  tree.left[1] = tree.right[1] = kNoNode;
  EXPECT_EQ(ReachableNodes(tree), (std::vector<NodeId>{0, 1, 2}));
  EXPECT_NO_THROW(CheckTree(tree, 2));
}

TEST(CheckTree, RefusesATreeWithoutNodes) { EXPECT_THROW(CheckTree(Tree(), 1), ModelError); }

TEST(CheckTree, RefusesCycles) {
  Tree tree = TwoSplits();
  tree.left[1] = 0;
  tree.parent[0] = 1;
  EXPECT_THROW(CheckTree(tree, 2), ModelError);
}

TEST(CheckTree, ChildrenMayStandBeforeTheirParents) {
  Tree tree;
  for (NodeId const parent : {kNoNode, 3, 3, 0, 0}) tree.AddNode(parent);
  tree.left[0] = 3;
  tree.right[0] = 4;
  tree.left[3] = 1;
  tree.right[3] = 2;
  CheckTree(tree, 1);
  tree.parent[2] = 0;
  EXPECT_THROW(CheckTree(tree, 1), ModelError);
}

TEST(CheckTree, RefusesANodeWithTwoParents) {
  Tree tree = TwoSplits();
  tree.right[1] = 2;
  EXPECT_THROW(CheckTree(tree, 2), ModelError);
  tree.parent[2] = 1;
  EXPECT_THROW(CheckTree(tree, 2), ModelError);
}

TEST(CheckTree, RefusesLinksOutOfRange) {
  for (NodeId const bad : {-2, 5, 2147483647}) {
    Tree tree = TwoSplits();
    tree.right[0] = bad;
    EXPECT_THROW(CheckTree(tree, 2), ModelError) << bad;
  }
}

TEST(CheckTree, RefusesANodeWithOneChild) {
  Tree tree = TwoSplits();
  tree.right[1] = kNoNode;
  EXPECT_THROW(CheckTree(tree, 2), ModelError);
}

TEST(CheckTree, RefusesFeaturesThatTheModelHasNot) { EXPECT_THROW(CheckTree(TwoSplits(), 1), ModelError); }

TEST(CheckTree, RefusesArraysOfOtherLengths) {
  Tree tree = TwoSplits();
  tree.cover.pop_back();
  EXPECT_THROW(CheckTree(tree, 2), ModelError);
}

TEST(CheckTree, RefusesCategoriesThatDoNotRiseOrAreOutOfRange) {
  for (std::vector<std::int32_t> const& bad :
       {std::vector<std::int32_t>{0, 5, 2}, {0, 2, 2}, {-1, 2, 5}, {0, 2, 1 << 24}}) {
    Tree tree = OnCategories();
    tree.category = bad;
    EXPECT_THROW(CheckTree(tree, 1), ModelError);
  }
}

TEST(CheckTree, RefusesSetsThatDoNotFitTheNodes) {
  for (std::vector<std::size_t> const& bad : {std::vector<std::size_t>{0, 4, 4, 4}, {0, 3, 3}, {0, 3, 2, 3}, {}}) {
    Tree tree = OnCategories();
    tree.category_begin = bad;
    EXPECT_THROW(CheckTree(tree, 1), ModelError);
  }
}

TEST(CheckTree, TakesAChainOfAHundredThousandNodes) {
  Tree tree;
  NodeId node = tree.AddNode(kNoNode);
  for (int i = 0; i < 50000; ++i) node = tree.Split(node, 0, static_cast<float>(i), true);
  EXPECT_NO_THROW(CheckTree(tree, 1));
  EXPECT_EQ(ReachableNodes(tree).size(), tree.Size());
}

}  // namespace
}  // namespace xgbl
