// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "model/sample_models.h"

namespace xgbl {
namespace {

// Five rounds of two trees whose values are the number of the round.
Model FiveRounds() {
  Model model = ModelOf({}, 2);
  for (int round = 0; round < 5; ++round) {
    auto const tree = std::make_shared<Tree const>(LeafTree(static_cast<float>(round)));
    model.AppendRound({tree, tree}, {0, 1});
  }
  model.attributes = {{"best_iteration", "3"}, {"best_score", "0.1"}, {"kept", "yes"}};
  return model;
}

TEST(Model, RoundsCountWhatWasAppended) {
  EXPECT_EQ(ModelOf({}).Rounds(), 0U);
  Model const model = FiveRounds();
  EXPECT_EQ(model.Rounds(), 5U);
  EXPECT_EQ(model.round_begin, (std::vector<std::size_t>{0, 2, 4, 6, 8, 10}));
}

TEST(Model, SliceTakesEveryStepthRound) {
  Model const slice = FiveRounds().Slice(1, 5, 3);
  EXPECT_EQ(slice.Rounds(), 2U);
  EXPECT_EQ(slice.trees[0]->value[0], 1.0F);
  EXPECT_EQ(slice.trees[2]->value[0], 4.0F);
  EXPECT_EQ(slice.tree_output, (std::vector<std::int32_t>{0, 1, 0, 1}));
}

TEST(Model, SliceForgetsTheBestRoundOnly) {
  EXPECT_EQ(FiveRounds().Slice(0, 2, 1).attributes, (std::map<std::string, std::string>{{"kept", "yes"}}));
}

TEST(Model, SliceWithAHugeStepTakesOneRound) {
  EXPECT_EQ(FiveRounds().Slice(2, 5, static_cast<std::size_t>(-1)).Rounds(), 1U);
}

TEST(Model, SliceRefusesEmptyAndForeignRanges) {
  Model const model = FiveRounds();
  EXPECT_THROW(model.Slice(2, 2, 1), ParamError);
  EXPECT_THROW(model.Slice(3, 2, 1), ParamError);
  EXPECT_THROW(model.Slice(0, 6, 1), ParamError);
  EXPECT_THROW(model.Slice(0, 2, 0), ParamError);
}

TEST(ResolveTrees, EndZeroMeansAll) {
  RoundRange const all = ResolveTrees(FiveRounds(), {});
  EXPECT_EQ(all.begin, 0U);
  EXPECT_EQ(all.end, 10U);
  EXPECT_EQ(ResolveTrees(FiveRounds(), {3, 0}).begin, 6U);
}

TEST(ResolveTrees, AModelWithoutRoundsHasNoTrees) {
  EXPECT_EQ(ResolveTrees(ModelOf({}), {}).end, 0U);
  EXPECT_THROW(ResolveTrees(ModelOf({}), {0, 1}), ParamError);
}

TEST(ResolveTrees, RefusesRangesThatAreEmptyOrReachBeyond) {
  Model const model = FiveRounds();
  for (RoundRange const bad : {RoundRange{2, 2}, {4, 2}, {0, 6}, {5, 0}, {9, 0}}) {
    EXPECT_THROW(ResolveTrees(model, bad), ParamError) << bad.begin << " " << bad.end;
  }
}

}  // namespace
}  // namespace xgbl
