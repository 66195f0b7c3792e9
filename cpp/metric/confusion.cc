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

constexpr std::size_t kCounts = 3;  // members of ClassCount

void AddTo(double* counts, std::size_t label, std::size_t taken_for, double weight) {
  if (label == taken_for) counts[label * kCounts] += weight;
  counts[label * kCounts + 1] += weight;
  counts[taken_for * kCounts + 2] += weight;
}

ClassCounts ToCounts(double const* counts, std::size_t classes) {
  ClassCounts out(classes);
  for (std::size_t k = 0; k < classes; ++k) {
    out[k] = {counts[k * kCounts], counts[k * kCounts + 1], counts[k * kCounts + 2]};
  }
  return out;
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
  std::vector<ClassCounts> out;
  for (std::size_t k = 0; k < predictions.columns(); ++k) {
    auto const sides = ReduceBlocks(ctx, predictions.rows(), Sides{}, [&](std::size_t begin, std::size_t end) {
      return CountSides(predictions, meta, k, begin, end);
    });
    ClassCount const one{sides.both, sides.labelled, sides.taken};
    out.push_back(
        {{sides.rows - sides.labelled - sides.taken + sides.both, sides.rows - one.labelled, sides.rows - one.taken},
         one});
  }
  return out;
}

ConfusionMetric::Sides ConfusionMetric::CountSides(MatrixView<float const> predictions, Meta const& meta,
                                                   std::size_t target, std::size_t begin, std::size_t end) const {
  RowWeights const weights(meta, predictions.rows(), name_);
  auto const labels = meta.labels.View();
  Sides sum;
  for (std::size_t i = begin; i < end; ++i) {
    float const label = labels(i, target);
    if (labels.columns() > 1 && std::isnan(label)) continue;
    CheckSide(label, name_);
    // Not by branches, which nobody could foresee.
    double const weight = double{weights[i]}, of_one = weight * double{label};
    auto const taken = static_cast<double>(IsAbove(predictions(i, target)));
    sum += {weight, of_one, weight * taken, of_one * taken};
  }
  return sum;
}

ClassCounts ConfusionMetric::CountClasses(MatrixView<float const> predictions, Meta const& meta,
                                          Context const& ctx) const {
  std::size_t const classes = predictions.columns();
  RowWeights const weights(meta, predictions.rows(), name_);
  auto const& labels = meta.labels.values;
  auto const sums = SumVectors(ctx, predictions.rows(), classes * kCounts, [&](std::size_t i, double* counts) {
    AddTo(counts, ClassOf(labels[i], classes, name_), LikeliestClass(predictions.Row(i)), double{weights[i]});
  });
  return ToCounts(sums.data(), classes);
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
