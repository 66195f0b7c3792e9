// SPDX-License-Identifier: Apache-2.0
#include "boost/dart.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "boost/training.h"

namespace xgbl {
namespace {

Model Forest(std::size_t trees, std::vector<float> weights = {}) {
  Model model;
  for (std::size_t i = 0; i < trees; ++i) {
    auto tree = std::make_shared<Tree>();
    tree->AddNode(kNoNode);
    model.AppendRound({std::move(tree)}, {0});
  }
  model.tree_weights = std::move(weights);
  return model;
}

DartParam Dropping(double rate) {
  DartParam param;
  param.rate_drop = rate;
  return param;
}

TEST(Dart, DropsTheShareOfTreesThatIsAskedFor) {
  Model const forest = Forest(10'000);
  EXPECT_NEAR(static_cast<double>(DroppedTrees(Dropping(0.3), forest, 1).size()), 3000, 200);
  EXPECT_TRUE(DroppedTrees(Dropping(0), forest, 1).empty());
  EXPECT_EQ(DroppedTrees(Dropping(1), forest, 1).size(), 10'000U);
}

TEST(Dart, WhatIsDroppedDependsOnSeedAndRoundOnly) {
  EXPECT_EQ(DroppedTrees(Dropping(0.5), Forest(100), 1), DroppedTrees(Dropping(0.5), Forest(100), 1));
  EXPECT_NE(DroppedTrees(Dropping(0.5), Forest(100), 1), DroppedTrees(Dropping(0.5), Forest(100), 2));
  std::vector<std::size_t> first = DroppedTrees(Dropping(0.5), Forest(101), 1);
  EXPECT_NE(DroppedTrees(Dropping(0.5), Forest(100), 1), first);
}

TEST(Dart, HeavyTreesAreDroppedMoreOftenIfWeightsCount) {
  std::vector<float> weights(10'000, 0.5F);
  for (std::size_t i = 0; i < 5000; ++i) weights[i] = 1.5F;
  DartParam param = Dropping(0.2);
  param.sample_type = "weighted";
  std::size_t heavy = 0;
  auto const dropped = DroppedTrees(param, Forest(10'000, weights), 3);
  for (std::size_t const tree : dropped) heavy += tree < 5000 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(heavy), 1500, 150);
  EXPECT_NEAR(static_cast<double>(dropped.size() - heavy), 500, 100);
}

TEST(Dart, OneDropTakesAnyTreeAndSkipDropNone) {
  DartParam param;
  param.one_drop = true;
  std::set<std::size_t> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    auto const dropped = DroppedTrees(param, Forest(5), seed);
    ASSERT_EQ(dropped.size(), 1U);
    seen.insert(dropped[0]);
  }
  EXPECT_EQ(seen.size(), 5U);
  param.skip_drop = 1;
  EXPECT_TRUE(DroppedTrees(param, Forest(5), 1).empty());
  EXPECT_TRUE(DroppedTrees(Dropping(1), Forest(0), 1).empty());
}

TEST(Dart, NewTreesShareThePartOfTheDropped) {
  Model const forest = Forest(3, {0.5F, 1, 1});
  DartParam param;
  EXPECT_EQ(Reweighted(param, forest, {0, 2}, 1, 0.5), (std::vector<float>{0.4F, 1, 0.8F, 0.4F}));
  param.normalize_type = "forest";
  EXPECT_EQ(Reweighted(param, forest, {0, 2}, 2, 0.25), (std::vector<float>{0.4F, 1, 0.8F, 0.8F, 0.8F}));
}

TEST(Dart, WithoutDropsItIsGradientBoosting) {
  auto const data = Training();
  EXPECT_EQ(BytesOf(Trained({{"booster", "dart"}}, data, 4)), BytesOf(Trained({}, data, 4)));
}

TEST(Dart, GradientBoostingDropsTreesWhenAsked) {
  auto const data = Training();
  EXPECT_EQ(BytesOf(Trained({{"rate_drop", "0.5"}}, data, 5)),
            BytesOf(Trained({{"booster", "dart"}, {"rate_drop", "0.5"}}, data, 5)));
}

// The margins that a custom objective gets are those that a built-in one sees.
TEST(Dart, MarginsOfTheNextRoundLackTheDroppedTrees) {
  auto const data = Training();
  Booster booster = Trained({{"booster", "dart"}, {"rate_drop", "0.5"}, {"seed", "4"}}, data, 6);
  Model const model = booster.Snapshot()->GetModel();
  Model kept = model;
  for (std::size_t const tree : DroppedTrees(Dropping(0.5), model, 4)) kept.tree_weights[tree] = 0;
  Booster thinned;
  thinned.SetModel(kept);
  EXPECT_NE(kept.tree_weights, model.tree_weights);
  EXPECT_EQ(booster.Margins(data).values, thinned.Predict(*data, PredictionKind::kMargin, {}).values);
  EXPECT_EQ(booster.Predict(*data, PredictionKind::kMargin, {}, true).values, booster.Margins(data).values);
  EXPECT_THROW(booster.Predict(*data, PredictionKind::kMargin, {0, 2}, true), ParamError);
}

TEST(Dart, SlicesKeepTheWeightsOfTheirTrees) {
  Model const model = Trained({{"booster", "dart"}, {"rate_drop", "0.9"}}, Training(), 5).Snapshot()->GetModel();
  Model const slice = model.Slice(1, 5, 2);
  EXPECT_EQ(slice.tree_weights, (std::vector<float>{model.tree_weights[1], model.tree_weights[3]}));
}

TEST(Dart, RatesOutOfRangeAreRefused) {
  for (char const* bad : {"-0.1", "1.5", "nan", "x"}) {
    EXPECT_THROW(Booster().SetParams({{"booster", "dart"}, {"rate_drop", bad}}), ParamError) << bad;
  }
  EXPECT_THROW(Booster().SetParams({{"booster", "dart"}, {"sample_type", "heavy"}}), ParamError);
}

}  // namespace
}  // namespace xgbl
