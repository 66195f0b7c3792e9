// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "metric/metric.h"
#include "sample_meta.h"

namespace xgbl {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A row of each kind: an event, censored from the right, from the left, from both sides.
Meta Bounds(std::vector<float> weights = {}) {
  Meta meta;
  meta.label_lower = {2, 3, 0, 1};
  meta.label_upper = {2, kInfinity, 4, 5};
  meta.weights = std::move(weights);
  return meta;
}

std::vector<float> const kLogTimes{0.5F, 1.0F, 1.5F, 2.0F};

double Score(std::string const& name, std::vector<float> const& predictions, Meta const& meta,
             ParamMap const& params = {}) {
  return MakeMetric(name, params)->Evaluate(MatrixOf(predictions).View(), meta, {});
}

TEST(AftMetric, IsTheMeanOfTheLosses) {
  auto const below = [](double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; };
  double const z = std::log(2.0) - 0.5;
  double const event = z * z / 2 + std::log(std::sqrt(2 * std::acos(-1.0)) * 2);
  double const right = -std::log(1 - below(std::log(3.0) - 1)), left = -std::log(below(std::log(4.0) - 1.5));
  double const both = -std::log(below(std::log(5.0) - 2) - below(-2));
  EXPECT_NEAR(Score("aft-nloglik", kLogTimes, Bounds()), (event + right + left + both) / 4, 1e-12);
  EXPECT_NEAR(Score("aft-nloglik", kLogTimes, Bounds({2, 1, 0, 1})), (2 * event + right + both) / 4, 1e-12);
}

TEST(AftMetric, TakesTheDistributionOfTheObjective) {
  ParamMap const params{{"aft_loss_distribution", "logistic"}, {"aft_loss_distribution_scale", "2"}};
  Meta meta;
  meta.label_lower = {3};
  meta.label_upper = {kInfinity};
  double const below = 1 / (1 + std::exp(-(std::log(3.0) - 1) / 2));
  EXPECT_NEAR(Score("aft-nloglik", {1}, meta, params), -std::log(1 - below), 1e-12);
}

TEST(AftMetric, ImprobableRowsCountAsMuchAsChancesOfOneInATrillion) {
  EXPECT_NEAR(Score("aft-nloglik", {1e30F, -1e30F, 1e30F, -500}, Bounds()), std::log(1e12), 1e-9);
}

TEST(AftMetric, NeedsBoundsAndNoLabels) {
  EXPECT_FALSE(MakeMetric("aft-nloglik", {})->NeedsLabels());
  EXPECT_THROW(Score("aft-nloglik", {1, 2}, MetaOf({1, 2})), DataError);
  Meta bad = Bounds();
  bad.label_lower[1] = -3;
  EXPECT_THROW(Score("aft-nloglik", kLogTimes, bad), DataError);
}

TEST(IntervalAccuracy, IsTheShareOfTimesWithinTheBounds) {
  std::vector<float> const predictions{0, 2, 1, 3};  // no, yes, yes, no
  EXPECT_EQ(Score("interval-regression-accuracy", predictions, Bounds()), 0.5);
  EXPECT_EQ(Score("interval-regression-accuracy", predictions, Bounds({1, 2, 4, 1})), 0.75);
  EXPECT_TRUE(MakeMetric("interval-regression-accuracy", {})->HigherIsBetter());
}

TEST(CoxMetric, IsTheMeanOverEventsWithTiedTimesAtRiskTogether) {
  std::vector<float> const hazards{1, 2, 3, 4};
  double const expected = (std::log(10.0 / 1) + std::log(9.0 / 2) + std::log(9.0 / 4)) / 3;
  EXPECT_NEAR(Score("cox-nloglik", hazards, MetaOf({1, 2, -3, 2})), expected, 1e-12);
  EXPECT_NEAR(Score("cox-nloglik", hazards, MetaOf({1, 2, -3, 2}, 1, {9, 1, 1, 1})), expected, 1e-12);
}

TEST(CoxMetric, WithoutEventsIsNan) {
  MessageLog log;
  Context ctx;
  ctx.log = &log;
  EXPECT_TRUE(std::isnan(MakeMetric("cox-nloglik", {})->Evaluate(MatrixOf({1, 2}).View(), MetaOf({-1, 0}), ctx)));
  EXPECT_EQ(log.Take().size(), 1U);
}

}  // namespace
}  // namespace xgbl
