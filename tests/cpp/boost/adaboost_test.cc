// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "boost/training.h"

namespace xgbl {
namespace {

Booster::Pairs AdaBoost(Booster::Pairs more = {}) {
  for (auto const& pair : Booster::Pairs{{"booster", "adaboost"},
                                         {"objective", "binary:logistic"},
                                         {"eta", "1"},
                                         {"lambda", "0"},
                                         {"min_child_weight", "0"},
                                         {"max_depth", "1"}}) {
    more.push_back(pair);
  }
  return more;
}

// One feature 0, 1, 2, …
Booster::Data Line(std::vector<float> labels, std::vector<float> weights = {}) {
  float* cells = nullptr;
  DenseTable const table = NewTable(labels.size(), 1, &cells);
  for (std::size_t i = 0; i < labels.size(); ++i) cells[i] = static_cast<float>(i);
  Meta meta;
  meta.labels = Matrix<float>(labels.size(), 1);
  meta.labels.values = std::move(labels);
  meta.weights = std::move(weights);
  return std::make_shared<DMatrix const>(FeatureMatrix(table), meta);
}

std::vector<float> VotesOf(Booster const& booster, std::size_t tree) {
  return booster.Snapshot()->GetModel().trees[tree]->value;
}

TEST(AdaBoost, AVoteCountsTheLogOddsOfBeingRight) {
  Booster const booster = Trained(AdaBoost(), Line({0, 0, 0, 1, 0, 1, 1, 1}), 1);
  auto const vote = static_cast<float>(std::log(7.0));  // one of eight is wrong
  EXPECT_NEAR(VotesOf(booster, 0)[1], -vote, 1e-5F);
  EXPECT_NEAR(VotesOf(booster, 0)[2], vote, 1e-5F);
}

// After a round the rows that were wrong weigh as much as all the others: the textbook's update of weights.
TEST(AdaBoost, TheNextTreeSeesTheMistakes) {
  Booster const booster = Trained(AdaBoost({{"min_child_weight", "0"}}), Line({0, 0, 0, 1, 0, 1, 1, 1}), 1);
  std::vector<float> weights(8, 1.0F);
  auto const margins = booster.Predict(*Line(std::vector<float>(8, 0)), PredictionKind::kMargin, {}).values;
  std::vector<float> const labels{0, 0, 0, 1, 0, 1, 1, 1};
  for (std::size_t i = 0; i < 8; ++i) weights[i] = (margins[i] > 0) == (labels[i] > 0) ? 1.0F : 7.0F;
  Booster const fresh = Trained(AdaBoost(), Line(labels, weights), 1);
  Booster const second = Trained(AdaBoost(), Line(labels), 2);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(VotesOf(second, 1)[i], VotesOf(fresh, 0)[i], 1e-4F) << i;
}

TEST(AdaBoost, TheLearningRateScalesTheVote) {
  auto const data = Line({0, 0, 0, 1, 0, 1, 1, 1});
  Booster::Pairs params = AdaBoost();
  float const whole = VotesOf(Trained(params, data, 1), 0)[2];
  params.emplace_back("eta", "0.5");
  EXPECT_NEAR(VotesOf(Trained(params, data, 1), 0)[2], whole / 2, 1e-6F);
}

TEST(AdaBoost, StaysFiniteWithoutMistakes) {
  Booster const booster = Trained(AdaBoost(), Line({0, 0, 1, 1}), 200);
  for (float const margin : booster.Predict(*Line({0, 0, 1, 1}), PredictionKind::kMargin, {}).values) {
    EXPECT_TRUE(std::isfinite(margin));
    EXPECT_GT(std::fabs(margin), 20.0F);
  }
}

TEST(AdaBoost, TreesThatGuessAddNothing) {
  float* cells = nullptr;
  DenseTable const table = NewTable(4, 1, &cells);
  std::fill(cells, cells + 4, 1.0F);
  Meta meta;
  meta.labels = Matrix<float>(4, 1);
  meta.labels.values = {0, 1, 0, 1};
  Booster const booster = Trained(AdaBoost(), std::make_shared<DMatrix const>(FeatureMatrix(table), meta), 3);
  EXPECT_EQ(VotesOf(booster, 2), std::vector<float>{0.0F});
}

TEST(AdaBoost, RefusesWhatItIsNotDefinedFor) {
  auto const data = Line({0, 1, 0, 1});
  EXPECT_THROW(Trained({{"booster", "adaboost"}}, data, 1), ParamError);  // squared error
  EXPECT_THROW(Trained(AdaBoost({{"num_parallel_tree", "2"}}), data, 1), ParamError);
  EXPECT_THROW(Trained(AdaBoost(), Line({0, 0.5F}), 1), DataError);
  EXPECT_THROW(Trained(AdaBoost(), Line({0, 1}, {0, 0}), 1), DataError);
  Booster booster;
  booster.SetParams(AdaBoost());
  Gradients gradients;
  gradients.Resize(4, 1);
  EXPECT_THROW(booster.Boost(data, gradients.View()), ParamError);
}

}  // namespace
}  // namespace xgbl
