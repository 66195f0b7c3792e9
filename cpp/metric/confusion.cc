// SPDX-License-Identifier: Apache-2.0
#include "metric/confusion.h"

#include <cmath>
#include <limits>

#include "base/numbers.h"
#include "labels/row_weights.h"
#include "metric/multiclass.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

ClassCount CountOf(WeightSum const& right, WeightSum const& missed, WeightSum const& wrong) {
  return {right.Value(), (right + missed).Value(), (right + wrong).Value()};
}

}  // namespace

void ConfusionMetric::SetArgument(std::string const& argument) {
  Require<ParamError>(ParseNumber(argument, &threshold_), "`", name_, "@` needs a number as the threshold; got `",
                      argument, "`.");
}

double ConfusionMetric::Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
  auto const& labels = meta.labels;
  bool const targets = labels.columns == predictions.columns();
  Require<DataError>(labels.rows == predictions.rows() && (predictions.empty() || targets || labels.columns == 1), "`",
                     name_, "` needs one label a row, or one for each prediction: ", predictions.rows(), " x ",
                     predictions.columns(), "; got labels for ", labels.rows, " x ", labels.columns, ".");
  if (predictions.empty() || !AllNumbers(predictions.Flat(), ctx)) return std::numeric_limits<double>::quiet_NaN();
  return targets ? EvaluateTargets(predictions, meta, ctx) : Score(CountClasses(predictions, meta, ctx));
}

double ConfusionMetric::EvaluateTargets(MatrixView<float const> predictions, Meta const& meta,
                                        Context const& ctx) const {
  auto const counts = CountTargets(predictions, meta, ctx);
  return counts.size() == 1 ? Score(counts[0]) : ScoreOfMany(counts);
}

std::vector<ClassCounts> ConfusionMetric::CountTargets(MatrixView<float const> predictions, Meta const& meta,
                                                       Context const& ctx) const {
  RowWeights const weights(meta, predictions.rows(), name_);
  auto const labels = meta.labels.View();
  std::vector<ClassCounts> out;
  for (std::size_t k = 0; k < predictions.columns(); ++k) {
    // By label and side, without a branch, which nobody could foresee.
    auto const cells = SumWeights(ctx, predictions.rows(), 4, [&](std::size_t i, WeightSum* sums) {
      float const label = labels(i, k);
      if (labels.columns() > 1 && std::isnan(label)) return;
      CheckSide(label, name_);
      sums[2 * static_cast<std::size_t>(label) + static_cast<std::size_t>(IsAbove(predictions(i, k)))] += weights[i];
    });
    out.push_back({CountOf(cells[0], cells[1], cells[2]), CountOf(cells[3], cells[2], cells[1])});
  }
  return out;
}

ClassCounts ConfusionMetric::CountClasses(MatrixView<float const> predictions, Meta const& meta,
                                          Context const& ctx) const {
  std::size_t const classes = predictions.columns();
  RowWeights const weights(meta, predictions.rows(), name_);
  auto const& labels = meta.labels.values;
  // Of each class: right, missed, and taken for it by mistake.
  auto const sums = SumWeights(ctx, predictions.rows(), 3 * classes, [&](std::size_t i, WeightSum* sum) {
    std::size_t const label = ClassOf(labels[i], classes, name_), taken = LikeliestClass(predictions.Row(i));
    sum[3 * label + (label == taken ? 0 : 1)] += weights[i];
    if (label != taken) sum[3 * taken + 2] += weights[i];
  });
  ClassCounts out;
  for (std::size_t k = 0; k < classes; ++k) out.push_back(CountOf(sums[3 * k], sums[3 * k + 1], sums[3 * k + 2]));
  return out;
}

double ConfusionMetric::ScoreOfMany(std::vector<ClassCounts> const& targets) const {
  double sum = 0, known = 0;
  for (auto const& counts : targets) {
    double const score = Score(counts);
    if (std::isnan(score)) continue;
    sum += score;
    known += 1;
  }
  return sum / known;
}

}  // namespace xgbl
