// SPDX-License-Identifier: Apache-2.0
#include "metric/confusion.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/numbers.h"
#include "labels/row_weights.h"
#include "metric/multiclass.h"
#include "parallel/reduce.h"

namespace xgbl {
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
  RowWeights(meta, predictions.rows(), name_);
  auto const labels = meta.labels.View();
  bool const may_miss = labels.columns() > 1;
  std::vector<ClassCounts> out;
  for (std::size_t k = 0; k < predictions.columns(); ++k) {
    // Of all, of class 1, taken for it, and both. Not by branches, which nobody could foresee.
    auto const add = [&](std::size_t begin, std::size_t end, std::int64_t const* weights, std::int64_t* sums) {
      std::array<std::uint8_t, kReduceBlock> kinds;  // NOLINT(*-member-init)
      std::uint32_t bad = 0;
      for (std::size_t i = begin; i < end; ++i) {
        float const label = labels(i, k);
        auto const one = static_cast<std::uint8_t>(label == 1.0F), zero = static_cast<std::uint8_t>(label == 0.0F);
        auto const known = static_cast<std::uint8_t>(one | zero);
        bad |= 1U ^ (known | static_cast<std::uint32_t>(may_miss & (label != label)));
        kinds[i - begin] =
            static_cast<std::uint8_t>(known * 4 + one * 2 + static_cast<std::uint8_t>(IsAbove(predictions(i, k))));
      }
      for (std::size_t i = begin; bad != 0 && i < end; ++i) {
        if (!may_miss || !std::isnan(labels(i, k))) CheckSide(labels(i, k), name_);
      }
      for (std::size_t i = begin; i < end; ++i) sums[kinds[i - begin]] += weights[i - begin];
    };
    auto const sums = SumWeights(ctx, predictions.rows(), meta.weights, 8, add);
    double const* const known = sums.data() + 4;
    out.push_back(
        {{known[0], known[0] + known[1], known[0] + known[2]}, {known[3], known[2] + known[3], known[1] + known[3]}});
  }
  return out;
}

ClassCounts ConfusionMetric::CountClasses(MatrixView<float const> predictions, Meta const& meta,
                                          Context const& ctx) const {
  std::size_t const classes = predictions.columns();
  RowWeights(meta, predictions.rows(), name_);
  auto const add = [&](std::size_t begin, std::size_t end, std::int64_t const* weights, std::int64_t* sums) {
    std::array<std::uint32_t, kReduceBlock> taken;  // NOLINT(*-member-init)
    for (std::size_t i = begin; i < end; ++i) {
      taken[i - begin] = static_cast<std::uint32_t>(LikeliestClass(predictions.Row(i)));
    }
    for (std::size_t i = begin; i < end; ++i) {
      std::int64_t const weight = weights[i - begin];
      std::size_t const label = ClassOf(meta.labels.values[i], classes, name_);
      sums[3 * label] += label == taken[i - begin] ? weight : 0;
      sums[3 * label + 1] += weight;
      sums[3 * taken[i - begin] + 2] += weight;
    }
  };
  auto const sums = SumWeights(ctx, predictions.rows(), meta.weights, 3 * classes, add);
  ClassCounts out;
  for (std::size_t k = 0; k < classes; ++k) out.push_back({sums[3 * k], sums[3 * k + 1], sums[3 * k + 2]});
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
