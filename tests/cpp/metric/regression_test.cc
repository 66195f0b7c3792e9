// SPDX-License-Identifier: Apache-2.0
// Metrics of numbers, on cases that were worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "metric/metric.h"
#include "sample_meta.h"

namespace xgbl {
namespace {

double Score(std::string const& name, std::vector<float> predictions, std::vector<float> labels,
             ParamMap const& params = {}, std::size_t targets = 1) {
  auto const cells = MatrixOf(std::move(predictions), targets);
  return MakeMetric(name, params)->Evaluate(cells.View(), MetaOf(std::move(labels), targets), {});
}

TEST(Regression, DistancesOfLogarithmsAndShares) {
  EXPECT_NEAR(Score("rmsle", {std::exp(2.0F) - 1, 3}, {std::exp(1.0F) - 1, 3}), std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(Score("mape", {3, -1}, {4, -2}), (0.25 + 0.5) / 2, 1e-12);
  EXPECT_EQ(Score("mape", {1}, {0}), HUGE_VAL);
}

TEST(Regression, PseudoHuberHasASlope) {
  EXPECT_NEAR(Score("mphe", {4}, {1}), std::sqrt(10.0) - 1, 1e-12);
  EXPECT_NEAR(Score("mphe", {4}, {1}, {{"huber_slope", "2"}}), 4 * (std::sqrt(1 + 2.25) - 1), 1e-12);
  EXPECT_NEAR(Score("mphe", {1e-10F}, {0}), 5e-21, 1e-26);
}

TEST(Regression, LikelihoodsOfCountsAndAmounts) {
  EXPECT_NEAR(Score("poisson-nloglik", {2}, {3}), std::log(6) + 2 - 3 * std::log(2), 1e-6);
  EXPECT_NEAR(Score("poisson-nloglik", {40}, {50}), std::lgamma(51) + 40 - 50 * std::log(40), 1e-5);
  EXPECT_NEAR(Score("poisson-nloglik", {1}, {0.5F}), std::lgamma(1.5) + 1, 1e-6);
  EXPECT_NEAR(Score("gamma-nloglik", {2}, {3}), 1.5 + std::log(2), 1e-6);
  EXPECT_NEAR(Score("gamma-deviance", {2}, {3}), 2 * (std::log(2.0 / 3) + 0.5), 1e-5);
}

TEST(Regression, TweedieTakesItsPowerFromNameOrParameters) {
  double const at_three_halves = 2 * std::sqrt(2.0) + 2 * 3 / std::sqrt(2.0);
  EXPECT_NEAR(Score("tweedie-nloglik", {2}, {3}), at_three_halves, 1e-6);
  EXPECT_NEAR(Score("tweedie-nloglik@1.5", {2}, {3}, {{"tweedie_variance_power", "1.2"}}), at_three_halves, 1e-6);
  double const expected = std::pow(2, 0.8) / 0.8 + 3 * std::pow(2, -0.2) / 0.2;
  EXPECT_NEAR(Score("tweedie-nloglik", {2}, {3}, {{"tweedie_variance_power", "1.2"}}), expected, 1e-6);
}

TEST(Regression, R2IsTheMeanOverTargets) {
  EXPECT_NEAR(Score("r2", {1, 2, 4}, {1, 2, 3}), 0.5, 1e-12);
  EXPECT_EQ(Score("r2", {1, 5, 2, 5}, {1, 5, 2, 5}, {}, 2), 1);
  EXPECT_EQ(Score("r2", {1, 5, 2, 6}, {1, 5, 2, 5}, {}, 2), 0.5);
  float const none = std::nanf("");
  EXPECT_NEAR(Score("r2", {1, 0, 2, 1, 4, 0}, {1, 0, 2, 1, 3, none}, {}, 2), 0.75, 1e-12);
  EXPECT_TRUE(std::isnan(Score("r2", {1}, {1})));
}

TEST(Regression, PinballComparesThePredictionsOfItsQuantile) {
  EXPECT_NEAR(Score("pinball", {1}, {3}), 1, 1e-12);
  EXPECT_NEAR(Score("pinball@0.9", {1, 4}, {3, 3}), (1.8 + 0.1) / 2, 1e-6);
  ParamMap const three{{"quantile_alpha", "[0.1, 0.5, 0.9]"}};
  auto const cells = MatrixOf({0, 1, 2}, 3);
  EXPECT_NEAR(MakeMetric("pinball@0.9", three)->Evaluate(cells.View(), MetaOf({3}), {}), 0.9, 1e-6);
  EXPECT_NEAR(MakeMetric("pinball@0.1", three)->Evaluate(cells.View(), MetaOf({3}), {}), 0.3, 1e-6);
  EXPECT_THROW(MakeMetric("pinball@0.2", three)->Evaluate(cells.View(), MetaOf({3}), {}), ParamError);
}

TEST(Regression, AmsOfAShareCountsTiesInPart) {
  auto const significance = [](double s, double b) { return std::sqrt(2 * ((s + b) * std::log1p(s / b) - s)); };
  EXPECT_NEAR(Score("ams@0.5", {4, 3, 2, 1}, {1, 0, 1, 0}), significance(1, 11), 1e-12);
  EXPECT_NEAR(Score("ams@0.5", {4, 3, 3, 3}, {1, 0, 1, 0}), significance(4.0 / 3, 10 + 2.0 / 3), 1e-12);
  EXPECT_NEAR(Score("ams", {4, 3, 2, 1}, {1, 1, 0, 1}), significance(2, 10), 1e-12);
}

TEST(Regression, LabelsOutsideOfTheRangeAreRefused) {
  for (char const* name : {"poisson-nloglik", "gamma-nloglik", "gamma-deviance", "tweedie-nloglik", "rmsle", "logloss",
                           "error", "brier"}) {
    EXPECT_THROW(Score(name, {0.5F, 0.5F}, {0, -1}), DataError) << name;
  }
  for (char const* name : {"logloss", "error", "brier"}) EXPECT_THROW(Score(name, {0.5F}, {2}), DataError) << name;
}

TEST(Regression, WrongArgumentsAreRefused) {
  for (char const* bad : {"tweedie-nloglik@2", "tweedie-nloglik@0.9", "tweedie-nloglik@x", "pinball@1.1", "rmsle@1"}) {
    EXPECT_THROW(MakeMetric(bad, {}), ParamError) << bad;
  }
  EXPECT_THROW(MakeMetric("mphe", {{"huber_slope", "0"}}), ParamError);
}

}  // namespace
}  // namespace xgbl
