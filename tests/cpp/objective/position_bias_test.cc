// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "objective/objective.h"
#include "sample_meta.h"

namespace xgbl {
namespace {

ParamMap const kUnbiased{{"lambdarank_unbiased", "1"}};

Meta Clicks(std::size_t rows) {
  auto labels = Uniform(rows, 0, 2, 5);
  for (float& label : labels) label = std::floor(label);
  Meta meta = MetaOf(std::move(labels));
  for (std::size_t begin = 0; begin < rows; begin += 20) meta.group_begin.push_back(static_cast<std::uint32_t>(begin));
  meta.group_begin.push_back(static_cast<std::uint32_t>(rows));
  return meta;
}

Gradients Round(ObjectiveState* state, ParamMap params = kUnbiased, Context const& ctx = {}, std::size_t rows = 9000) {
  params.insert(kUnbiased.begin(), kUnbiased.end());
  auto const margins = MatrixOf(Uniform(rows, -1, 1, 8));
  Gradients out;
  MakeObjective("rank:pairwise", params)->Gradient({margins.View(), Clicks(rows), ctx, 0, state}, &out);
  return out;
}

TEST(PositionBias, StartsAtOneAndIsThenDividedBy) {
  ObjectiveState state;
  auto const first = Round(&state), second = Round(&state);
  ObjectiveState none;
  EXPECT_EQ(Round(&none).gradient.values, first.gradient.values);
  EXPECT_NE(first.gradient.values, second.gradient.values);
  ASSERT_EQ(state.at("ti+").size(), 32U);
  EXPECT_EQ(state.at("ti+")[0], 1.0F);
  EXPECT_EQ(state.at("tj-")[0], 1.0F);
  EXPECT_EQ(state.at("ti+")[20], 0.0F);  // no query is that long
}

TEST(PositionBias, WithoutStateNothingIsLearned) {
  EXPECT_EQ(Round(nullptr).gradient.values, Round(nullptr, {{"lambdarank_unbiased", "0"}}).gradient.values);
}

TEST(PositionBias, DoesNotDependOnThreadsOrInstructionSet) {
  ObjectiveState expected;
  Round(&expected);
  auto const gradients = Round(&expected);
  for (auto const& ctx : AllContexts()) {
    ObjectiveState state;
    Round(&state, {}, ctx);
    EXPECT_EQ(Round(&state, {}, ctx).gradient.values, gradients.gradient.values);
    EXPECT_EQ(state, expected);
  }
}

TEST(PositionBias, OrderOfQueriesDoesNotMatter) {
  std::size_t const rows = 9000;
  auto const margins = MatrixOf(Uniform(rows, -1, 1, 8));
  Meta meta = Clicks(rows);
  auto const labels = meta.labels;
  ObjectiveState expected;
  Gradients out;
  auto const objective = MakeObjective("rank:ndcg", kUnbiased);
  objective->Gradient({margins.View(), meta, {}, 0, &expected}, &out);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    auto const order = Shuffled(rows, seed, 20);
    meta.labels = Rows(labels, order);
    ObjectiveState state;
    objective->Gradient({Rows(margins, order).View(), meta, {}, 0, &state}, &out);
    EXPECT_EQ(state, expected);
  }
}

TEST(PositionBias, NormPullsItToOne) {
  ObjectiveState weak, strong;
  Round(&weak, {{"lambdarank_bias_norm", "0"}});
  Round(&strong, {{"lambdarank_bias_norm", "3"}});
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(std::pow(strong["ti+"][i], 4), weak["ti+"][i], 1e-5);
}

TEST(PositionBias, ForeignStatesAreCutOrFilledUp) {
  for (std::vector<float> const& biases : {std::vector<float>{}, {1, 2}, std::vector<float>(100, 0.5F)}) {
    ObjectiveState state{{"ti+", biases}};
    Round(&state);
    EXPECT_EQ(state.at("ti+").size(), 32U);
  }
  float const nan = std::nanf("");
  ObjectiveState bad{{"ti+", {nan, HUGE_VALF, -1, 0, 1e-45F}}, {"tj-", {nan}}};
  for (float const gradient : Round(&bad).gradient.values) EXPECT_TRUE(std::isfinite(gradient));
}

TEST(PositionBias, TracksNoMorePositionsThanPairsOrQueriesHave) {
  ObjectiveState few, mean;
  Round(&few, {{"lambdarank_num_pair_per_sample", "3"}});
  Round(&mean, {{"lambdarank_pair_method", "mean"}});
  EXPECT_EQ(few.at("ti+").size(), 3U);
  EXPECT_EQ(mean.at("ti+").size(), 20U);
  ObjectiveState huge;
  Round(&huge, {{"lambdarank_num_pair_per_sample", "4000000000"}}, {}, 40);
  EXPECT_EQ(huge.at("ti+").size(), 32U);
}

TEST(PositionBias, NoClicksLearnNothing) {
  auto const objective = MakeObjective("rank:pairwise", kUnbiased);
  Gradients out;
  ObjectiveState state, empty;
  objective->Gradient({MatrixOf({1, 2}).View(), MetaOf({0, 0}), {}, 0, &state}, &out);
  EXPECT_EQ(state.at("ti+"), std::vector<float>(32, 1));
  objective->Gradient({MatrixOf({}).View(), MetaOf({}), {}, 0, &empty}, &out);
  EXPECT_EQ(empty.at("tj-"), std::vector<float>(32, 1));
}

}  // namespace
}  // namespace xgbl
