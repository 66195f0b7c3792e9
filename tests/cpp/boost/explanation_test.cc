// SPDX-License-Identifier: Apache-2.0
#include "boost/explanation.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "base/error.h"
#include "boost/training.h"

namespace xgbl {
namespace {

constexpr ExplanationKind kKinds[] = {ExplanationKind::kContributions, ExplanationKind::kPathContributions,
                                      ExplanationKind::kInteractions, ExplanationKind::kPathInteractions};

Explanation Explained(Learner const& learner, DMatrix const& data, ExplanationKind kind) {
  return Explain(learner, data, {kind, {}, nullptr}, {});
}

TEST(Explanation, EveryKindAddsUpToTheMargin) {
  auto const data = Training(60);
  Booster const booster = Trained({{"objective", "binary:logistic"}, {"max_depth", "3"}}, data, 3);
  auto const margins = booster.Predict(*data, PredictionKind::kMargin, {}).values;
  for (ExplanationKind const kind : kKinds) {
    Explanation const found = Explained(*booster.Snapshot(), *data, kind);
    EXPECT_EQ(found.width, 4U);
    EXPECT_EQ(found.values.columns, found.square ? 16U : 4U);
    for (std::size_t row = 0; row < 60; ++row) {
      double sum = 0;
      for (float const value : found.values.View().Row(row)) sum += double{value};
      EXPECT_NEAR(sum, double{margins[row]}, 1e-5);
    }
  }
}

TEST(Explanation, BeforeTheFirstRoundThereIsOnlyTheIntercept) {
  Booster booster;
  booster.SetParams({{"base_score", "0.25"}});
  for (ExplanationKind const kind : kKinds) {
    auto const found = Explained(*booster.Snapshot(), *Training(1), kind).values.values;
    EXPECT_EQ(found.back(), 0.25F);
    EXPECT_EQ(found.front(), 0.0F);
  }
}

// A file may say what it likes of features that no tree uses, and sparse rows need not have them.
TEST(Explanation, FeaturesBeyondAllMemoryAreRefused) {
  Booster booster = Trained({{"max_depth", "1"}}, Training(), 1);
  SparseRows rows;
  rows.columns = 1;
  rows.row_begin.push_back(0);
  DMatrix const data{FeatureMatrix(rows), Meta()};
  for (std::size_t const features : {(std::size_t{1} << 32U) - 1, std::size_t{1} << 40U}) {
    booster.EditModel([&](Model* model) { model->num_features = features; });
    for (ExplanationKind const kind : {ExplanationKind::kInteractions, ExplanationKind::kPathInteractions}) {
      EXPECT_THROW(Explained(*booster.Snapshot(), data, kind), DataError);
    }
  }
  booster.EditModel([](Model* model) { model->num_features = std::numeric_limits<std::int64_t>::max(); });
  EXPECT_THROW(Explained(*booster.Snapshot(), data, ExplanationKind::kContributions), DataError);
}

TEST(Explanation, ABackgroundNeedsRowsAndContributions) {
  auto const data = Training(20);
  Booster const booster = Trained({{"max_depth", "2"}}, data, 1);
  auto const with = [&](ExplanationKind kind, DMatrix const& background) {
    return Explain(*booster.Snapshot(), *data, {kind, {}, &background}, {});
  };
  EXPECT_NO_THROW(with(ExplanationKind::kContributions, *data));
  EXPECT_THROW(with(ExplanationKind::kContributions, *Training(0)), DataError);
  EXPECT_THROW(with(ExplanationKind::kInteractions, *data), ParamError);
}

TEST(Explanation, MarginalsOfAllFeaturesAreTheMargins) {
  auto const data = Training(30);
  auto const learner = Trained({{"max_depth", "3"}}, data, 2).Snapshot();
  auto const margins = learner->Predict(*data, PredictionKind::kMargin, {}, false, {}).values;
  auto const all = Marginals(*learner, *data, {0, 1, 2}, {}).values;
  for (std::size_t row = 0; row < 30; ++row) EXPECT_NEAR(all[row], margins[row], 1e-6);
  auto const none = Marginals(*learner, *data, {}, {}).values;
  EXPECT_EQ(none.front(), none.back());
}

}  // namespace
}  // namespace xgbl
