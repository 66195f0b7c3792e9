// SPDX-License-Identifier: Apache-2.0
// Laws that every registered metric obeys: a new one is tested here without another line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "metric/metric.h"
#include "metric/sample_metrics.h"

namespace xgbl {
namespace {

class MetricLaws : public testing::TestWithParam<std::string> {
 protected:
  static MetricSample const& Sample() { return MetricSampleOf(GetParam()); }
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

// As sums are the same in any order, they are the same for any cut of the rows: among threads, pages or machines.
TEST_P(MetricLaws, NoOrderOfRowsChangesABit) {
  std::size_t const run = Sample().rows_are_apart ? 1 : 7, rows = 7 * 3001;  // else whole queries change places
  auto predictions = Predictions(rows);
  for (std::size_t i = 0; i < rows; i += 2) {  // some of which are the same
    for (float& one : predictions.View().Row(i)) one = std::ceil(one * 64) / 65;
  }
  auto const labels = Labels(rows);
  for (double const least : {1.0, 0.0, -1.0}) {  // without weights, with some, and with some that are far smaller
    auto weights = Uniform(rows, std::max(least, 0.0), 1, 13);
    if (least < 0)
      std::transform(weights.begin(), weights.end(), weights.begin(), [](float w) { return std::pow(w, 9.0F); });
    auto const score = [&](std::vector<std::uint32_t> const& order, int threads) {
      std::vector<std::uint32_t> by_weight;
      for (std::size_t i = 0; i < rows; i += run) by_weight.push_back(static_cast<std::uint32_t>(order[i] / run));
      auto own = Rows(weights, by_weight);
      own.resize(rows);
      Context ctx;
      ctx.threads = threads;
      return Score(Rows(predictions, order),
                   Labelled(Rows(labels, order), 1, least == 1 ? std::vector<float>() : std::move(own)), ctx);
    };
    std::vector<std::uint32_t> in_order(rows);
    std::iota(in_order.begin(), in_order.end(), 0U);
    double const expected = score(in_order, 1);
    EXPECT_TRUE(std::isfinite(expected));
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      EXPECT_EQ(ToBits(score(Shuffled(rows, seed, run), static_cast<int>(1 + seed))), ToBits(expected)) << seed;
    }
  }
}

TEST_P(MetricLaws, WeightTwoEqualsTheRowTwice) {
  if (!Sample().weights_count) GTEST_SKIP() << "weights do not count";
  if (!Sample().rows_are_apart) GTEST_SKIP() << "rows are compared within queries";
  std::vector<float> weights(40, 1);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < 40; ++i) {
    rows.push_back(i);
    if (i % 3 == 0) rows.push_back(i), weights[i] = 2;
  }
  auto const predictions = Predictions(40);
  auto const doubled = Score(Rows(predictions, rows), Labelled(Rows(Labels(40), rows)));
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
