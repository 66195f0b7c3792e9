// SPDX-License-Identifier: Apache-2.0
#include "metric/confusion.h"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

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
    // Weights of all rows, of those of class 1, of those taken for it, and of both. Not by branches, which nobody could
    // foresee.
    auto const add = [&](std::size_t begin, std::size_t end, SumArray<ExactSum>* sums) {
      std::array<std::array<std::uint8_t, kReduceBlock>, 4> counts;  // NOLINT(*-member-init)
      bool const may_miss = labels.columns() > 1;
      std::uint32_t bad = 0;
      for (std::size_t i = begin; i < end; ++i) {
        float const label = labels(i, k);
        auto const one = static_cast<std::uint8_t>(label == 1.0F), zero = static_cast<std::uint8_t>(label == 0.0F);
        auto const known = static_cast<std::uint8_t>(one | zero);
        auto const taken = static_cast<std::uint8_t>(known & static_cast<std::uint8_t>(IsAbove(predictions(i, k))));
        bad |= 1U ^ (known | static_cast<std::uint32_t>(may_miss & (label != label)));
        counts[0][i - begin] = known;
        counts[1][i - begin] = one;
        counts[2][i - begin] = taken;
        counts[3][i - begin] = one & taken;
      }
      for (std::size_t i = begin; bad != 0 && i < end; ++i) {
        if (!may_miss || !std::isnan(labels(i, k))) CheckSide(labels(i, k), name_);
      }
      for (std::size_t j = 0; j < counts.size(); ++j) {
        if (weights.Given()) {
          std::array<double, kReduceBlock> terms;  // NOLINT(*-member-init)
          for (std::size_t i = begin; i < end; ++i) terms[i - begin] = double{weights[i]} * counts[j][i - begin];
          (*sums)[j].Add(terms.data(), end - begin);
        } else {
          (*sums)[j] += std::accumulate(counts[j].data(), counts[j].data() + (end - begin), std::uint32_t{0});
        }
      }
    };
    auto const sides = ReduceRows(ctx, predictions.rows(), SumArray<ExactSum>(4), add).Values();
    double const rows = sides[0], labelled = sides[1], taken = sides[2], both = sides[3];
    out.push_back({{rows - labelled - taken + both, rows - labelled, rows - taken}, {both, labelled, taken}});
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
