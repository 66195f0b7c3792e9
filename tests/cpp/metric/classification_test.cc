// SPDX-License-Identifier: Apache-2.0
// Metrics of predicted classes and ranks, on cases that were worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "metric/metric.h"
#include "sample_meta.h"

namespace xgbl {
namespace {

double Score(std::string const& name, Matrix<float> const& predictions, Meta const& meta) {
  return MakeMetric(name, {})->Evaluate(predictions.View(), meta, {});
}

// Of two classes: 2 true positives, 1 false positive, 1 false negative, 4 true negatives.
double OfTwo(std::string const& name) {
  return Score(name, MatrixOf({0.9F, 0.8F, 0.6F, 0.3F, 0.1F, 0.2F, 0.5F, 0.4F}), MetaOf({1, 1, 0, 1, 0, 0, 0, 0}));
}

// Of three classes, rows by label: 0 is taken for 0, 0, 1; 1 for 1; 2 for 2 and 0.
double OfThree(std::string const& name, std::vector<float> weights = {}) {
  auto const predictions = MatrixOf(
      {0.8F, 0.1F, 0.1F, 0.6F, 0.3F, 0.1F, 0.4F, 0.5F, 0.1F, 0.2F, 0.7F, 0.1F, 0, 0.4F, 0.6F, 0.5F, 0.2F, 0.3F}, 3);
  return Score(name, predictions, MetaOf({0, 0, 0, 1, 2, 2}, 1, std::move(weights)));
}

// Of two targets and four rows, of which some cells have no label.
double OfTargets(std::string const& name) {
  float const none = std::nanf("");
  return Score(name, MatrixOf({0.9F, 0.2F, 0.8F, 0.7F, 0.3F, 0.6F, 0.1F, 0.1F}, 2),
               MetaOf({1, none, 0, 1, 1, 1, none, none}, 2));
}

TEST(Classification, OfTwoClasses) {
  EXPECT_DOUBLE_EQ(OfTwo("accuracy"), 0.75);
  EXPECT_DOUBLE_EQ(OfTwo("hamming"), 0.25);
  EXPECT_DOUBLE_EQ(OfTwo("balanced_accuracy"), (2.0 / 3 + 4.0 / 5) / 2);
  EXPECT_DOUBLE_EQ(OfTwo("f1"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(OfTwo("f1@macro"), (2.0 / 3 + 0.8) / 2);
  EXPECT_DOUBLE_EQ(OfTwo("f1@micro"), 0.75);
  EXPECT_DOUBLE_EQ(OfTwo("f1@weighted"), (3 * 2.0 / 3 + 5 * 0.8) / 8);
  EXPECT_DOUBLE_EQ(OfTwo("mcc"), (2.0 * 4 - 1) / 15);
}

TEST(Classification, OfTwoClassesAtAThreshold) {
  EXPECT_DOUBLE_EQ(OfTwo("accuracy@0.25"), 5.0 / 8);
  EXPECT_DOUBLE_EQ(OfTwo("mcc@0.95"), 0);
  EXPECT_DOUBLE_EQ(OfTwo("balanced_accuracy@0.7"), (2.0 / 3 + 1) / 2);
}

TEST(Classification, OfSeveralClasses) {
  EXPECT_DOUBLE_EQ(OfThree("accuracy"), 4.0 / 6);
  EXPECT_DOUBLE_EQ(OfThree("balanced_accuracy"), (2.0 / 3 + 1 + 0.5) / 3);
  EXPECT_DOUBLE_EQ(OfThree("f1"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(OfThree("f1@weighted"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(OfThree("f1@micro"), 4.0 / 6);
  EXPECT_DOUBLE_EQ(OfThree("mcc"), (4.0 * 6 - 13) / std::sqrt(22.0 * 22));
  EXPECT_DOUBLE_EQ(OfThree("accuracy", {1, 1, 3, 0, 1, 2}), 3.0 / 8);
}

TEST(Classification, WithSeveralTargetsLeavesOutMissingLabels) {
  EXPECT_DOUBLE_EQ(OfTargets("hamming"), 2.0 / 5);
  EXPECT_DOUBLE_EQ(OfTargets("accuracy"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(OfTargets("balanced_accuracy"), (0.25 + 1) / 2);
  EXPECT_DOUBLE_EQ(OfTargets("f1"), (0.5 + 1) / 2);
  EXPECT_DOUBLE_EQ(OfTargets("f1@micro"), 2.0 * 3 / (4 + 4));
}

TEST(Classification, ErrorAtTopKCountsTiesAsLarger) {
  EXPECT_DOUBLE_EQ(OfThree("merror@1"), 2.0 / 6);
  EXPECT_DOUBLE_EQ(OfThree("merror@2"), 0);
  auto const equal = MatrixOf({0.4F, 0.4F, 0.2F}, 3);
  EXPECT_EQ(Score("merror", equal, MetaOf({0})), 0);
  EXPECT_EQ(Score("merror@1", equal, MetaOf({0})), 1);
  EXPECT_EQ(Score("merror@2", equal, MetaOf({0})), 0);
  EXPECT_EQ(Score("merror@9", equal, MetaOf({2})), 0);
}

TEST(Classification, BrierScoreSumsOverClasses) {
  EXPECT_NEAR(Score("brier", MatrixOf({0.9F, 0.3F}), MetaOf({1, 0})), (0.01 + 0.09) / 2, 1e-8);
  EXPECT_NEAR(Score("brier", MatrixOf({0.5F, 0.3F, 0.2F}, 3), MetaOf({1})), 0.25 + 0.49 + 0.04, 1e-7);
}

TEST(Classification, AveragePrecisionTakesTiesTogether) {
  auto const predictions = MatrixOf({0.9F, 0.7F, 0.7F, 0.1F});
  EXPECT_DOUBLE_EQ(Score("average_precision", predictions, MetaOf({1, 1, 0, 0})), 0.5 * 1 + 0.5 * 2 / 3);
  EXPECT_DOUBLE_EQ(Score("average_precision", predictions, MetaOf({0, 0, 1, 1}, 1, {2, 0, 1, 3})),
                   0.25 / 3 + 0.75 * 4 / 6);
}

TEST(Classification, AreaUnderPrecisionAndRecallFollowsTheHyperbola) {
  EXPECT_DOUBLE_EQ(Score("aucpr", MatrixOf({0.9F, 0.8F, 0.1F}), MetaOf({1, 1, 0})), 1);
  EXPECT_NEAR(Score("aucpr", MatrixOf({0.5F, 0.5F, 0.5F, 0.5F}), MetaOf({1, 0, 0, 0})), 0.25, 1e-15);
  // One negative first: precision t / (t + 1) over the whole of one positive.
  EXPECT_NEAR(Score("aucpr", MatrixOf({0.9F, 0.5F}), MetaOf({0, 1})), 1 - std::log(2), 1e-15);
}

TEST(Classification, AucMuIsTheMeanOverPairsOfClasses) {
  auto const margins = MatrixOf({2, 0, 0, 0, 1, 0, 1, 0, 3, 0, 0, 0}, 3);
  // 0 and 1: 2 against -1, 0; 0 and 2: 2 against -2; 1 and 2: 1, 0 against -3.
  EXPECT_EQ(Score("auc_mu", margins, MetaOf({0, 1, 2, 1})), 1);
  // 0 and 1: 2, 0 against -1; 0 and 2: 2, 0 against -2.
  EXPECT_EQ(Score("auc_mu", margins, MetaOf({0, 1, 2, 0})), 1);
  // 0 and 1: -1 against 2; 0 and 2: 0 against -2, 0; 1 and 2: 0 against -3, 0.
  EXPECT_EQ(Score("auc_mu", margins, MetaOf({1, 0, 2, 2})), (0 + 0.75 + 0.75) / 3);
}

TEST(Classification, NanPredictionsAreNotHidden) {
  for (char const* name : {"accuracy", "hamming", "balanced_accuracy", "f1", "mcc", "auc", "aucpr", "ams"}) {
    EXPECT_TRUE(std::isnan(Score(name, MatrixOf({std::nanf(""), 0.5F}), MetaOf({1, 0})))) << name;
  }
}

TEST(Classification, WrongLabelsAndArgumentsAreRefused) {
  for (char const* name : {"accuracy", "hamming", "balanced_accuracy", "f1", "mcc"}) {
    EXPECT_THROW(Score(name, MatrixOf({0.5F}), MetaOf({0.5F})), DataError) << name;
    EXPECT_THROW(Score(name, MatrixOf({0.5F}), MetaOf({std::nanf("")})), DataError) << name;
    EXPECT_THROW(Score(name, MatrixOf({0.5F, 0.5F, 0.5F}, 3), MetaOf({3})), DataError) << name;
  }
  EXPECT_THROW(Score("auc_mu", MatrixOf({0.5F, 0.4F}), MetaOf({0, 1})), DataError);
  for (char const* bad : {"f1@0.5", "mcc@x", "merror@0", "merror@1.5", "average_precision@1", "ams@2", "ams@x"}) {
    EXPECT_THROW(MakeMetric(bad, {}), ParamError) << bad;
  }
}

}  // namespace
}  // namespace xgbl
