// SPDX-License-Identifier: Apache-2.0
// Laws that every registered objective obeys: a new one is tested here without another line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/math.h"
#include "objective/derivatives.h"
#include "objective/objective.h"
#include "objective/sample_objectives.h"

namespace xgbl {
namespace {

class ObjectiveLaws : public testing::TestWithParam<std::string> {
 protected:
  static ObjectiveSample const& Sample() { return ObjectiveSampleOf(GetParam()); }
  static std::size_t Outputs() { return Sample().outputs; }

  static std::unique_ptr<Objective> Make(ParamMap params = {}) {
    params.insert(Sample().params.begin(), Sample().params.end());
    return MakeObjective(GetParam(), params);
  }

  static std::vector<float> Labels(std::size_t n) {
    auto const& some = Sample().labels;
    std::vector<float> labels(n);
    for (std::size_t i = 0; i < n; ++i) labels[i] = some[i % some.size()];
    return labels;
  }

  static Meta Labelled(std::vector<float> labels, std::size_t targets = 1, std::vector<float> weights = {}) {
    Meta meta = MetaOf(std::move(labels), targets, std::move(weights));
    Sample().complete(&meta);
    return meta;
  }

  static Gradients GradientsOf(Meta const& meta, Matrix<float> const& margins, Context const& ctx = {},
                               ParamMap const& params = {}) {
    Gradients out;
    Make(params)->Gradient({margins.View(), meta, ctx}, &out);
    return RowByRow(std::move(out));
  }

  static Matrix<float> Margins(std::size_t rows) {
    return MatrixOf(Uniform(rows * Outputs(), Sample().margins[0], Sample().margins[1]), Outputs());
  }
};

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (auto const& [name, entry] : Registry<Objective>::Get().Entries()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, ObjectiveLaws, testing::ValuesIn(Names()), [](auto const& param_info) {
  std::string name = param_info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST_P(ObjectiveLaws, HasADocOfOneSentence) {
  auto const& doc = Registry<Objective>::Get().At(GetParam(), "objective").doc;
  EXPECT_TRUE(!doc.empty() && doc.back() == '.') << doc;
}

TEST_P(ObjectiveLaws, BitsDependNeitherOnThreadsNorOnInstructionSet) {
  std::size_t const rows = 20011;
  auto const meta = Labelled(Labels(rows), 1, Uniform(rows, 0, 2, 3));
  auto const margins = Margins(rows);
  auto const expected = GradientsOf(meta, margins);
  auto const intercept = Make({{"scale_pos_weight", "2"}})->Intercept(meta, {});
  auto transformed = margins;
  Make()->Transform(transformed.View(), {});
  for (auto const& ctx : AllContexts()) {
    auto const got = GradientsOf(meta, margins, ctx);
    EXPECT_EQ(got.gradient.values, expected.gradient.values);
    EXPECT_EQ(got.hessian.values, expected.hessian.values);
    EXPECT_EQ(Make({{"scale_pos_weight", "2"}})->Intercept(meta, ctx), intercept);
    auto again = margins;
    Make()->Transform(again.View(), ctx);
    EXPECT_EQ(again.values, transformed.values);
  }
}

TEST_P(ObjectiveLaws, GradientsReplaceWhatWasThere) {
  auto const meta = Labelled(Labels(30));
  auto const margins = Margins(30);
  auto const expected = GradientsOf(meta, margins);
  Gradients used = expected;
  for (auto* values : {&used.gradient.values, &used.hessian.values}) {
    std::fill(values->begin(), values->end(), std::nanf(""));
  }
  Make()->Gradient({margins.View(), meta, {}}, &used);
  used = RowByRow(std::move(used));
  EXPECT_EQ(used.gradient.values, expected.gradient.values);
  EXPECT_EQ(used.hessian.values, expected.hessian.values);
}

// So no cut of the rows does: among threads, pages or machines.
TEST_P(ObjectiveLaws, NoOrderOfRowsChangesWhatIsFitted) {
  if (Sample().ties_go_by_row) GTEST_SKIP() << "rows count in their order";
  std::size_t const rows = 20011;
  auto const labels = Labels(rows), weights = Uniform(rows, 0, 2, 3);
  auto const margins = Margins(rows);
  auto const meta = Labelled(labels, 1, weights);
  auto const objective = Make({{"scale_pos_weight", "2"}});
  auto const intercept = objective->Intercept(meta, {});
  std::vector<std::uint32_t> in_order(rows);
  std::iota(in_order.begin(), in_order.end(), 0U);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    auto const order = Shuffled(rows, seed);
    EXPECT_EQ(objective->Intercept(Labelled(Rows(labels, order), 1, Rows(weights, order)), {}), intercept);
    if (!objective->FitsLeaves()) continue;
    ObjectiveState state;
    Gradients gradients;
    objective->Gradient({margins.View(), meta, {}, 0, &state}, &gradients);
    EXPECT_EQ(objective->FitLeaf({margins.View(), meta, order, 0, &state}),
              objective->FitLeaf({margins.View(), meta, in_order, 0, &state}));
  }
}

TEST_P(ObjectiveLaws, WeightsScaleGradients) {
  auto const margins = Margins(30);
  auto const plain = GradientsOf(Labelled(Labels(30)), margins);
  auto const heavy = GradientsOf(Labelled(Labels(30), 1, std::vector<float>(30, 4.0F)), margins);
  float const factor = Sample().weights_are_relative ? 1.0F : 4.0F;
  for (std::size_t i = 0; i < plain.gradient.values.size(); ++i) {
    EXPECT_EQ(heavy.gradient.values[i], factor * plain.gradient.values[i]);
    EXPECT_EQ(heavy.hessian.values[i], factor * plain.hessian.values[i]);
  }
}

TEST_P(ObjectiveLaws, WeightTwoEqualsTheRowTwice) {
  if (!Sample().weights_are_counts) GTEST_SKIP() << "weights are factors on derivatives";
  std::vector<float> labels = Labels(9);
  auto const weighted = Make()->Intercept(Labelled(labels, 1, {2, 1, 1, 1, 1, 1, 1, 1, 1}), {});
  labels.push_back(labels[0]);
  auto const doubled = Make()->Intercept(Labelled(labels), {});
  for (std::size_t k = 0; k < weighted.size(); ++k) EXPECT_NEAR(weighted[k], doubled[k], 1e-12);
}

TEST_P(ObjectiveLaws, ManyTargetsAreAsManySingleOnes) {
  if (!Sample().many_targets) GTEST_SKIP() << "one label a row";
  auto const margins = Uniform(40, -3, 3), labels = Uniform(40, 0, 1, 9), weights = Uniform(20, 0, 2, 4);
  auto const both = GradientsOf(Labelled(labels, 2, weights), MatrixOf(margins, 2));
  auto const intercepts = Make()->Intercept(Labelled(labels, 2, weights), {});
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<float> margin, label;
    for (std::size_t i = k; i < 40; i += 2) margin.push_back(margins[i]), label.push_back(labels[i]);
    auto const one = GradientsOf(Labelled(label, 1, weights), MatrixOf(margin));
    for (std::size_t i = 0; i < 20; ++i) {
      EXPECT_EQ(both.gradient.View()(i, k), one.gradient.values[i]);
      EXPECT_EQ(both.hessian.View()(i, k), one.hessian.values[i]);
    }
    EXPECT_EQ(intercepts[k], Make()->Intercept(Labelled(label, 1, weights), {})[0]);
  }
}

TEST_P(ObjectiveLaws, HessianIsTheSlopeOfTheGradient) {
  auto const margins = Margins(50);
  auto const meta = Labelled(Labels(50));
  auto const here = GradientsOf(meta, margins);
  constexpr float kStep = 1.0F / 64;
  double const factor = Sample().hessian_factor;
  if (factor == 0) GTEST_SKIP() << "the hessian is not that of the loss";
  for (std::size_t k = 0; k < Outputs(); ++k) {
    auto up = margins, down = margins;
    for (std::size_t i = 0; i < 50; ++i) up.View()(i, k) += kStep, down.View()(i, k) -= kStep;
    auto const above = GradientsOf(meta, up), below = GradientsOf(meta, down);
    for (std::size_t i = 0; i < 50; ++i) {
      double const slope = (above.gradient.View()(i, k) - below.gradient.View()(i, k)) / (2 * kStep);
      EXPECT_NEAR(here.hessian.View()(i, k), factor * slope, 1e-4 * (1 + std::fabs(slope)));
    }
  }
}

TEST_P(ObjectiveLaws, GradientIsTheSlopeOfTheLoss) {
  auto const& loss = Sample().loss;
  if (!loss) GTEST_SKIP() << "not a sum over rows";
  auto const margins = Margins(50);
  auto const labels = Labels(50);
  auto const got = GradientsOf(Labelled(labels), margins);
  constexpr double kStep = 1e-5;
  for (std::size_t i = 0; i < 50; ++i) {
    for (std::size_t k = 0; k < Outputs(); ++k) {
      auto const row = margins.View().Row(i);
      std::vector<double> up(row.begin(), row.end()), down(row.begin(), row.end());
      up[k] += kStep, down[k] -= kStep;
      double const slope = (loss(up, labels[i]) - loss(down, labels[i])) / (2 * kStep);
      EXPECT_NEAR(got.gradient.View()(i, k), slope, 1e-6 * (1 + std::fabs(slope)));
    }
  }
}

TEST_P(ObjectiveLaws, ExtremeMarginsStayFinite) {
  for (float const size : {1e-45F, 100.0F, 1e4F, 1e30F}) {
    Matrix<float> margins(4, Outputs());
    for (std::size_t i = 0; i < 4; ++i) margins.View()(i, 0) = i % 2 == 0 ? size : -size;
    auto const got = GradientsOf(Labelled(Labels(4)), margins);
    for (float const g : got.gradient.values) EXPECT_TRUE(std::isfinite(g)) << size;
    bool const positive = Sample().positive_hessian;
    for (float const h : got.hessian.values) EXPECT_TRUE(std::isfinite(h) && (positive ? h > 0 : h >= 0)) << size;
    Make()->Transform(margins.View(), {});
    for (float const p : margins.values) EXPECT_TRUE(std::isfinite(p) || Sample().overflows) << size;
  }
}

TEST_P(ObjectiveLaws, OneRowAndConstantLabelsHaveAFiniteMargin) {
  for (float const label : Sample().labels) {
    for (std::size_t const rows : {1U, 5U}) {
      auto const objective = Make();
      auto const meta = Labelled(std::vector<float>(rows, label));
      for (double const score : objective->Intercept(meta, {})) {
        objective->CheckBaseScore(score);
        EXPECT_TRUE(std::isfinite(objective->ToMargin(score)));
      }
      EXPECT_EQ(GradientsOf(meta, Matrix<float>(rows, Outputs())).gradient.rows, rows);
    }
  }
}

TEST_P(ObjectiveLaws, EmptyDataGiveNothingAndAFiniteIntercept) {
  auto const empty = Labelled({});
  EXPECT_TRUE(GradientsOf(empty, Matrix<float>(0, Outputs())).gradient.values.empty());
  auto const scores = Make()->Intercept(empty, {});
  EXPECT_EQ(scores.size(), Outputs());
  for (double const score : scores) EXPECT_TRUE(std::isfinite(score));
}

TEST_P(ObjectiveLaws, InterceptIsWhereGradientsSumToZero) {
  auto const meta = Labelled(Labels(999), 1, Uniform(999, 0, 2));
  auto const objective = Make();
  if (!Sample().zero_sum_at_intercept) GTEST_SKIP() << "starts elsewhere";
  auto const scores = objective->Intercept(meta, {});
  Matrix<float> margins(999, Outputs());
  for (std::size_t i = 0; i < margins.values.size(); ++i) {
    margins.values[i] = static_cast<float>(objective->ToMargin(scores[i % Outputs()]));
  }
  auto const got = GradientsOf(meta, margins);
  std::vector<double> sums(Outputs());
  for (std::size_t i = 0; i < margins.values.size(); ++i) sums[i % Outputs()] += double{got.gradient.values[i]};
  for (double const sum : sums) EXPECT_NEAR(sum, 0, 5e-3);
}

TEST_P(ObjectiveLaws, BadLabelsAndShapesAreRefused) {
  auto const objective = Make();
  Gradients out;
  auto const margins = Margins(4);
  EXPECT_THROW(objective->CheckLabels(Labelled({0, std::nanf("")})), DataError);
  EXPECT_THROW(objective->CheckLabels(Labelled({0, HUGE_VALF})), DataError);
  EXPECT_THROW(objective->CheckLabels(Labelled({0, 1, 1}, 1, {1, 2})), DataError);
  EXPECT_THROW(objective->Intercept(Labelled({0, 1}, 1, {0, 0}), {}), DataError);
  EXPECT_THROW(objective->Gradient({margins.View(), Labelled({0, 1, 1}), {}}, &out), DataError);
  EXPECT_THROW(objective->Gradient({margins.View(), Labelled({}), {}}, &out), DataError);
}

TEST_P(ObjectiveLaws, ItsLinkIsItsTransform) {
  static std::map<std::string, double (*)(double)> const cells{
      {"identity", [](double x) { return x; }},
      {"step", [](double x) { return x > 0 ? 1.0 : 0.0; }},
      {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"sigmoid of twice", [](double x) { return 1 / (1 + std::exp(-2 * x)); }},
      {"exp", [](double x) { return std::exp(x); }},
  };
  auto const link = cells.find(Make()->Link());
  if (link == cells.end()) GTEST_SKIP() << "a cell is not transformed alone";
  auto const margins = Margins(50);
  auto predictions = margins;
  Make()->Transform(predictions.View(), {});
  for (std::size_t i = 0; i < margins.values.size(); ++i) {
    double const expected = link->second(double{margins.values[i]});
    EXPECT_NEAR(double{predictions.values[i]}, expected, 1e-6 * (1 + std::fabs(expected)));
  }
}

TEST_P(ObjectiveLaws, ItsParametersSetItAgain) {
  auto const objective = Make({{"scale_pos_weight", "2.5"}});
  EXPECT_EQ(MakeObjective(GetParam(), objective->Params())->Params(), objective->Params());
}

}  // namespace
}  // namespace xgbl
