// SPDX-License-Identifier: Apache-2.0
// The partial likelihood written down once more, each risk set summed anew in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "objective/objective.h"
#include "objective/risk_sets.h"
#include "sample_meta.h"

namespace xgbl {
namespace {

using Real = long double;

Gradients GradientsOf(std::vector<float> const& labels, std::vector<float> const& margins,
                      std::vector<float> weights = {}) {
  Gradients out;
  Meta const meta = MetaOf(labels, 1, std::move(weights));
  auto const objective = MakeObjective("survival:cox", {});
  objective->CheckLabels(meta);
  objective->Gradient({MatrixOf(margins).View(), meta, {}}, &out);
  return out;
}

// Labels without ties, about a third of them censored.
std::vector<float> Times(std::size_t n) {
  std::vector<float> labels = Uniform(n, 0.5, 9, 21);
  for (std::size_t i = 0; i < n; i += 3) labels[i] = -labels[i];
  return labels;
}

struct Expected {
  Real gradient = 0;
  Real hessian = 0;
};

// Of `row`; an event counts for it if it comes earlier, or at the same time and not behind it.
Expected ByDefinition(std::vector<float> const& labels, std::vector<float> const& margins, std::size_t row) {
  Expected out;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    bool const earlier = std::fabs(labels[i]) < std::fabs(labels[row]);
    bool const tied = std::fabs(labels[i]) == std::fabs(labels[row]) && i <= row;
    if (labels[i] <= 0 || !(earlier || tied)) continue;
    Real sum = 0;
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (std::fabs(labels[j]) >= std::fabs(labels[i])) sum += std::exp(static_cast<Real>(margins[j] - margins[row]));
    }
    out.gradient += 1 / sum;
    out.hessian += 1 / sum - 1 / (sum * sum);
  }
  out.gradient -= labels[row] > 0 ? 1 : 0;
  return out;
}

void ExpectDefinition(std::vector<float> const& labels, std::vector<float> const& margins) {
  auto const got = GradientsOf(labels, margins);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    auto const expected = ByDefinition(labels, margins, i);
    EXPECT_NEAR(got.gradient.values[i], static_cast<double>(expected.gradient), 3e-7) << i;
    EXPECT_NEAR(got.hessian.values[i], static_cast<double>(expected.hessian), 3e-7) << i;
  }
}

Real Loss(std::vector<float> const& labels, std::vector<Real> const& margins) {
  Real loss = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] <= 0) continue;
    Real sum = 0;
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (std::fabs(labels[j]) >= labels[i]) sum += std::exp(margins[j]);
    }
    loss += std::log(sum) - margins[i];
  }
  return loss;
}

TEST(Cox, DerivativesAreThoseOfTheDefinition) {
  ExpectDefinition(Times(200), Uniform(200, -3, 3));
  ExpectDefinition({2}, {0.3F});
  ExpectDefinition({-2, -1, -3}, {1, 2, 3});
}

TEST(Cox, OfTiedEventsEachCountsForItselfAndLaterRows) {
  std::vector<float> labels = Times(120);
  for (float& label : labels) label = std::round(label);
  ExpectDefinition(labels, Uniform(120, -2, 2));
  ExpectDefinition({1, 1, -1, 1, 1}, {0, 0, 0, 0, 0});
}

TEST(Cox, GradientIsTheSlopeAndHessianTheDiagonalOfThePartialLikelihood) {
  auto const labels = Times(40);
  auto const margins = Uniform(40, -2, 2);
  auto const got = GradientsOf(labels, margins);
  std::vector<Real> at(margins.begin(), margins.end());
  constexpr Real kStep = 1e-4L;
  Real const middle = Loss(labels, at);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    at[i] += kStep;
    Real const up = Loss(labels, at);
    at[i] -= 2 * kStep;
    Real const down = Loss(labels, at);
    at[i] += kStep;
    EXPECT_NEAR(got.gradient.values[i], static_cast<double>((up - down) / (2 * kStep)), 1e-6);
    EXPECT_NEAR(got.hessian.values[i], static_cast<double>((up - 2 * middle + down) / (kStep * kStep)), 1e-6);
  }
}

TEST(Cox, MarginsMayAllMoveWithoutEffect) {
  std::vector<float> margins = Uniform(50, -2, 2);
  for (float& margin : margins) margin = std::round(margin * 64) / 64;  // so that sums with 512 are exact
  auto const here = GradientsOf(Times(50), margins);
  for (float& margin : margins) margin += 512;
  EXPECT_EQ(GradientsOf(Times(50), margins).gradient.values, here.gradient.values);
}

TEST(Cox, SmallLateHazardsKeepTheirDigits) {
  std::vector<float> const labels{1, 2, 3, 4};
  auto const got = GradientsOf(labels, {60, 0, 0, 0});
  auto const alone = GradientsOf({2, 3, 4}, {0, 0, 0});
  for (std::size_t i = 1; i < 4; ++i) EXPECT_FLOAT_EQ(got.gradient.values[i], alone.gradient.values[i - 1]);
}

TEST(Cox, WeightsAreFactorsOnDerivatives) {
  auto const weights = Uniform(30, 0, 3, 5);
  auto const plain = GradientsOf(Times(30), Uniform(30, -1, 1));
  auto const weighted = GradientsOf(Times(30), Uniform(30, -1, 1), weights);
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_FLOAT_EQ(weighted.gradient.values[i], plain.gradient.values[i] * weights[i]);
    EXPECT_FLOAT_EQ(weighted.hessian.values[i], plain.hessian.values[i] * weights[i]);
  }
}

TEST(Cox, BaseScoreIsAPositiveHazard) {
  auto const objective = MakeObjective("survival:cox", {});
  EXPECT_THROW(objective->CheckBaseScore(0), ParamError);
  EXPECT_THROW(objective->CheckBaseScore(-1), ParamError);
  EXPECT_NEAR(objective->ToMargin(2), std::log(2.0), 1e-15);
}

TEST(Cox, DataWithoutEventsWarn) {
  MessageLog log;
  Context ctx;
  ctx.log = &log;
  EXPECT_EQ(MakeObjective("survival:cox", {})->Intercept(MetaOf({-1, -2}), ctx), std::vector<double>{1.0});
  EXPECT_EQ(log.Take().size(), 1U);
}

TEST(RiskSets, TimesRiseAndRowsRiseAmongEqualOnes) {
  auto const sets = SortedByTime(std::vector<float>{3, -1, -3, 0, 3, -0.0F});
  EXPECT_EQ(sets.times, (std::vector<float>{0, 0, 1, 3, 3, 3}));
  EXPECT_EQ(sets.rows, (std::vector<std::uint32_t>{3, 5, 1, 0, 2, 4}));
}

TEST(RiskSets, HazardsOfEqualTimesShareASum) {
  std::vector<double> const hazards{1, 2, 4, 8, 16};
  EXPECT_EQ(HazardsAtRisk(std::vector<float>{1, 2, 2, 3, 4}, hazards), (std::vector<double>{31, 30, 30, 24, 16}));
  EXPECT_TRUE(HazardsAtRisk({}, {}).empty());
}

TEST(Cox, OrderOfRowsDoesNotMatterWithoutTies) {
  std::size_t const rows = 5000;
  auto labels = Times(rows);
  for (std::size_t i = 0; i < rows; ++i) labels[i] += std::copysign(static_cast<float>(i), labels[i]) * 16;
  auto const margins = Uniform(rows, -3, 3, 5);
  auto const expected = GradientsOf(labels, margins);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    auto const order = Shuffled(rows, seed);
    auto const got = GradientsOf(Rows(labels, order), Rows(margins, order));
    EXPECT_EQ(got.gradient.values, Rows(expected.gradient.values, order));
    EXPECT_EQ(got.hessian.values, Rows(expected.hessian.values, order));
  }
}

// Of rows of one time the sum is exact.
TEST(Cox, OrderWithinATimeDoesNotMatterToWhoIsAtRisk) {
  std::vector<float> const times{1, 2, 2, 2, 2, 3, 3, 4};
  EXPECT_EQ(HazardsAtRisk(times, std::vector<double>{1, 1e16, 1, -1e16, 0.5, 0.1, 0.2, 4}),
            HazardsAtRisk(times, std::vector<double>{1, 0.5, 1e16, -1e16, 1, 0.2, 0.1, 4}));
}

}  // namespace
}  // namespace xgbl
