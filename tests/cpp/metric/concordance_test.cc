// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "metric/metric.h"
#include "sample_meta.h"

namespace xgbl {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
ParamMap const kCox{{"objective", "survival:cox"}};

double Score(std::vector<float> const& predictions, Meta const& meta, std::string const& name = "cindex",
             ParamMap const& params = {}) {
  return MakeMetric(name, params)->Evaluate(MatrixOf(predictions).View(), meta, {});
}

float WeightOf(Meta const& meta, std::size_t row) { return meta.weights.empty() ? 1 : meta.weights[row]; }

// All pairs, one by one.
double ByDefinition(std::vector<float> const& predictions, Meta const& meta) {
  double right = 0, all = 0;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    for (std::size_t j = 0; j < predictions.size(); ++j) {
      bool const is_point = meta.label_lower[j] == meta.label_upper[j];
      bool const before =
          meta.label_upper[i] < meta.label_lower[j] || (meta.label_upper[i] == meta.label_lower[j] && !is_point);
      if (!before || std::isinf(meta.label_upper[i])) continue;
      double const weight = double{WeightOf(meta, i)} * double{WeightOf(meta, j)};
      all += weight;
      if (predictions[i] == predictions[j]) right += weight / 2;
      if (predictions[i] < predictions[j]) right += weight;
    }
  }
  return right / all;
}

std::vector<float> Rounded(std::vector<float> values) {
  for (float& value : values) value = std::round(value);
  return values;
}

// Every kind of bounds, with many ties.
Meta MixedBounds(std::size_t n) {
  Meta meta;
  meta.label_lower = Rounded(Uniform(n, 1, 20, 31));
  auto const width = Rounded(Uniform(n, 0, 4, 32));
  for (std::size_t i = 0; i < n; ++i) {
    meta.label_upper.push_back(i % 3 == 0 ? kInfinity : meta.label_lower[i] + (i % 3 == 1 ? 0.0F : width[i]));
    if (i % 10 == 9 && !std::isinf(meta.label_upper[i])) meta.label_lower[i] = 0;
  }
  return meta;
}

TEST(Concordance, IsTheShareOfPairsInOrder) {
  for (std::size_t const n : {7U, 60U, 500U}) {
    Meta meta = MixedBounds(n);
    auto const predictions = Rounded(Uniform(n, -6, 6, 33));
    EXPECT_DOUBLE_EQ(Score(predictions, meta), ByDefinition(predictions, meta)) << n;
    meta.weights = Uniform(n, 0, 3, 34);
    EXPECT_NEAR(Score(predictions, meta), ByDefinition(predictions, meta), 1e-13) << n;
  }
}

TEST(Concordance, ReadsLabelsAsTimesOfEventsAndOfLastSight) {
  // Pairs with a known order: (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), where 3 was last seen when 2 met its event.
  EXPECT_EQ(Score({1, 2, 3, 4}, MetaOf({1, 2, -2, 3})), 1);
  EXPECT_EQ(Score({1, 5, 5, 2}, MetaOf({1, 2, -2, 3})), 3.5 / 5);
  EXPECT_TRUE(std::isnan(Score({1, 2}, MetaOf({2, 2}))));    // both at one time
  EXPECT_TRUE(std::isnan(Score({1, 2}, MetaOf({-1, 2}))));   // the first may have met it later
  EXPECT_TRUE(std::isnan(Score({1, 2}, MetaOf({-1, -2}))));  // no events
}

TEST(Concordance, PredictionsAreRisksUnderCoxAndTimesElse) {
  auto const meta = MetaOf({1, 2, 3, 4});
  std::vector<float> const rising{1, 2, 3, 4};
  EXPECT_EQ(Score(rising, meta), 1);
  EXPECT_EQ(Score(rising, meta, "cindex", kCox), 0);
  EXPECT_EQ(Score(rising, meta, "cindex@risk"), 0);
  EXPECT_EQ(Score(rising, meta, "cindex@time", kCox), 1);
  EXPECT_THROW(MakeMetric("cindex@survival", {}), ParamError);
}

TEST(Concordance, BoundsComeFirstExceptUnderCox) {
  Meta meta = MetaOf({1, 2, 3});
  meta.label_lower = meta.label_upper = {3, 2, 1};
  EXPECT_EQ(Score({1, 2, 3}, meta), 0);
  EXPECT_EQ(Score({1, 2, 3}, meta, "cindex@time", kCox), 1);
}

TEST(Concordance, HandlesZerosDenormalAndInfinitePredictions) {
  EXPECT_EQ(Score({-kInfinity, -1e-45F, 0.0F, 1e-45F, kInfinity}, MetaOf({1, 2, 3, 4, 5})), 1);
  EXPECT_EQ(Score({-0.0F, 0.0F}, MetaOf({1, 2})), 0.5);
  EXPECT_TRUE(std::isnan(Score({NAN, 1}, MetaOf({1, 2}))));
}

TEST(Concordance, RefusesWhatItCannotRead) {
  EXPECT_THROW(Score({1, 2}, {}), DataError);
  EXPECT_THROW(Score({1, 2}, MetaOf({1, 2, 3})), DataError);
  EXPECT_THROW(Score({1, 2}, MetaOf({1, 2, 3, 4}, 2)), DataError);
  EXPECT_TRUE(MakeMetric("cindex", {})->HigherIsBetter());
}

}  // namespace
}  // namespace xgbl
