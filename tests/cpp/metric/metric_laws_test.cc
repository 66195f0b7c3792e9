// SPDX-License-Identifier: Apache-2.0
// Laws that every registered metric obeys: a new one is tested here without another line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "metric/metric.h"
#include "metric/sample_metrics.h"

namespace xgbl {
namespace {

class MetricLaws : public testing::TestWithParam<std::string> {
 protected:
  static MetricSample const& Sample() { return SampleOf(GetParam()); }
  static std::size_t Outputs() { return Sample().outputs; }

  static Meta Labelled(std::vector<float> labels, std::size_t targets = 1, std::vector<float> weights = {}) {
    Meta meta = MetaOf(std::move(labels), targets, std::move(weights));
    Sample().complete(&meta);
    return meta;
  }

  static double Score(Matrix<float> const& predictions, Meta const& meta, Context const& ctx = {}) {
    return MakeMetric(GetParam(), Sample().params)->Evaluate(predictions.View(), meta, ctx);
  }

  static Matrix<float> Predictions(std::size_t rows) {
    return MatrixOf(Uniform(rows * Outputs(), 0.01, 0.99, 11), Outputs());
  }

  static std::vector<float> Labels(std::size_t rows) {
    std::vector<float> labels = Uniform(rows, Sample().least_label, Sample().labels, 12);
    for (float& label : labels) label = std::floor(label);
    return labels;
  }

  static Matrix<float> Rows(Matrix<float> const& from, std::vector<std::size_t> const& rows) {
    Matrix<float> out(rows.size(), from.columns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto const row = from.View().Row(rows[i]);
      std::copy(row.begin(), row.end(), out.View().Row(i).begin());
    }
    return out;
  }
};

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (auto const& [name, entry] : Registry<Metric>::Get().Entries()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, MetricLaws, testing::ValuesIn(Names()), [](auto const& param_info) {
  std::string name = param_info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST_P(MetricLaws, HasADocOfOneSentence) {
  auto const& doc = Registry<Metric>::Get().At(GetParam(), "metric").doc;
  EXPECT_TRUE(!doc.empty() && doc.back() == '.') << doc;
}

TEST_P(MetricLaws, BitsDependNeitherOnThreadsNorOnInstructionSet) {
  auto const predictions = Predictions(20011);
  auto const meta = Labelled(Labels(20011), 1, Uniform(20011, 0, 2, 13));
  double const expected = Score(predictions, meta);
  EXPECT_TRUE(std::isfinite(expected));
  for (auto const& ctx : AllContexts()) EXPECT_EQ(Score(predictions, meta, ctx), expected);
}

TEST_P(MetricLaws, OrderOfRowsDoesNotMatter) {
  if (!Sample().rows_are_apart) GTEST_SKIP() << "rows are compared within queries";
  auto const predictions = Predictions(5003);
  auto const labels = MatrixOf(Labels(5003)), weights = MatrixOf(Uniform(5003, 0, 2, 13));
  std::vector<std::size_t> order(5003);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i * 1789 % order.size();
  double const moved =
      Score(Rows(predictions, order), Labelled(Rows(labels, order).values, 1, Rows(weights, order).values));
  EXPECT_NEAR(moved, Score(predictions, Labelled(labels.values, 1, weights.values)), 1e-12);
}

TEST_P(MetricLaws, WeightTwoEqualsTheRowTwice) {
  if (!Sample().weights_count) GTEST_SKIP() << "weights do not count";
  if (!Sample().rows_are_apart) GTEST_SKIP() << "rows are compared within queries";
  std::vector<float> weights(40, 1);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < 40; ++i) {
    rows.push_back(i);
    if (i % 3 == 0) rows.push_back(i), weights[i] = 2;
  }
  auto const predictions = Predictions(40);
  auto const doubled = Score(Rows(predictions, rows), Labelled(Rows(MatrixOf(Labels(40)), rows).values));
  EXPECT_NEAR(Score(predictions, Labelled(Labels(40), 1, weights)), doubled, 1e-12);
}

TEST_P(MetricLaws, OneFactorOnAllWeightsChangesNothing) {
  if (!Sample().weights_are_relative) GTEST_SKIP() << "weights have a scale";
  auto const predictions = Predictions(50);
  auto const halves = Labelled(Labels(50), 1, std::vector<float>(50, 0.5F));
  EXPECT_NEAR(Score(predictions, halves), Score(predictions, Labelled(Labels(50))), 1e-12);
}

TEST_P(MetricLaws, LabelsAsPredictionsAreBetterThanOthers) {
  if (!Sample().labels_are_best) GTEST_SKIP() << "predictions are of another kind than labels";
  auto const meta = Labelled(Labels(60));
  Matrix<float> right(60, Outputs());
  for (std::size_t i = 0; i < 60; ++i) {
    float const label = meta.labels.values[i];
    for (std::size_t k = 0; k < Outputs(); ++k) {
      bool const of_class = label == static_cast<float>(k);
      right.View()(i, k) = Outputs() == 1 ? std::max(label, 0.01F) : (of_class ? 0.98F : 0.01F);
    }
  }
  double const best = Score(right, meta), other = Score(Predictions(60), meta);
  bool const higher = MakeMetric(GetParam(), Sample().params)->HigherIsBetter();
  EXPECT_TRUE(higher ? best > other : best < other) << best << " and " << other;
}

TEST_P(MetricLaws, OneRowAndConstantLabelsDoNotFail) {
  for (std::size_t const rows : {1U, 7U}) {
    double const score =
        Score(Predictions(rows), Labelled(std::vector<float>(rows, static_cast<float>(Sample().least_label))));
    EXPECT_TRUE(std::isfinite(score) || !Sample().one_label_suffices);
  }
}

TEST_P(MetricLaws, EmptyDataGiveZeroOrNan) {
  double const score = Score(Matrix<float>(0, Outputs()), Labelled({}));
  EXPECT_TRUE(score == 0 || std::isnan(score));
}

TEST_P(MetricLaws, WrongShapesAreRefused) {
  auto const predictions = Predictions(4);
  EXPECT_THROW(Score(predictions, Labelled({})), DataError);
  EXPECT_THROW(Score(predictions, Labelled(Labels(3))), DataError);
  EXPECT_THROW(Score(predictions, Labelled(Labels(4), 1, {1, 2})), DataError);
  EXPECT_THROW(Score(predictions, Labelled(Labels(8), 2)), DataError);
}

}  // namespace
}  // namespace xgbl
