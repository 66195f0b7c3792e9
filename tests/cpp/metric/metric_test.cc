// SPDX-License-Identifier: Apache-2.0
// The reference numbers come from xgboost 3.4.1 and, for auc, scikit-learn, on the same data.
#include "metric/metric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sample_meta.h"

namespace xgbl {
namespace {

double Score(std::string const& name, Matrix<float> const& predictions, Meta const& meta) {
  return MakeMetric(name, {})->Evaluate(predictions.View(), meta, {});
}

double Score(std::string const& name, std::vector<float> predictions, std::vector<float> labels) {
  return Score(name, MatrixOf(std::move(predictions)), MetaOf(std::move(labels)));
}

std::vector<float> Below(std::vector<float> values, float threshold) {
  for (float& value : values) value = value < threshold ? 1.0F : 0.0F;
  return values;
}

std::vector<float> Floors(std::vector<float> values, float scale = 1) {
  for (float& value : values) value = std::floor(value * scale) / scale;
  return values;
}

constexpr std::size_t kRows = 200;
std::vector<float> Weights() { return Uniform(kRows, 0, 3, 3); }
std::vector<float> Binary() { return Below(Uniform(kRows, 0, 1, 2), 0.4F); }
std::vector<float> Probabilities() { return Uniform(kRows, 0, 1, 1); }

struct Reference {
  char const* metric;
  double plain;
  double weighted;
};

TEST(Metric, NamesOfOtherLibrariesLeadToOneHere) {
  auto const& registry = Registry<Metric>::Get();
  std::set<std::string> all;
  for (auto const& [name, entry] : registry.Entries()) {
    for (auto const& elsewhere : entry.elsewhere) {
      EXPECT_EQ(registry.Find(elsewhere), nullptr) << elsewhere;
      EXPECT_TRUE(all.insert(elsewhere).second) << elsewhere << " is said of two";
      EXPECT_EQ(Lowered(elsewhere), elsewhere);
    }
  }
  EXPECT_FALSE(all.empty());
}

TEST(Metric, MatchesTheReferenceOnOneTarget) {
  for (Reference const& expected : {Reference{"rmse", 0.6125970509683577, 0.61364208957855},
                                    {"mae", 0.5379830909054726, 0.539849555218321},
                                    {"logloss", 1.0935222471645103, 1.0909309772304943},
                                    {"error", 0.57, 0.5757967137544727},
                                    {"error@0.7", 0.5, 0.5066452126819154},
                                    {"auc", 0.42006432202510635, 0.41070358432776566}}) {
    auto const predictions = MatrixOf(Probabilities());
    double const tolerance = expected.metric == std::string("auc") ? 1e-9 : 1e-6;
    EXPECT_NEAR(Score(expected.metric, predictions, MetaOf(Binary())), expected.plain, tolerance);
    EXPECT_NEAR(Score(expected.metric, predictions, MetaOf(Binary(), 1, Weights())), expected.weighted, tolerance);
  }
}

TEST(Metric, MatchesTheReferenceOnTwoTargets) {
  auto const labels = Below(Uniform(2 * kRows, 0, 1, 6), 0.5F);
  auto const predictions = MatrixOf(Uniform(2 * kRows, 0, 1, 8), 2);
  for (Reference const& expected : {Reference{"rmse", 0.5595979412677429, 0.5736442429850139},
                                    {"mae", 0.48123819710221144, 0.4968159276072493},
                                    {"logloss", 0.9231721269577975, 0.9818996001854834},
                                    {"error", 0.4575, 0.47256634028160344},
                                    {"auc", 0.5367842058953168, 0.5052345180940649}}) {
    EXPECT_NEAR(Score(expected.metric, predictions, MetaOf(labels, 2)), expected.plain, 1e-6);
    EXPECT_NEAR(Score(expected.metric, predictions, MetaOf(labels, 2, Weights())), expected.weighted, 1e-6);
  }
}

TEST(Metric, MatchesTheReferenceOnThreeClasses) {
  auto const labels = Floors(Uniform(kRows, 0, 3, 5));
  auto const predictions = MatrixOf(Uniform(3 * kRows, 0.01, 1, 4), 3);
  for (Reference const& expected : {Reference{"mlogloss", 0.9495042224734789, 1.0113111928047847},
                                    {"merror", 0.69, 0.7199193887064141},
                                    {"auc", 0.4923205797351873, 0.474042468703071}}) {
    EXPECT_NEAR(Score(expected.metric, predictions, MetaOf(labels)), expected.plain, 1e-6);
    EXPECT_NEAR(Score(expected.metric, predictions, MetaOf(labels, 1, Weights())), expected.weighted, 1e-6);
  }
}

TEST(Auc, CountsTiesAsHalf) {
  auto const rounded = MatrixOf(Floors(Probabilities(), 10));
  EXPECT_NEAR(Score("auc", rounded, MetaOf(Binary())), 0.4272227409482311, 1e-9);
  EXPECT_NEAR(Score("auc", rounded, MetaOf(Binary(), 1, Weights())), 0.41421165794119796, 1e-9);
  EXPECT_EQ(Score("auc", {0.5F, 0.5F, 0.5F, 0.5F}, {0, 1, 1, 0}), 0.5);
  EXPECT_EQ(Score("auc", {0.0F, -0.0F}, {0, 1}), 0.5);
}

TEST(Auc, OfQueryGroupsIsTheMeanOfThoseWithThreeRows) {
  Meta meta = MetaOf(Floors(Uniform(kRows, 0, 5, 9)));
  meta.group_begin = {0, 50, 52, 152, 200};
  EXPECT_NEAR(Score("auc", MatrixOf(Floors(Probabilities(), 10)), meta), 0.4447704721260952, 1e-9);
}

TEST(Auc, RanksInfinitiesAndDenormals) {
  EXPECT_EQ(Score("auc", {-HUGE_VALF, -1, 0, 1e-45F, HUGE_VALF}, {0, 0, 0, 1, 1}), 1);
  EXPECT_EQ(Score("auc", {HUGE_VALF, 1e-45F, -1e-45F}, {0, 0, 1}), 0);
}

TEST(Auc, IsNanWithAWarningWhereItIsUndefined) {
  Meta small_groups = MetaOf({0, 1, 1, 0});
  small_groups.group_begin = {0, 2, 4};
  Meta const no_positives = MetaOf({0, 0, 0, 0}), no_weight = MetaOf({0, 1, 0, 0}, 1, {1, 0, 1, 1});
  for (Meta const& meta : {small_groups, no_positives, no_weight}) {
    MessageLog log;
    Context ctx;
    ctx.log = &log;
    EXPECT_TRUE(std::isnan(MakeMetric("auc", {})->Evaluate(MatrixOf({0.1F, 0.2F, 0.3F, 0.4F}).View(), meta, ctx)));
    EXPECT_EQ(log.Take().size(), 1U);
  }
  EXPECT_TRUE(std::isnan(Score("auc", {0.1F, std::nanf("")}, {0, 1})));
}

TEST(Metric, BoundsTheCostOfACertainMistake) {
  EXPECT_NEAR(Score("logloss", {0, 1}, {1, 0}), 36.84136199951172, 1e-5);
  EXPECT_EQ(Score("logloss", {1, 0}, {1, 0}), 0);
  EXPECT_NEAR(Score("mlogloss", MatrixOf({0, 1}, 2), MetaOf({0})), 36.84136199951172, 1e-5);
}

TEST(Metric, NanPredictionsAreNotHidden) {
  for (char const* name : {"rmse", "mae", "logloss"}) {
    EXPECT_TRUE(std::isnan(Score(name, {std::nanf(""), 0.5F}, {1, 0}))) << name;
  }
  EXPECT_TRUE(std::isnan(Score("mlogloss", MatrixOf({std::nanf(""), 1}, 2), MetaOf({0}))));
}

TEST(Metric, HugeErrorsDoNotOverflow) { EXPECT_NEAR(Score("rmse", {1e30F}, {0}) / 1e30, 1, 1e-6); }

TEST(Metric, NoWeightAtAllIsZero) {
  for (char const* name : {"rmse", "mae", "logloss", "error"}) {
    EXPECT_EQ(Score(name, MatrixOf({0.3F, 0.6F}), MetaOf({0, 1}, 1, {0, 0})), 0) << name;
  }
}

TEST(Metric, NamesAreChecked) {
  EXPECT_THROW(MakeMetric("rsme", {}), ParamError);
  EXPECT_THROW(MakeMetric("", {}), ParamError);
  for (char const* bad : {"error@", "error@x", "error@0.5x", "rmse@3", "auc@2", "@", "@0.5"}) {
    EXPECT_THROW(MakeMetric(bad, {}), ParamError) << bad;
  }
  EXPECT_EQ(MakeMetric("error@1e-3", {})->Evaluate(MatrixOf({0.002F}).View(), MetaOf({0}), {}), 1);
}

TEST(Metric, LabelsThatItIsNotDefinedOnAreRefused) {
  auto const three = MatrixOf({0.2F, 0.3F, 0.5F}, 3);
  for (char const* name : {"mlogloss", "merror", "auc"}) {
    for (float const bad : {3.0F, -1.0F, 0.5F, std::nanf("")}) {
      EXPECT_THROW(Score(name, three, MetaOf({bad})), DataError) << name << bad;
    }
  }
  EXPECT_THROW(Score("auc", {0.1F, 0.2F}, {0, 2}), DataError);
  EXPECT_THROW(Score("mlogloss", MatrixOf({0.2F, 0.8F}, 2), MetaOf({0, 1}, 2)), DataError);
}

}  // namespace
}  // namespace xgbl
