// SPDX-License-Identifier: Apache-2.0
// Objectives of several levels, and the smoothed forms of absolute and quantile error. Numbers marked "reference" come
// from xgboost 3.4.1.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "objective/objective.h"
#include "sample_meta.h"

namespace xgbl {
namespace {

std::unique_ptr<Objective> Quantile(std::string const& alphas, ParamMap params = {}) {
  params["quantile_alpha"] = alphas;
  return MakeObjective("reg:quantileerror", params);
}

std::unique_ptr<Objective> Expectile(std::string const& alphas) {
  return MakeObjective("reg:expectileerror", {{"expectile_alpha", alphas}});
}

Gradients GradientsOf(Objective const& objective, Matrix<float> const& margins, Meta const& meta) {
  Gradients out;
  objective.Gradient({margins.View(), meta, {}}, &out);
  return out;
}

TEST(Levels, OneOutputForEachLevelAndTarget) {
  EXPECT_EQ(Quantile("0.3")->Outputs(MetaOf({1, 2})), 1);
  EXPECT_EQ(Quantile("[0.1,0.5,0.9]")->Outputs(MetaOf({1, 2})), 3);
  EXPECT_EQ(Quantile("(0.1, 0.9)")->Outputs(MetaOf({1, 2, 3, 4}, 2)), 4);
  EXPECT_EQ(Expectile("[0.1,0.9]")->Outputs(MetaOf({})), 2);
}

TEST(Levels, MustBeGivenAndSharesAndRiseWhereTheyBuildOnEachOther) {
  for (auto const* bad : {"-0.1", "1.5", "[0.5,nan]", "x"}) EXPECT_THROW(Quantile(bad), ParamError) << bad;
  EXPECT_THROW(MakeObjective("reg:quantileerror", {})->Outputs(MetaOf({1})), ParamError);
  EXPECT_THROW(MakeObjective("reg:expectileerror", {})->CheckLabels(MetaOf({1})), ParamError);
  EXPECT_THROW(Expectile("[0.9,0.1]"), ParamError);
  EXPECT_NO_THROW(Quantile("[0.9,0.1]"));
  EXPECT_NO_THROW(Quantile("[0,1]"));
}

TEST(Levels, TargetsAndLevelsAreAsManySingleObjectives) {
  auto const labels = Uniform(40, 0, 1, 9), weights = Uniform(20, 0, 2, 4);
  auto const margins = MatrixOf(Uniform(80, -1, 2), 4);
  auto const both = MetaOf(labels, 2, weights);
  for (char const* method : {"auto", "smooth"}) {
    auto const all = Quantile("[0.2,0.7]", {{"leaf_estimation_method", method}});
    auto const joint = GradientsOf(*all, margins, both);
    for (std::size_t output = 0; output < 4; ++output) {
      std::vector<float> label, margin;
      for (std::size_t i = 0; i < 20; ++i) {
        label.push_back(labels[2 * i + output / 2]), margin.push_back(margins.values[4 * i + output]);
      }
      auto const one = Quantile(output % 2 == 0 ? "0.2" : "0.7", {{"leaf_estimation_method", method}});
      auto const single = GradientsOf(*one, MatrixOf(margin), MetaOf(label, 1, weights));
      for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(joint.gradient.View()(i, output), single.gradient.values[i]);
      EXPECT_EQ(all->Intercept(both, {})[output], one->Intercept(MetaOf(label, 1, weights), {})[0]);
    }
  }
}

TEST(Levels, SortedQuantilesDoNotCrossAndKeepTheirPlaces) {
  auto predictions = MatrixOf({3, 1, 2, 6, 5, 4}, 3);
  Quantile("[0.1,0.5,0.9]", {{"sort_quantiles", "0"}})->Transform(predictions.View(), {});
  EXPECT_EQ(predictions.values, (std::vector<float>{3, 1, 2, 6, 5, 4}));
  Quantile("[0.1,0.5,0.9]")->Transform(predictions.View(), {});
  EXPECT_EQ(predictions.values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  Quantile("[0.9,0.1,0.5]")->Transform(predictions.View(), {});
  EXPECT_EQ(predictions.values, (std::vector<float>{3, 1, 2, 6, 4, 5}));
}

TEST(Levels, ExpectilesRiseWhateverTheMargins) {
  auto const margins = Uniform(3000, -30, 30);
  auto predictions = MatrixOf(margins, 3);
  Expectile("[0.1,0.5,0.9]")->Transform(predictions.View(), {});
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(predictions.View()(i, 0), margins[3 * i]);
    EXPECT_LE(predictions.View()(i, 0), predictions.View()(i, 1));
    EXPECT_LE(predictions.View()(i, 1), predictions.View()(i, 2));
  }
}

TEST(Levels, MarginsOfExpectileScoresGiveThemBack) {
  auto const objective = Expectile("[0.1,0.5,0.9]");
  std::vector<double> const scores{-2, -1.999, 40, 5, 6, 6.25};
  auto const margins = objective->ToMargins(scores);
  Matrix<float> back = MatrixOf({margins.begin(), margins.end()}, 6);
  objective->Transform(back.View(), {});
  for (std::size_t k = 0; k < scores.size(); ++k) EXPECT_NEAR(double{back.values[k]}, scores[k], 1e-5);
  EXPECT_NEAR(objective->ToMargins({1, 1, 1})[1], -13.81551, 1e-5);  // reference
}

TEST(Levels, QuantileInterceptsAreQuantilesOfTheLabels) {
  EXPECT_EQ(Quantile("[0,0.5,1]")->Intercept(MetaOf({4, 1, 3, 2}), {}), (std::vector<double>{1, 2.5, 4}));
  EXPECT_EQ(Quantile("0.5")->Intercept(MetaOf({4, 1, 3, 2}, 1, {1, 1, 1, 4}), {}), (std::vector<double>{2}));
}

TEST(Levels, AtTheLabelTheQuantileGradientPointsDown) {
  auto const got = GradientsOf(*Quantile("0.25", {{"leaf_estimation_method", "exact"}}), MatrixOf({0, 1, 2}),
                               MetaOf({1, 1, 1}, 1, {1, 2, 4}));
  EXPECT_EQ(got.gradient.values, (std::vector<float>{-0.25F, 1.5F, 3}));
  EXPECT_EQ(got.hessian.values, (std::vector<float>{1, 2, 4}));
}

TEST(SmoothedLoss, HasNoDerivativesWhereAllResidualsAreZero) {
  auto const got =
      GradientsOf(*Quantile("0.25", {{"leaf_estimation_method", "smooth"}}), MatrixOf({1, 1}), MetaOf({1, 1}));
  EXPECT_EQ(got.gradient.values, (std::vector<float>{0, 0}));
  EXPECT_EQ(got.hessian.values, (std::vector<float>{0, 0}));
}

TEST(SmoothedLoss, IsFiniteForExtremeResiduals) {
  for (std::string const name : {"reg:absoluteerror", "reg:quantileerror"}) {
    auto const objective = MakeObjective(name, {{"leaf_estimation_method", "smooth"}, {"quantile_alpha", "0.5"}});
    for (float const size : {1e-45F, 1e-30F, 1.0F, 1e30F, 3e38F}) {
      auto const got = GradientsOf(*objective, MatrixOf({size, -size, 0}), MetaOf({0, 0, 0}));
      for (float const g : got.gradient.values) EXPECT_TRUE(std::isfinite(g)) << name << size;
      for (float const h : got.hessian.values) EXPECT_TRUE(std::isfinite(h)) << name << size;
    }
  }
}

TEST(SmoothedLoss, BitsDependNeitherOnThreadsNorOnInstructionSet) {
  auto const meta = MetaOf(Uniform(20011, -3, 3), 1, Uniform(20011, 0, 2, 3));
  auto const margins = MatrixOf(Uniform(20011, -4, 4, 8));
  for (std::string const name : {"reg:absoluteerror", "reg:quantileerror"}) {
    auto const objective = MakeObjective(name, {{"leaf_estimation_method", "smooth"}, {"quantile_alpha", "0.5"}});
    auto const expected = GradientsOf(*objective, margins, meta);
    for (auto const& ctx : AllContexts()) {
      Gradients got;
      objective->Gradient({margins.View(), meta, ctx}, &got);
      EXPECT_EQ(got.gradient.values, expected.gradient.values);
      EXPECT_EQ(got.hessian.values, expected.hessian.values);
      EXPECT_EQ(objective->Intercept(meta, ctx), objective->Intercept(meta, {}));
    }
  }
}

TEST(LeafMethod, DecidesWhatSplitsAreChosenBy) {
  auto const meta = MetaOf({0, 1, 5});
  auto const margins = MatrixOf({1, 3, 2});
  for (std::string const name : {"reg:absoluteerror", "reg:quantileerror"}) {
    auto const hessians = [&](char const* method) {
      auto const objective = MakeObjective(name, {{"leaf_estimation_method", method}, {"quantile_alpha", "0.3"}});
      return GradientsOf(*objective, margins, meta).hessian.values;
    };
    EXPECT_EQ(hessians("auto"), hessians("smooth"));
    EXPECT_EQ(hessians("exact"), (std::vector<float>{1, 1, 1}));
    EXPECT_EQ(hessians("newton"), (std::vector<float>{1, 1, 1}));
  }
}

// Gains, which the smallest that counts is compared with, have no unit.
TEST(LeafMethod, GradientsDoNotDependOnTheUnitOfLabelsWhereLeavesAreFitted) {
  for (std::string const name : {"reg:absoluteerror", "reg:quantileerror"}) {
    for (char const* method : {"auto", "exact"}) {
      auto const objective = MakeObjective(name, {{"leaf_estimation_method", method}, {"quantile_alpha", "0.3"}});
      auto const plain = GradientsOf(*objective, MatrixOf({1, 3, 2}), MetaOf({0, 1, 5}));
      float const unit = 0x1p-40F;
      auto const small = GradientsOf(*objective, MatrixOf({unit, 3 * unit, 2 * unit}), MetaOf({0, unit, 5 * unit}));
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_FLOAT_EQ(plain.gradient.values[i], small.gradient.values[i]);
        EXPECT_FLOAT_EQ(plain.hessian.values[i], small.hessian.values[i]);
      }
    }
  }
}

TEST(LeafMethod, DecidesWhetherLeavesAreFitted) {
  for (std::string const name : {"reg:absoluteerror", "reg:quantileerror"}) {
    auto const fits = [&](char const* method) {
      return MakeObjective(name, {{"leaf_estimation_method", method}})->FitsLeaves();
    };
    EXPECT_TRUE(fits("auto") && fits("exact"));
    EXPECT_FALSE(fits("newton") || fits("smooth"));
    EXPECT_THROW(fits("Exact"), ParamError);
  }
}

TEST(MissingTargets, CountNowhere) {
  float const nan = std::nanf("");
  auto const gaps = MetaOf({1, nan, 2, 7, 4, nan, 5, 9}, 2), first = MetaOf({1, 2, 4, 5});
  for (std::string const name : {"reg:absoluteerror", "reg:quantileerror", "reg:expectileerror", "reg:huber"}) {
    for (char const* method : {"auto", "smooth"}) {
      auto const objective = MakeObjective(name, {{"leaf_estimation_method", method},
                                                  {"quantile_alpha", "0.3"},
                                                  {"expectile_alpha", "0.3"},
                                                  {"huber_quantile", "0.5"}});
      objective->CheckLabels(gaps);
      auto const got = GradientsOf(*objective, Matrix<float>(4, 2), gaps);
      auto const known = GradientsOf(*objective, Matrix<float>(4, 1), first);
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(got.gradient.View()(i, 0), known.gradient.values[i]) << name << method;
        EXPECT_EQ(got.hessian.View()(i, 1) == 0, i % 2 == 0);
      }
      auto const second = objective->Intercept(MetaOf({7, 9}), {})[0];
      EXPECT_NEAR(objective->Intercept(gaps, {})[1], second, 1e-6);
      EXPECT_THROW(objective->Intercept(MetaOf({1, nan, 2, nan}, 2), {}), DataError);
    }
  }
}

TEST(MissingTargets, LeavesAreFittedToTheOthers) {
  float const nan = std::nanf("");
  auto const meta = MetaOf({1, nan, 2, 7, 4, nan, 5, 9}, 2);
  Matrix<float> const margins(4, 2);
  std::vector<std::uint32_t> const rows{0, 1, 2, 3}, unknown{0, 2};
  for (std::string const name : {"reg:absoluteerror", "reg:huber"}) {
    EXPECT_EQ(MakeObjective(name, {})->FitLeaf({margins.View(), meta, rows, 1}), 8);
    EXPECT_EQ(MakeObjective(name, {})->FitLeaf({margins.View(), meta, unknown, 1}), 0);
  }
}

TEST(Huber, AdaptiveDeltaIsTheQuantileOfTheResidualsOfEachTarget) {
  auto const objective = MakeObjective("reg:huber", {{"huber_quantile", "0.5"}});
  auto const meta = MetaOf({1, 10, 2, 20, 3, 30}, 2);
  ObjectiveState state;
  Gradients out;
  objective->Gradient({Matrix<float>(3, 2).View(), meta, {}, 0, &state}, &out);
  EXPECT_EQ(state.at("huber_delta"), (std::vector<float>{2, 20}));
  EXPECT_EQ(out.gradient.values, (std::vector<float>{-1, -10, -2, -20, -2, -20}));
}

TEST(Huber, ALeafIsTheMedianAndTheMeanOfWhatIsLeftCutOff) {
  auto const meta = MetaOf({0, 1, 2, 3, 100}, 1, {1, 1, 1, 1, 1});
  Matrix<float> const margins(5, 1);
  std::vector<std::uint32_t> const rows{0, 1, 2, 3, 4};
  auto const fixed = MakeObjective("reg:huber", {{"huber_delta", "1.5"}});
  EXPECT_DOUBLE_EQ(fixed->FitLeaf({margins.View(), meta, rows, 0}), 2 + (-1.5 - 1 + 0 + 1 + 1.5) / 5);
  ObjectiveState const state{{"huber_delta", {50}}};
  auto const adaptive = MakeObjective("reg:huber", {{"huber_quantile", "0.9"}});
  EXPECT_DOUBLE_EQ(adaptive->FitLeaf({margins.View(), meta, rows, 0, &state}), 2 + (-2.0 - 1 + 0 + 1 + 50) / 5);
  EXPECT_EQ(adaptive->FitLeaf({margins.View(), meta, {}, 0, &state}), 0);
}

TEST(Huber, DeltaMustBePositiveAndItsQuantileAShare) {
  EXPECT_THROW(MakeObjective("reg:huber", {{"huber_delta", "0"}}), ParamError);
  EXPECT_THROW(MakeObjective("reg:huber", {{"huber_quantile", "1.1"}}), ParamError);
}

}  // namespace
}  // namespace xgbl
