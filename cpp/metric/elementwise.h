// SPDX-License-Identifier: Apache-2.0
// Metrics that are the weighted mean, over all cells (row, target), of a loss of that cell. Such a loss is a small
// struct; ElementwiseMetric<Loss> makes a metric of it. A loss has
//   Loss(prediction, label)   the loss of a cell, free of branches; or, if kByBlock,
//   Losses(kernels, predictions, labels, n, out)   those of up to kReduceBlock cells
//   Final(mean)               the metric from the mean of the losses
//   kLabels, Allows(label)    which labels it is defined on, in words (nullptr: all that there are), and as a test
// NaN labels mark unknown targets and are left out. Without rows, or with all weights 0, the mean is 0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"
#include "labels/row_weights.h"
#include "metric/metric.h"
#include "parallel/reduce.h"
#include "simd/loss_kernels.h"

namespace xgbl {

/// A sum of weighted losses and of their weights.
struct WeightedSum {
  ExactSum loss;
  ExactSum weight;

  WeightedSum& operator+=(WeightedSum const& other) {
    loss += other.loss;
    weight += other.weight;
    return *this;
  }
  /// NaN without rows.
  double Mean() const { return loss.Value() / weight.Value(); }
  /// 0 without rows, or if no weight is positive.
  double MeanOrZero() const { return weight.Value() == 0 ? loss.Value() : Mean(); }
};

struct AllKnown {
  bool operator()(std::size_t /*cell*/) const { return true; }
};

/// The sum over the cells of a matrix in row order: `losses(begin, end, out)` computes those of a block of them, and
/// those count that are `known(cell)`.
template <class Losses, class Known = AllKnown>
WeightedSum SumBlocks(Context const& ctx, RowWeights const& weights, std::size_t rows, std::size_t columns,
                      Losses&& losses, Known const& known = {}) {
  return ReduceRows(ctx, rows * columns, WeightedSum(), [&](std::size_t begin, std::size_t end, WeightedSum* sum) {
    std::array<double, kReduceBlock> loss, factor;  // NOLINT(*-init)
    std::size_t const n = end - begin;
    losses(begin, end, loss.data());
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < n; ++i) count += known(begin + i) ? 1U : 0U;
    bool const some_unknown = count < n;
    for (std::size_t i = 0; some_unknown && i < n; ++i) loss[i] = known(begin + i) ? loss[i] : 0.0;
    if (weights.Given()) {
      std::array<float, kReduceBlock> weight;  // NOLINT(*-member-init)
      weights.Fill(begin, end, columns, weight.data());
      for (std::size_t i = 0; some_unknown && i < n; ++i) weight[i] = known(begin + i) ? weight[i] : 0.0F;
      for (std::size_t i = 0; i < n; ++i) {
        factor[i] = double{weight[i]};
        loss[i] *= factor[i];
      }
      sum->weight.Add(factor.data(), n, ctx.simd);
    } else {
      sum->weight += static_cast<double>(count);
    }
    sum->loss.Add(loss.data(), n, ctx.simd);
  });
}

/// The same where `loss(cell)` has that of one cell.
template <class Loss, class Known = AllKnown>
WeightedSum SumLosses(Context const& ctx, RowWeights const& weights, std::size_t rows, std::size_t columns, Loss&& loss,
                      Known const& known = {}) {
  auto const losses = [&](std::size_t begin, std::size_t end, double* out) {
    for (std::size_t i = begin; i < end; ++i) out[i - begin] = loss(i);
  };
  return SumBlocks(ctx, weights, rows, columns, losses, known);
}

/// What most losses share; others shadow it.
struct MeanLoss {
  static constexpr bool kByBlock = false;
  static constexpr char const* kLabels = nullptr;
  static bool Allows(float /*label*/) { return true; }
  static double Final(double mean) { return mean; }
};

/// Chances of two classes.
struct ShareLoss : MeanLoss {
  static constexpr char const* kLabels = "labels from 0 to 1";
  static bool Allows(float label) { return label >= 0.0F && label <= 1.0F; }
};

/// Counts and amounts.
struct AmountLoss : MeanLoss {
  static constexpr char const* kLabels = "labels of 0 or more";
  static bool Allows(float label) { return label >= 0.0F; }
};

template <class Loss>
class ElementwiseMetric : public Metric {
 public:
  explicit ElementwiseMetric(std::string name) : name_(std::move(name)) {}

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const& labels = meta.labels;
    bool const fits =
        labels.rows == predictions.rows() && (predictions.empty() || labels.columns == predictions.columns());
    Require<DataError>(fits, "`", name_, "` needs one label for each prediction: ", predictions.rows(), " x ",
                       predictions.columns(), "; got labels for ", labels.rows, " x ", labels.columns,
                       ". For one label among several classes use `merror` or `mlogloss`.");
    RowWeights const weights(meta, predictions.rows(), name_);
    float const* const label = labels.values.data();
    auto const losses = [&](std::size_t begin, std::size_t end, double* out) {
      if constexpr (Loss::kLabels != nullptr) CheckLabels(label + begin, end - begin, labels.columns > 1);
      if constexpr (Loss::kByBlock) {
        loss_.Losses(LossKernels::Of(ctx.simd), predictions.data() + begin, label + begin, end - begin, out);
      } else {
        for (std::size_t i = begin; i < end; ++i) out[i - begin] = double{loss_.Loss(predictions.data()[i], label[i])};
      }
    };
    auto const known = [label](std::size_t cell) { return label[cell] == label[cell]; };
    auto const sum = SumBlocks(ctx, weights, predictions.rows(), predictions.columns(), losses, known);
    return loss_.Final(sum.MeanOrZero());
  }

 protected:
  Loss loss_;

 private:
  void CheckLabels(float const* labels, std::size_t n, bool may_miss) const {
    auto const good = [may_miss](float label) { return Loss::Allows(label) || (may_miss && label != label); };
    std::uint32_t bad = 0;  // no early end, so that the loop becomes vector code
    for (std::size_t i = 0; i < n; ++i) bad |= good(labels[i]) ? 0U : 1U;
    if (bad == 0) return;
    throw DataError(
        Text("`", name_, "` needs ", Loss::kLabels, "; got ", *std::find_if_not(labels, labels + n, good), "."));
  }

  std::string name_;
};

/// The weighted mean, over rows, of a loss of one class label against a prediction for each class. Such a loss is a
/// struct with Loss(row of predictions, label). Without rows the mean is NaN.
template <class Loss>
class MulticlassMetric : public Metric {
 public:
  explicit MulticlassMetric(std::string name) : name_(std::move(name)) {}

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const& labels = meta.labels;
    Require<DataError>(labels.columns <= 1 && labels.rows == predictions.rows(), "`", name_,
                       "` needs one label for each of ", predictions.rows(), " rows; got labels for ", labels.rows,
                       " x ", labels.columns, ".");
    RowWeights const weights(meta, predictions.rows(), name_);
    auto const loss = [&](std::size_t i) {
      return double{loss_.Loss(predictions.Row(i), ClassOf(labels.values[i], predictions.columns(), name_))};
    };
    return SumLosses(ctx, weights, predictions.rows(), 1, loss).Mean();
  }

 protected:
  Loss loss_;

 private:
  std::string name_;
};

}  // namespace xgbl
