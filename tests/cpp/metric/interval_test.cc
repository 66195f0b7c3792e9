// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "metric/metric.h"
#include "sample_meta.h"

namespace xgbl {
namespace {

double Score(std::string const& name, Matrix<float> const& predictions, Meta const& meta) {
  return MakeMetric(name, {})->Evaluate(predictions.View(), meta, {});
}

// Low, middle, high; the ends of the last row have crossed.
Matrix<float> Quantiles() { return MatrixOf({0, 1, 2, 0, 1, 4, -1, 0, 1, 3, 2, 1}, 3); }

TEST(IntervalMetrics, LookAtTheFirstAndTheLastPrediction) {
  auto const meta = MetaOf({2, 5, 0, 2});  // at the end, above, inside, within crossed ends
  EXPECT_EQ(Score("interval-coverage", Quantiles(), meta), 0.5);
  EXPECT_EQ(Score("interval-width", Quantiles(), meta), (2 + 4 + 2 + 0) / 4.0);
}

TEST(IntervalMetrics, AreWeighted) {
  auto const meta = MetaOf({2, 5, 0, 2}, 1, {1, 2, 4, 1});
  EXPECT_EQ(Score("interval-coverage", Quantiles(), meta), 5.0 / 8);
  EXPECT_EQ(Score("interval-width", Quantiles(), meta), (2 + 8 + 8 + 0) / 8.0);
}

TEST(IntervalMetrics, CoverageMayBeMeasuredAgainstWhatWasAimedAt) {
  auto const meta = MetaOf({2, 5, 0, 2});
  EXPECT_DOUBLE_EQ(Score("interval-coverage@0.9", Quantiles(), meta), 0.4);
  EXPECT_DOUBLE_EQ(Score("interval-coverage@0.25", Quantiles(), meta), 0.25);
  EXPECT_TRUE(MakeMetric("interval-coverage", {})->HigherIsBetter());
  EXPECT_FALSE(MakeMetric("interval-coverage@0.9", {})->HigherIsBetter());
  EXPECT_FALSE(MakeMetric("interval-width", {})->HigherIsBetter());
  for (char const* bad : {"x", "0", "-0.5", "1.5", "nan"}) {
    EXPECT_THROW(MakeMetric(std::string("interval-coverage@") + bad, {}), ParamError) << bad;
  }
  EXPECT_THROW(MakeMetric("interval-width@0.9", {}), ParamError);
}

TEST(IntervalMetrics, NeedTwoPredictionsARow) {
  for (char const* name : {"interval-coverage", "interval-width"}) {
    EXPECT_THROW(Score(name, MatrixOf({1, 2}), MetaOf({1, 2})), DataError);
    EXPECT_EQ(Score(name, MatrixOf({}, 2), MetaOf({})), 0);
  }
}

TEST(IntervalMetrics, NanPredictionsCoverNothingAndHaveNoWidth) {
  auto const predictions = MatrixOf({NAN, 1, 0, NAN}, 2);
  EXPECT_EQ(Score("interval-coverage", predictions, MetaOf({0, 0})), 0);
  EXPECT_TRUE(std::isnan(Score("interval-width", predictions, MetaOf({0, 0}))));
}

}  // namespace
}  // namespace xgbl
