// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "boost/training.h"

namespace xgbl {
namespace {

Booster::Pairs Linear(Booster::Pairs more = {}) {
  more.emplace_back("booster", "gblinear");
  return more;
}

std::vector<float> WeightsOf(Booster const& booster) { return booster.Snapshot()->GetModel().linear->weights; }

Booster::Data Labelled(FeatureMatrix features, std::vector<float> labels, std::size_t targets = 1) {
  Meta meta;
  meta.labels = Matrix<float>(labels.size() / targets, targets);
  meta.labels.values = std::move(labels);
  return std::make_shared<DMatrix const>(std::move(features), meta);
}

FeatureMatrix Rows(std::vector<std::vector<float>> const& rows) {
  float* cells = nullptr;
  DenseTable const table = NewTable(rows.size(), rows[0].size(), &cells);
  for (auto const& row : rows) cells = std::copy(row.begin(), row.end(), cells);
  return FeatureMatrix(table);
}

FeatureMatrix AsSparse(FeatureMatrix const& dense) {
  SparseRows rows;
  rows.columns = dense.Columns();
  for (std::size_t row = 0; row < dense.Rows(); ++row) {
    dense.ForEachPresent(row, [&](std::size_t column, float value) {
      rows.column.push_back(static_cast<std::uint32_t>(column));
      rows.value.push_back(value);
    });
    rows.row_begin.push_back(rows.column.size());
  }
  return FeatureMatrix(std::move(rows));
}

TEST(GbLinear, FindsTheLeastSquares) {
  auto const data = Labelled(Rows({{0, 1}, {1, 0}, {2, 3}, {3, 1}, {5, 2}}), {-2, 3, -4, 4, 5});  // 1 + 2a - 3b
  std::vector<float> const expected{2, -3, 1};
  auto const weights = WeightsOf(Trained(Linear({{"eta", "1"}, {"base_score", "0"}}), data, 400));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(weights[i], expected[i], 1e-3F) << i;
}

// One feature, squared error: bias first, then the weight, each a Newton step of its own.
TEST(GbLinear, AStepIsThatOfThePenalisedNewton) {
  auto const data = Labelled(Rows({{1}, {2}, {3}}), {1, 2, 6});
  Booster const booster =
      Trained(Linear({{"eta", "1"}, {"base_score", "0"}, {"lambda", "0.5"}, {"alpha", "0.25"}}), data, 1);
  // bias 3; gradients 2, 1, -3 times x: -5; hessian 14; both penalties times 3 rows
  EXPECT_NEAR(WeightsOf(booster)[1], 3, 1e-6);
  EXPECT_NEAR(WeightsOf(booster)[0], (5 - 0.75) / (14 + 1.5), 1e-6);
}

TEST(GbLinear, AStrongL1PenaltyLeavesNothingButTheBias) {
  auto const weights = WeightsOf(Trained(Linear({{"alpha", "10"}}), Training(), 5));
  for (std::size_t i = 0; i + 1 < weights.size(); ++i) EXPECT_EQ(weights[i], 0.0F) << i;
}

TEST(GbLinear, SparseAndDenseDataGiveTheSame) {
  float const gap = kMissing;
  FeatureMatrix const dense = Rows({{1, gap}, {2, 5}, {gap, 4}, {0.5F, 1}, {gap, gap}});
  std::vector<float> const labels{1, 2, 3, 4, 5};
  std::string const bytes = BytesOf(Trained(Linear(), Labelled(dense, labels), 4));
  EXPECT_EQ(BytesOf(Trained(Linear(), Labelled(AsSparse(dense), labels), 4)), bytes);
}

TEST(GbLinear, MissingValuesAddNothing) {
  auto const data = Labelled(Rows({{1}, {2}, {3}}), {2, 4, 6});
  Booster const booster = Trained(Linear({{"base_score", "0"}}), data, 3);
  auto const gap = Labelled(Rows({{kMissing}}), {0});
  EXPECT_EQ(booster.Predict(*gap, PredictionKind::kMargin, {}).values[0], WeightsOf(booster)[1]);
}

TEST(GbLinear, TargetsDoNotInfluenceEachOther) {
  auto const both = Trained(Linear({{"base_score", "0"}}), Training(300, 2), 4);
  auto const one = WeightsOf(Trained(Linear({{"base_score", "0"}}), Training(300), 4)), two = WeightsOf(both);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(two[2 * i], one[i]);
    EXPECT_EQ(two[2 * i + 1], one[i]);
  }
}

TEST(GbLinear, GreedyMovesTheFeatureThatHelpsMost) {
  auto const data = Labelled(Rows({{1, 0}, {0, 9}, {1, 9}, {0, 0}}), {0, 9, 9, 0});
  Booster const booster =
      Trained(Linear({{"updater", "coord_descent"}, {"feature_selector", "greedy"}, {"top_k", "1"}}), data, 1);
  EXPECT_EQ(WeightsOf(booster)[0], 0.0F);
  EXPECT_GT(WeightsOf(booster)[1], 0.1F);
}

TEST(GbLinear, StopsWhenWeightsHardlyMove) {
  auto const data = Training();
  Booster const early = Trained(Linear({{"tolerance", "0.05"}}), data, 30);
  EXPECT_EQ(early.Snapshot()->GetModel().Rounds(), 30U);
  EXPECT_EQ(WeightsOf(early), WeightsOf(Trained(Linear({{"tolerance", "0.05"}}), data, 60)));
  EXPECT_NE(WeightsOf(early), WeightsOf(Trained(Linear(), data, 30)));
}

TEST(GbLinear, RefusesWhatLinearModelsCannotDo) {
  auto const data = Training();
  Booster booster = Trained(Linear(), data, 2);
  EXPECT_THROW(booster.Snapshot()->Leaves(*data, {}, {}), ParamError);
  EXPECT_THROW(booster.Snapshot()->GetModel().Slice(0, 1, 1), ParamError);
  EXPECT_THROW(booster.Predict(*data, PredictionKind::kMargin, {1, 2}), ParamError);
  booster.SetParams({{"booster", "gbtree"}});
  EXPECT_THROW(booster.Update(data), ParamError);
  Booster trees = Trained({}, data, 1);
  trees.SetParams(Linear());
  EXPECT_THROW(trees.Update(data), ParamError);
  EXPECT_THROW(Booster().SetParams(Linear({{"feature_selector", "greedy"}})), ParamError);
  EXPECT_THROW(Booster().SetParams(Linear({{"updater", "grow_colmaker"}})), ParamError);
  EXPECT_THROW(Trained(Linear({{"multi_strategy", "multi_output_tree"}}), data, 1), ParamError);
}

TEST(GbLinear, RefusesCategories) {
  auto const data = Training(20);
  Meta meta = data->Info();
  meta.feature_types = {"float", "c", "float"};
  EXPECT_THROW(Trained(Linear(), std::make_shared<DMatrix const>(data->Features(), meta), 1), DataError);
}

TEST(GbLinear, WeightsBeyondAFloatAreRefused) {
  float const tiny = 1e-38F;
  auto const data = Labelled(Rows({{tiny}, {2 * tiny}}), {1, 2});
  EXPECT_EQ(WeightsOf(Trained(Linear(), data, 1))[0], 0.0F);  // too little curvature to move
  Booster booster;
  booster.SetParams(Linear({{"eta", "1e38"}}));
  EXPECT_THROW(
      {
        for (int i = 0; i < 9; ++i) booster.Update(Labelled(Rows({{1}, {2}}), {1, 2}));
      },
      DataError);
}

TEST(GbLinear, OneColumnMayLackCellsAndAnotherNone) {
  FeatureMatrix const dense = Rows({{1, kMissing}, {2, 5}, {3, 4}});
  auto const params = Linear({{"eta", "1"}, {"base_score", "0"}});
  auto const weights = WeightsOf(Trained(params, Labelled(dense, {1, 7, 2}), 1));
  EXPECT_EQ(WeightsOf(Trained(params, Labelled(AsSparse(dense), {1, 7, 2}), 1)), weights);
  // bias 10 / 3; then 1 / 14 of what is left times the first column; then 1 / 41 of the two cells of the second
  double const bias = 10.0 / 3, first = (1 + 14 + 6 - bias * 6) / 14;
  double const second = (5 * (7 - bias - 2 * first) + 4 * (2 - bias - 3 * first)) / 41;
  EXPECT_NEAR(weights[0], first, 1e-5);
  EXPECT_NEAR(weights[1], second, 1e-5);
  EXPECT_NEAR(weights[2], bias, 1e-5);
}

}  // namespace
}  // namespace xgbl
