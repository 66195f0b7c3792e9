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
namespace {

constexpr std::size_t kKinds = 8;  // of cells: known or not, of class 1 or not, taken for it or not

/// Some cells of a target.
struct TargetCells {
  float const* labels;
  float const* predictions;
  std::size_t targets;  // cells from one to the next in both
  float threshold;
};

// Every second row has kinds of its own, so that no addition waits for the one before it. False if some label is not
// allowed. Not by branches, which nobody could foresee.
bool FillKinds(TargetCells const& cells, std::size_t count, std::uint8_t* kinds) {
  std::size_t const stride = cells.targets;
  float const threshold = cells.threshold;
  std::uint32_t bad = 0;
  for (std::size_t i = 0; i < count; ++i) {
    float const label = cells.labels[i * stride];
    auto const one = static_cast<std::uint8_t>(label == 1.0F), zero = static_cast<std::uint8_t>(label == 0.0F);
    auto const above = static_cast<std::uint8_t>(cells.predictions[i * stride] > threshold);
    auto const known = static_cast<std::uint8_t>(one | zero);
    bad |= 1U ^ (known | static_cast<std::uint32_t>((stride > 1) & (label != label)));
    kinds[i] = static_cast<std::uint8_t>(kKinds * (i % 2) + 4 * known + 2 * one + above);
  }
  return bad == 0;
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
  RowWeights(meta, predictions.rows(), name_);
  auto const labels = meta.labels.View();
  auto const add = [&](std::size_t begin, std::size_t end, std::int64_t const* weights, std::int64_t* sums) {
    for (std::size_t k = 0; k < labels.columns(); ++k, sums += kKinds) {
      std::array<std::uint8_t, kReduceBlock> kinds;  // NOLINT(*-member-init)
      std::size_t const first = begin * labels.columns() + k;
      bool const good = FillKinds({labels.data() + first, predictions.data() + first, labels.columns(), threshold_},
                                  end - begin, kinds.data());
      for (std::size_t i = begin; !good && i < end; ++i) {
        if (labels.columns() == 1 || !std::isnan(labels(i, k))) CheckSide(labels(i, k), name_);
      }
      std::array<std::int64_t, 2 * kKinds> own{};
      for (std::size_t i = 0; i < end - begin; ++i) own[kinds[i]] += weights[i];
      for (std::size_t kind = 0; kind < kKinds; ++kind) sums[kind] += own[kind] + own[kKinds + kind];
    }
  };
  auto const sums = SumWeights(ctx, predictions.rows(), meta.weights, kKinds * labels.columns(), add);
  std::vector<ClassCounts> out;
  for (std::size_t k = 0; k < labels.columns(); ++k) {
    double const* const known = sums.data() + kKinds * k + 4;
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
