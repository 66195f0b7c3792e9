// SPDX-License-Identifier: Apache-2.0
#include "boost/combine.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "boost/training.h"

namespace xgbl {
namespace {

std::vector<float> MarginsOf(Learner const& learner, Booster::Data const& data) {
  return learner.Predict(*data, PredictionKind::kMargin, {}, false, {}).values;
}

class Merging : public testing::TestWithParam<Booster::Pairs> {};

TEST_P(Merging, AddsUpTheMargins) {
  auto const data = Training(300, 2);
  auto const first = Trained(GetParam(), data, 3).Snapshot(),
             second = Trained(GetParam(), Training(90, 2), 2).Snapshot();
  Learner const merged = first->With(Merged(*first, *second, true));
  EXPECT_EQ(merged.GetModel().Rounds(), 5U);
  auto const a = MarginsOf(*first, data), b = MarginsOf(*second, data), sum = MarginsOf(merged, data);
  for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_NEAR(sum[i], a[i] + b[i], 1e-5F) << i;
  std::string const bytes = WriteModel(merged.GetModel(), FileFormat::kJson);
  EXPECT_EQ(WriteModel(ReadModel(bytes), FileFormat::kJson), bytes);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, Merging,
    testing::Values(Booster::Pairs{}, Booster::Pairs{{"num_parallel_tree", "2"}},
                    Booster::Pairs{{"booster", "dart"}, {"rate_drop", "0.8"}}, Booster::Pairs{{"booster", "gblinear"}},
                    Booster::Pairs{{"objective", "binary:logistic"}},
                    Booster::Pairs{{"objective", "reg:expectileerror"}, {"expectile_alpha", "0.2,0.5,0.8"}},
                    Booster::Pairs{{"multi_strategy", "multi_output_tree"}, {"base_score", "0.25,-1"}}));

TEST(Merging, WithoutInterceptItContinuesTheFirst) {
  auto const data = Training();
  auto const whole = Trained({}, data, 5).Snapshot(), first = Trained({}, data, 3).Snapshot();
  Learner const rest = whole->With(whole->GetModel().Slice(3, 5, 1));
  Model const merged = Merged(*first, rest, false);
  EXPECT_EQ(WriteModel(merged, FileFormat::kJson), WriteModel(whole->GetModel(), FileFormat::kJson));
}

TEST(Merging, ModelsThatDifferAreRefused) {
  auto const base = Trained({}, Training(), 1).Snapshot();
  std::vector<Booster> const others{Booster(), Trained({{"objective", "binary:logistic"}}, Training(), 1),
                                    Trained({}, Training(50, 2), 1), Trained({{"booster", "gblinear"}}, Training(), 1)};
  for (auto const& other : others) EXPECT_THROW(Merged(*base, *other.Snapshot(), true), ParamError);
}

TEST(Refitting, GoesFromTheOldLeavesToTheNew) {
  auto const data = Training(), other = Training(120);
  auto const old = Trained({}, data, 3).Snapshot();
  EXPECT_EQ(WriteModel(Refitted(*old, *other, 1, Context()), FileFormat::kJson),
            WriteModel(old->GetModel(), FileFormat::kJson));
  Booster refreshed(*old);
  refreshed.SetParams({{"process_type", "update"}, {"updater", "refresh"}});
  for (int i = 0; i < 3; ++i) refreshed.Update(other);
  Model const fresh = Refitted(*old, *other, 0, Context());
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_EQ(fresh.trees[t]->value, refreshed.Snapshot()->GetModel().trees[t]->value) << t;
  }
}

TEST(Refitting, MixesBySharesOfTheDecay) {
  auto const other = Training(120);
  auto const old = Trained({}, Training(), 1).Snapshot();
  Tree const& before = *old->GetModel().trees[0];
  Model const fresh = Refitted(*old, *other, 0, Context()), mixed = Refitted(*old, *other, 0.75, Context());
  for (std::size_t i = 0; i < before.Size(); ++i) {
    EXPECT_NEAR(mixed.trees[0]->value[i], 0.75F * before.value[i] + 0.25F * fresh.trees[0]->value[i], 1e-6F) << i;
  }
  EXPECT_EQ(mixed.trees[0]->cover, before.cover);
}

TEST(Refitting, RefusesWhatHasNoLeavesToFit) {
  auto const data = Training();
  EXPECT_THROW(Refitted(*Trained({{"booster", "gblinear"}}, data, 1).Snapshot(), *data, 0.5, Context()), ParamError);
  EXPECT_THROW(Refitted(*Booster().Snapshot(), *data, 0.5, Context()), ParamError);
  auto const trees = Trained({}, data, 1).Snapshot();
  for (double const bad : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(Refitted(*trees, *data, bad, Context()), ParamError);
  }
}

TEST(RollBack, UndoesARound) {
  auto const data = Training();
  Booster booster = Trained({}, data, 3);
  booster.EditTrees(&RollBack);
  EXPECT_EQ(BytesOf(booster), BytesOf(Trained({}, data, 2)));
  booster.Update(data);
  EXPECT_EQ(BytesOf(booster), BytesOf(Trained({}, data, 3)));
}

TEST(RollBack, UndoesWhatTheObjectiveLearned) {
  auto const plain = Training();
  Meta meta = plain->Info();
  meta.group_begin = {0, 100, 250, 400};
  auto const data = std::make_shared<DMatrix const>(plain->Features(), meta);
  Booster::Pairs const params{{"objective", "rank:ndcg"}, {"lambdarank_unbiased", "1"}};
  Booster booster = Trained(params, data, 4);
  for (int left : {3, 2}) {
    booster.EditTrees(&RollBack);
    EXPECT_EQ(BytesOf(booster), BytesOf(Trained(params, data, left)));
  }
  booster.Update(data);
  EXPECT_EQ(BytesOf(booster), BytesOf(Trained(params, data, 3)));
  for (int i = 0; i < 3; ++i) booster.EditTrees(&RollBack);
  EXPECT_TRUE(booster.Snapshot()->GetModel().objective_state.empty());
}

TEST(RollBack, IsRefusedWhereTheRoundChangedMore) {
  Model dart = Trained({{"booster", "dart"}, {"rate_drop", "1"}}, Training(), 2).Snapshot()->GetModel();
  EXPECT_THROW(RollBack(&dart), ParamError);
  Model linear = Trained({{"booster", "gblinear"}}, Training(), 2).Snapshot()->GetModel();
  EXPECT_THROW(RollBack(&linear), ParamError);
  Model empty;
  EXPECT_THROW(RollBack(&empty), ParamError);
}

TEST(SetLeaf, ChangesPredictionsAndMetrics) {
  auto const data = Training();
  Booster booster = Trained({}, data, 1);
  double const before = booster.Evaluate(data)[0].second;
  NodeId const leaf = booster.Snapshot()->Leaves(*data, {}, {}).values[0];
  booster.EditTrees([&](Model* model) { SetLeaf(model, 0, leaf, {9.0F}); });
  EXPECT_NEAR(booster.Predict(*data, PredictionKind::kMargin, {0, 1}).values[0], 9.5F, 0.6F);
  EXPECT_GT(booster.Evaluate(data)[0].second, before);
}

TEST(SetLeaf, RefusesWhatIsNoLeafOrNoNumber) {
  Model model = Trained({}, Training(), 1).Snapshot()->GetModel();
  auto const leaf = static_cast<NodeId>(model.trees[0]->Size() - 1);
  EXPECT_THROW(SetLeaf(&model, 1, leaf, {1}), ParamError);
  EXPECT_THROW(SetLeaf(&model, 0, 0, {1}), ParamError);
  EXPECT_THROW(SetLeaf(&model, 0, 9999, {1}), ParamError);
  EXPECT_THROW(SetLeaf(&model, 0, leaf, {1, 2}), ParamError);
  EXPECT_THROW(SetLeaf(&model, 0, leaf, {std::numeric_limits<float>::infinity()}), ParamError);
}

}  // namespace
}  // namespace xgbl
