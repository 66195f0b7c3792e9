// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "objective/aft_loss.h"
#include "objective/objective.h"
#include "sample_meta.h"

namespace xgbl {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
using Interval = LabelBounds::Interval;

Meta WithBounds(std::vector<Interval> const& rows) {
  Meta meta;
  for (auto const& row : rows) {
    meta.label_lower.push_back(row.lower);
    meta.label_upper.push_back(row.upper);
  }
  return meta;
}

struct Derivatives {
  double gradient;
  double hessian;
};

struct Case {
  std::string distribution;
  double scale;
  Interval bounds;

  Derivatives At(float margin) const {
    Gradients out;
    auto const objective = MakeObjective("survival:aft", {{"aft_loss_distribution", distribution},
                                                          {"aft_loss_distribution_scale", std::to_string(scale)}});
    objective->Gradient({MatrixOf({margin}).View(), WithBounds({bounds}), {}}, &out);
    return {double{out.gradient.values[0]}, double{out.hessian.values[0]}};
  }

  long double Loss(long double margin) const {
    auto const z = [&](float time) { return (std::log(static_cast<long double>(time)) - margin) / scale; };
    if (bounds.IsEvent()) return -std::log(Density(z(bounds.lower)));
    long double const lower = bounds.HasLower() ? z(bounds.lower) : -HUGE_VALL;
    long double const upper = bounds.HasUpper() ? z(bounds.upper) : HUGE_VALL;
    return -std::log(lower > 0 ? Above(lower) - Above(upper) : Below(upper) - Below(lower));
  }

 private:
  long double Density(long double z) const {
    if (distribution == "normal") return std::exp(-z * z / 2);
    if (distribution == "logistic") return std::exp(z) / ((1 + std::exp(z)) * (1 + std::exp(z)));
    return std::exp(z - std::exp(z));
  }
  long double Below(long double z) const {
    if (distribution == "normal") return std::erfc(-z / std::sqrt(2.0L)) / 2;
    if (distribution == "logistic") return 1 / (1 + std::exp(-z));
    return -std::expm1(-std::exp(z));
  }
  long double Above(long double z) const { return distribution == "extreme" ? std::exp(-std::exp(z)) : Below(-z); }
};

constexpr Interval kEvent{4, 4};
constexpr Interval kRight{4, kInfinity};
constexpr Interval kLeft{0, 4};
constexpr Interval kBoth{4, 6};

class AftCases : public testing::TestWithParam<std::tuple<char const*, double, int>> {
 protected:
  static Case Get() {
    constexpr Interval kKinds[] = {kEvent, kRight, kLeft, kBoth};
    auto const& [distribution, scale, kind] = GetParam();
    return {distribution, scale, kKinds[kind]};
  }
};

INSTANTIATE_TEST_SUITE_P(Aft, AftCases,
                         testing::Combine(testing::Values("normal", "logistic", "extreme"), testing::Values(0.5, 1, 2),
                                          testing::Range(0, 4)));

TEST_P(AftCases, DerivativesAreThoseOfTheLoss) {
  Case const row = Get();
  constexpr long double kStep = 1e-4L;
  for (float const margin : {-0.7F, 0.1F, 1.2F, 1.5F, 2.0F, 3.1F}) {
    long double const up = row.Loss(margin + kStep), here = row.Loss(margin), down = row.Loss(margin - kStep);
    auto const slope = static_cast<double>((up - down) / (2 * kStep));
    auto const curvature = static_cast<double>((up - 2 * here + down) / (kStep * kStep));
    Derivatives const got = row.At(margin);
    EXPECT_NEAR(got.gradient, std::min(15.0, std::max(-15.0, slope)), 2e-6) << margin;
    EXPECT_NEAR(got.hessian, std::min(15.0, std::max(1e-16, curvature)), 1e-5) << margin;
  }
}

TEST_P(AftCases, ExtremeMarginsPullBackWithinTheClip) {
  Case const row = Get();
  for (float const size : {9.0F, 40.0F, 1e3F, 1e30F, 3e38F}) {
    for (float const margin : {size, -size}) {
      Derivatives const got = row.At(margin);
      bool const content = !(margin > 0 ? row.bounds.HasUpper() : row.bounds.HasLower());
      double const back = margin > 0 ? got.gradient : -got.gradient;
      EXPECT_TRUE(content ? std::fabs(back) < 0.05 : back > 0) << margin;
      EXPECT_TRUE(!content || size < 900 || back == 0) << margin;
      EXPECT_LE(std::fabs(got.gradient), 15);
      EXPECT_TRUE(got.hessian > 0 && got.hessian <= 15) << margin;
    }
  }
}

TEST(Aft, RowsWithoutABoundTeachNothing) {
  for (char const* distribution : {"normal", "logistic", "extreme"}) {
    for (Interval const open : {Interval{0, kInfinity}, Interval{-kInfinity, kInfinity}}) {
      Derivatives const got = Case{distribution, 1, open}.At(0.5F);
      EXPECT_EQ(got.gradient, 0);
      EXPECT_FLOAT_EQ(static_cast<float>(got.hessian), 1e-16F);
    }
  }
}

TEST(Aft, TimesFromDenormalToHugeAreFine) {
  for (float const time : {1e-45F, 1e-30F, 1e30F, 3e38F}) {
    for (Interval const row : {Interval{time, time}, Interval{time, kInfinity}, Interval{0, time}}) {
      Derivatives const got = Case{"normal", 1, row}.At(std::log(time));
      EXPECT_LT(std::fabs(got.gradient), 1);
      EXPECT_GT(got.hessian, 0.3);
    }
  }
}

TEST(Aft, AnEventAtTimeZeroIsAsEarlyAsCanBe) {  // limits as in xgboost 3.4.1
  Derivatives const normal = Case{"normal", 1, {0, 0}}.At(0.5), logistic = Case{"logistic", 1, {0, 0}}.At(0.5);
  EXPECT_EQ(std::make_pair(normal.gradient, normal.hessian), std::make_pair(15.0, 1.0));
  EXPECT_EQ(logistic.gradient, 1);
  EXPECT_NEAR(aft::Loss<aft::Normal>({0, 0}, 0.5, 1), -std::log(1e-12), 1e-6);
}

TEST(Aft, LabelsAreNotNeededAndNotRead) {
  auto const objective = MakeObjective("survival:aft", {});
  EXPECT_FALSE(objective->NeedsLabels());
  Meta meta = WithBounds({kEvent, kRight});
  EXPECT_NO_THROW(objective->CheckLabels(meta));
  Gradients without, with;
  Matrix<float> const margins(2, 1);
  objective->Gradient({margins.View(), meta, {}}, &without);
  meta.labels = MatrixOf({-7, 1e30F});
  EXPECT_NO_THROW(objective->CheckLabels(meta));
  objective->Gradient({margins.View(), meta, {}}, &with);
  EXPECT_EQ(with.gradient.values, without.gradient.values);
}

TEST(Aft, BadDataAreRefused) {
  auto const objective = MakeObjective("survival:aft", {});
  Meta several = WithBounds({kEvent, kEvent});
  several.labels = Matrix<float>(2, 2);
  EXPECT_THROW(objective->CheckLabels(several), DataError);
  EXPECT_THROW(objective->CheckLabels(MetaOf({1, 2})), DataError);
  EXPECT_THROW(objective->CheckLabels(WithBounds({kEvent, {3, 2}})), DataError);
  EXPECT_THROW(objective->CheckBaseScore(0), ParamError);
}

TEST(Aft, ParametersAreChecked) {
  EXPECT_THROW(MakeObjective("survival:aft", {{"aft_loss_distribution", "gumbel"}}), ParamError);
  for (char const* scale : {"0", "-1", "nan", "inf"}) {
    EXPECT_THROW(MakeObjective("survival:aft", {{"aft_loss_distribution_scale", scale}}), ParamError) << scale;
  }
}

TEST(Aft, MetricsGetTheLogarithmsOfTimes) {
  auto const objective = MakeObjective("survival:aft", {});
  Matrix<float> for_metrics = MatrixOf({-1, 500}), predictions = MatrixOf({-1, 2});
  objective->TransformForMetrics(for_metrics.View(), {});
  EXPECT_EQ(for_metrics.values, (std::vector<float>{-1, 500}));
  objective->Transform(predictions.View(), {});
  EXPECT_FLOAT_EQ(predictions.values[1], std::exp(2.0F));
}

}  // namespace
}  // namespace xgbl
