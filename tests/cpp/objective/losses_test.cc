// SPDX-License-Identifier: Apache-2.0
// What is special about single losses; what all of them obey is in objective_laws_test.cc.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "objective/derivatives.h"
#include "objective/objective.h"
#include "sample_meta.h"

namespace xgbl {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Gradients GradientsOf(std::string const& name, Matrix<float> const& margins, Meta const& meta, ParamMap const& params) {
  Gradients out;
  MakeObjective(name, params)->Gradient({margins.View(), meta, {}}, &out);
  return RowByRow(std::move(out));
}

Gradients GradientsOf(std::string const& name, std::vector<float> margins, std::vector<float> labels,
                      ParamMap const& params = {}) {
  return GradientsOf(name, MatrixOf(std::move(margins)), MetaOf(std::move(labels)), params);
}

void ExpectNear(Matrix<float> const& got, std::vector<double> const& expected) {
  ASSERT_EQ(got.values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(got.values[i], expected[i], 1e-6 * (1 + std::fabs(expected[i])));
  }
}

TEST(Losses, DerivativesOfXgboost) {  // reference: xgboost 3.4.1, from leaves of one row
  auto const log_error = GradientsOf("reg:squaredlogerror", {0.5F, 10, 1}, {1, 2, 5});
  ExpectNear(log_error.gradient, {-0.191788063, 0.118116640, -0.549306182});
  ExpectNear(log_error.hessian, {0.572303100, 1e-6, 0.524653100});
  auto const huber = GradientsOf("reg:pseudohubererror", {0, 3, 2.5F, -10}, {0, 1, 2, 3}, {{"huber_slope", "2.5"}});
  ExpectNear(huber.gradient, {0, 1.56173748, 0.49029037, -2.45501617});
  ExpectNear(huber.hessian, {1, 0.47613952, 0.9428661, 0.00673493});
  auto const gamma = GradientsOf("reg:gamma", {0, 1, -2}, {0.5F, 1, 2});
  ExpectNear(gamma.gradient, {0.5, 0.63212053, -13.77811174});
  ExpectNear(gamma.hessian, {0.5, 0.36787945, 14.778112});
  auto const tweedie = GradientsOf("reg:tweedie", {0, 1, -2}, {0, 1, 2});
  ExpectNear(tweedie.gradient, {1, 1.04219063, -5.06868411});
  ExpectNear(tweedie.hessian, {0.5, 1.127626, 2.9022214});
}

TEST(Losses, PoissonEnlargesItsHessian) {
  auto const plain = GradientsOf("count:poisson", {1}, {2}),
             larger = GradientsOf("count:poisson", {1}, {2}, {{"max_delta_step", "2"}});
  ExpectNear(plain.gradient, {std::exp(1) - 2});
  ExpectNear(plain.hessian, {std::exp(1.7)});
  ExpectNear(larger.hessian, {std::exp(3)});
  EXPECT_EQ(MakeObjective("count:poisson", {})->TreeDefaults(), (ParamMap{{"max_delta_step", "0.7"}}));
}

TEST(Losses, HingeCountsRowsInsideTheMarginOnly) {
  auto const got = GradientsOf("binary:hinge", {0.5F, 2, -3, 0.5F}, {1, 1, 0, 0});
  EXPECT_EQ(got.gradient.values, (std::vector<float>{-1, 0, 0, 1}));
  EXPECT_EQ(got.hessian.values,
            (std::vector<float>{1, std::numeric_limits<float>::min(), std::numeric_limits<float>::min(), 1}));
}

TEST(Losses, DefaultMetrics) {
  EXPECT_EQ(MakeObjective("reg:tweedie", {})->DefaultMetric(), "tweedie-nloglik@1.5");
  EXPECT_EQ(MakeObjective("reg:tweedie", {{"tweedie_variance_power", "1.25"}})->DefaultMetric(),
            "tweedie-nloglik@1.25");
  EXPECT_EQ(MakeObjective("reg:gamma", {})->DefaultMetric(), "gamma-deviance");
  EXPECT_EQ(MakeObjective("count:poisson", {})->DefaultMetric(), "poisson-nloglik");
}

TEST(Losses, MeansBeyondFloatStayFinite) {
  for (char const* name : {"count:poisson", "reg:gamma", "reg:tweedie"}) {
    auto const objective = MakeObjective(name, {});
    auto margins = MatrixOf({-1e30F, -100, 100, 1e30F});
    objective->Transform(margins.View(), {});
    EXPECT_EQ(margins.values[0], 0) << name;
    EXPECT_EQ(margins.values[3], std::numeric_limits<float>::max()) << name;
    EXPECT_LT(objective->ToMargin(0), -30) << name;
    EXPECT_THROW(objective->CheckBaseScore(-1), ParamError) << name;
  }
}

TEST(Losses, LogCoshOfSmallAndLargeErrors) {
  std::vector<float> const errors{1e-20F, 1e-5F, 0.1249F, 0.1251F, 1, 20, 1e20F};
  auto const got = GradientsOf("reg:logcosh", errors, std::vector<float>(errors.size()));
  for (std::size_t i = 0; i < errors.size(); ++i) {
    EXPECT_NEAR(got.gradient.values[i] / std::tanh(double{errors[i]}), 1, 1e-6) << errors[i];
  }
}

TEST(Losses, RobustLossesStartWhereTheyAreLeast) {
  auto const meta = MetaOf({0, 0.1F, -0.1F, 1000});
  for (char const* name : {"reg:logcosh", "reg:fair"}) {
    double const start = MakeObjective(name, {})->Intercept(meta, {})[0];
    auto const there = GradientsOf(name, std::vector<float>(4, static_cast<float>(start)), meta.labels.values);
    double sum = 0;
    for (float const gradient : there.gradient.values) sum += double{gradient};
    EXPECT_NEAR(sum, 0, 1e-5) << name;
    EXPECT_LT(std::fabs(start), 1) << name;
  }
}

TEST(Losses, FocalWithoutFocusIsTheWeightedLogisticLoss) {
  std::vector<float> const margins{-3, -0.5F, 0, 2}, labels{1, 0, 1, 0};
  auto const focal = GradientsOf("binary:focal", margins, labels, {{"focal_gamma", "0"}, {"focal_alpha", "0.5"}});
  auto const logistic = GradientsOf("binary:logistic", margins, labels);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(focal.gradient.values[i], logistic.gradient.values[i] / 2, 1e-6);
    EXPECT_NEAR(focal.hessian.values[i], logistic.hessian.values[i] / 2, 1e-6);
  }
}

TEST(Losses, FocalHessianIsThatOfTheLossUpToItsSign) {
  auto const p_loss = [](double x) {
    double const p = 1 / (1 + std::exp(-x));
    return -0.25 * (1 - p) * (1 - p) * std::log(p);
  };
  for (double const x : {-6.0, -3.0, -1.0, 0.0, 2.0}) {
    double const step = 1e-3, second = (p_loss(x + step) - 2 * p_loss(x) + p_loss(x - step)) / (step * step);
    auto const got = GradientsOf("binary:focal", {static_cast<float>(x)}, {1});
    EXPECT_NEAR(got.hessian.values[0], std::fabs(second), 1e-5) << x;
  }
}

double LeafOf(std::string const& name, Meta const& meta, std::vector<float> margins) {
  std::vector<std::uint32_t> rows(margins.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(i);
  auto const matrix = MatrixOf(std::move(margins));
  return MakeObjective(name, {})->FitLeaf({matrix.View(), meta, rows, 0});
}

TEST(Losses, ExponentialLeavesAreHalfTheLogOdds) {
  EXPECT_NEAR(LeafOf("binary:exponential", MetaOf({1, 1, 0}, 1, {1, 2, 1}), {0, 0, 0}), std::log(3) / 2, 1e-12);
  EXPECT_NEAR(LeafOf("binary:exponential", MetaOf({1, 0}), {1, 1}), -1, 1e-6);
  EXPECT_EQ(LeafOf("binary:exponential", MetaOf({1, 1}), {0, 0}),
            -LeafOf("binary:exponential", MetaOf({0, 0}), {0, 0}));
  EXPECT_EQ(LeafOf("binary:exponential", MetaOf({1, 0}, 1, {0, 0}), {0, 0}), 0);
  EXPECT_TRUE(std::isfinite(LeafOf("binary:exponential", MetaOf({1, 0}), {1e30F, 1e30F})));
  EXPECT_EQ(LeafOf("binary:exponential", MetaOf({}), {}), 0);
}

TEST(Losses, MapeLeavesAreWeightedMedians) {
  EXPECT_EQ(LeafOf("reg:mape", MetaOf({0.5F, 3, 100}), {0, 0, 0}), 0.5);
  EXPECT_EQ(LeafOf("reg:mape", MetaOf({0.5F, 3, 100}, 1, {0.1F, 9, 1}), {1, 1, 1}), 2);
  EXPECT_EQ(LeafOf("reg:mape", MetaOf({}), {}), 0);
}

// Twice the Fisher information is the identity times two, in mean over deviation and log deviation.
TEST(Losses, GaussianGradientIsTheNaturalOne) {
  double const mean = 1.5, log_deviation = 0.4, label = 3;
  auto const loss = [&](double m, double s) { return s + (label - m) * (label - m) * std::exp(-2 * s) / 2; };
  double const step = 1e-5;
  double const in_mean = (loss(mean + step, log_deviation) - loss(mean - step, log_deviation)) / (2 * step);
  double const in_log = (loss(mean, log_deviation + step) - loss(mean, log_deviation - step)) / (2 * step);
  auto const margins = MatrixOf({static_cast<float>(mean), static_cast<float>(log_deviation)}, 2);
  auto const got = GradientsOf("reg:gaussian", margins, MetaOf({static_cast<float>(label)}), {});
  EXPECT_NEAR(got.gradient.values[0], in_mean * std::exp(2 * log_deviation), 1e-5);
  EXPECT_NEAR(got.gradient.values[1], in_log / 2, 1e-5);
  EXPECT_NEAR(got.hessian.values[0], 1, 1e-6);
}

TEST(Losses, GaussianStartsAtMeanAndDeviation) {
  auto const start = MakeObjective("reg:gaussian", {})->Intercept(MetaOf({1, 10, 3, 10, 5, kNan}, 2), {});
  ASSERT_EQ(start.size(), 4U);
  EXPECT_NEAR(start[0], 3, 1e-12);
  EXPECT_NEAR(start[1], std::log(8.0 / 3) / 2, 1e-12);
  EXPECT_NEAR(start[2], 10, 1e-12);
  EXPECT_TRUE(std::isfinite(start[3]));
}

TEST(Losses, OneAgainstAllSharesWhatNoClassWants) {
  auto margins = MatrixOf({-1e30F, -1e30F, 0, 0, 40, -40}, 2);
  MakeObjective("multi:ova", {{"num_class", "2"}})->Transform(margins.View(), {});
  EXPECT_EQ(margins.values[0], 0.5F);
  EXPECT_EQ(margins.values[2], 0.5F);
  EXPECT_NEAR(margins.values[4], 1, 1e-6);
}

TEST(Losses, ClassesBeyondTheMarginsChangeNothingElse) {
  for (char const* name : {"multi:ova", "multi:softprob"}) {
    Gradients out;
    auto const objective = MakeObjective(name, {{"num_class", "2"}});
    EXPECT_THROW(objective->CheckLabels(MetaOf({7})), DataError);
    objective->Gradient({MatrixOf({0, 0}, 2).View(), MetaOf({7}), {}}, &out);
    EXPECT_EQ(out.gradient.values, (std::vector<float>{0.5F, 0.5F})) << name;
  }
}

TEST(Losses, SoftmaxOfAnyNumberOfRowsAndClasses) {
  for (std::size_t const classes : {1U, 2U, 7U, 16U, 33U, 5000U}) {
    auto const objective = MakeObjective("multi:softprob", {{"num_class", std::to_string(classes)}});
    auto margins = MatrixOf(Uniform(11 * classes, -9, 9), classes);
    objective->Transform(margins.View(), {});
    for (std::size_t i = 0; i < 11; ++i) {
      double sum = 0;
      for (float const p : margins.View().Row(i)) sum += double{p};
      EXPECT_NEAR(sum, 1, 1e-5) << classes;
    }
  }
}

TEST(Losses, MissingTargetsHaveNoDerivativesAndNoSay) {
  for (char const* name : {"reg:squarederror", "binary:logistic", "count:poisson", "binary:focal", "reg:fair"}) {
    auto const objective = MakeObjective(name, {});
    auto const holes = MetaOf({1, kNan, 0, 1, 1, kNan}, 2), alone = MetaOf({1, 0, 1});
    objective->CheckLabels(holes);
    auto const got = GradientsOf(name, MatrixOf({0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F}, 2), holes, {});
    EXPECT_EQ(got.gradient.values[1], 0) << name;
    EXPECT_EQ(got.hessian.values[1], 0) << name;
    EXPECT_NE(got.hessian.values[3], 0) << name;
    EXPECT_EQ(objective->Intercept(holes, {})[0], objective->Intercept(alone, {})[0]) << name;
    EXPECT_THROW(objective->CheckLabels(MetaOf({1, kNan})), DataError) << name;
    EXPECT_THROW(objective->Intercept(MetaOf({1, kNan, 0, kNan}, 2), {}), DataError) << name;
  }
}

}  // namespace
}  // namespace xgbl
