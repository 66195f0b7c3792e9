// SPDX-License-Identifier: Apache-2.0
// Also tests updaters.cc.
#include "boost/booster_kind.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "boost/training.h"
#include "boost/updaters.h"

namespace xgbl {
namespace {

Booster Updating(Booster const& from, std::string const& updater, Booster::Pairs more = {}) {
  Booster booster(from);
  more.emplace_back("process_type", "update");
  more.emplace_back("updater", updater);
  booster.SetParams(more);
  return booster;
}

TEST(TreeUpdate, RefreshingOnTheTrainingDataChangesAlmostNothing) {
  auto const data = Training();
  Booster const before = Trained({}, data, 3);
  Booster after = Updating(before, "refresh");
  for (int i = 0; i < 3; ++i) after.Update(data);
  for (std::size_t t = 0; t < 3; ++t) {
    Tree const& a = *before.Snapshot()->GetModel().trees[t];
    Tree const& b = *after.Snapshot()->GetModel().trees[t];
    EXPECT_EQ(a.left, b.left);
    for (std::size_t i = 0; i < a.Size(); ++i) {
      EXPECT_NEAR(a.value[i], b.value[i], 1e-5F);
      EXPECT_NEAR(a.cover[i], b.cover[i], 1e-3F);
      EXPECT_NEAR(a.gain[i], b.gain[i], 1e-3F + a.gain[i] * 1e-3F);
    }
  }
}

TEST(TreeUpdate, OnlyTheRoundsThatAreUpdatedStay) {
  auto const data = Training();
  Booster const before = Trained({}, data, 4);
  Booster after = Updating(before, "refresh");
  after.Update(data);
  after.Update(data);
  EXPECT_EQ(after.Snapshot()->GetModel().Rounds(), 2U);
  EXPECT_EQ(before.Snapshot()->GetModel().Rounds(), 4U);
  after.Update(data);
  after.Update(data);
  EXPECT_THROW(after.Update(data), ParamError);
  EXPECT_EQ(after.Snapshot()->GetModel().Rounds(), 4U);
}

TEST(TreeUpdate, EvaluationFollowsTheUpdatedTrees) {
  auto const data = Training(), other = Training(100);
  Booster booster = Updating(Trained({}, data, 3), "refresh", {{"eta", "0.05"}});
  booster.Evaluate(other);
  for (int i = 0; i < 3; ++i) {
    booster.Update(data);
    EXPECT_EQ(booster.Evaluate(other), Booster(booster).Evaluate(other)) << i;
  }
}

TEST(TreeUpdate, LeavesStayIfOnlyStatisticsAreRefreshed) {
  auto const data = Training(), other = Training(100);
  Booster const before = Trained({}, data, 1);
  Booster after = Updating(before, "refresh", {{"refresh_leaf", "0"}});
  after.Update(other);
  EXPECT_EQ(after.Snapshot()->GetModel().trees[0]->value, before.Snapshot()->GetModel().trees[0]->value);
  EXPECT_EQ(after.Snapshot()->GetModel().trees[0]->cover[0], 100.0F);
}

TEST(TreeUpdate, PruningTwiceIsPruningOnce) {
  auto const data = Training();
  auto const pruned = [&](Booster const& from) {
    Booster booster = Updating(from, "prune", {{"gamma", "0.5"}});
    for (int i = 0; i < 3; ++i) booster.Update(data);
    return booster;
  };
  Booster const full = Trained({}, data, 3);
  std::string const once = BytesOf(pruned(full));
  EXPECT_NE(once, BytesOf(full));
  EXPECT_EQ(BytesOf(pruned(pruned(full))), once);
  EXPECT_EQ(WriteModel(ReadModel(once), FileFormat::kJson), once);
}

TEST(TreeUpdate, StepsAfterGrowingMayRefreshAndPrune) {
  auto const data = Training();
  Booster const plain = Trained({{"updater", "grow_colmaker"}}, data, 2);
  Booster const pruned = Trained({{"updater", "grow_colmaker,refresh,prune"}, {"gamma", "1"}}, data, 2);
  EXPECT_LT(ReachableNodes(*pruned.Snapshot()->GetModel().trees[0]).size(),
            plain.Snapshot()->GetModel().trees[0]->Size());
  Booster again(pruned);
  EXPECT_EQ(again.Margins(data).values, pruned.Predict(*data, PredictionKind::kMargin, {}).values);
}

TEST(TreeUpdate, NeedsStepsThatChangeTrees) {
  auto const data = Training();
  Booster const model = Trained({}, data, 1);
  for (char const* bad : {"grow_colmaker", "grow_colmaker,refresh", "coord_descent", ""}) {
    EXPECT_THROW(Updating(model, bad).Update(data), ParamError) << bad;
  }
  EXPECT_THROW(Updating(Booster(), "refresh").Update(data), ParamError);
}

TEST(TreeUpdate, AnInterruptLeavesTheModelWhole) {
  auto const data = Training();
  Booster booster = Updating(Trained({}, data, 2), "refresh");
  std::string const before = BytesOf(booster);
  EXPECT_THROW(booster.Update(data, [] { return true; }), Cancelled);
  EXPECT_EQ(BytesOf(booster), before);
}

// A root with a categorical split below, whose gain is too small.
TEST(PruneTree, DropsTheCategoriesOfWhatItCuts) {
  Tree tree;
  tree.AddNode(kNoNode);
  NodeId const left = tree.Split(0, 0, 0.5F, false);
  tree.Split(left, 1, 0.0F, false);
  tree.categorical[1] = 1;
  tree.category = {2};
  tree.category_begin = {0, 0, 1, 1, 1, 1};
  tree.gain = {5, 0.1F, 0, 0, 0};
  tree.weight = {0, -2, 1, -3, -1};
  TreeParam param;
  param.min_split_loss = 1;
  param.learning_rate = 0.5;
  PruneTree(param, &tree);
  CheckTree(tree, 2);
  EXPECT_TRUE(tree.IsLeaf(1));
  EXPECT_EQ(tree.value[1], -1.0F);
  EXPECT_TRUE(tree.category_begin.empty());
}

TEST(PruneTree, CutsWhatIsDeeperThanAllowed) {
  Model const model = Trained({{"max_depth", "4"}}, Training(), 1).Snapshot()->GetModel();
  Tree tree = *model.trees[0];
  TreeParam param;
  param.max_depth = 1;
  PruneTree(param, &tree);
  EXPECT_EQ(ReachableNodes(tree).size(), 3U);
}

}  // namespace
}  // namespace xgbl
