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

/// Collects losses.
class WeightedTerms {
 public:
  void Add(double value, float factor) {
    loss_ += value * double{factor};
    if (factor == 1.0F) {
      ++ones_;
    } else {
      weight_ += double{factor};
    }
  }
  void AddTo(WeightedSum* sum) {
    sum->loss += loss_.Exact();
    sum->weight += weight_.Exact();
    sum->weight += static_cast<double>(ones_);
  }

 private:
  BufferedSum loss_, weight_;
  std::size_t ones_ = 0;  // most data have no weights
};

/// The sum over all rows: `add(row, terms)` adds the losses of a row.
template <class AddRow>
WeightedSum SumLosses(Context const& ctx, std::size_t rows, AddRow&& add) {
  return ReduceRows(ctx, rows, WeightedSum(), [&](std::size_t begin, std::size_t end, WeightedSum* sum) {
    WeightedTerms terms;
    for (std::size_t i = begin; i < end; ++i) add(i, &terms);
    terms.AddTo(sum);
  });
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
    auto const add = [&](std::size_t begin, std::size_t end, WeightedSum* sum) {
      std::array<float, kReduceBlock> weight;  // NOLINT(*-member-init)
      if (weights.Given()) weights.Fill(begin, end, predictions.columns(), weight.data());
      if constexpr (Loss::kLabels != nullptr)
        CheckLabels(labels.values.data() + begin, end - begin, labels.columns > 1);
      AddCells(predictions.data() + begin, labels.values.data() + begin, weights.Given() ? weight.data() : nullptr,
               end - begin, LossKernels::Of(ctx.simd), sum);
    };
    return loss_.Final(ReduceRows(ctx, predictions.size(), WeightedSum(), add).MeanOrZero());
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

  // Without `weights` all are 1.
  void AddCells(float const* predictions, float const* labels, float const* weights, std::size_t n,
                [[maybe_unused]] LossKernels const& kernels, WeightedSum* sum) const {
    std::array<double, kReduceBlock> losses, factors;  // NOLINT(*-init)
    if constexpr (Loss::kByBlock) {
      loss_.Losses(kernels, predictions, labels, n, losses.data());
    } else {
      for (std::size_t i = 0; i < n; ++i) losses[i] = double{loss_.Loss(predictions[i], labels[i])};
    }
    if (weights == nullptr) {
      std::uint32_t known = 0;
      for (std::size_t i = 0; i < n; ++i) {
        known += labels[i] == labels[i] ? 1U : 0U;
        losses[i] = labels[i] == labels[i] ? losses[i] : 0.0;
      }
      sum->weight += static_cast<double>(known);
    } else {
      for (std::size_t i = 0; i < n; ++i) {
        factors[i] = labels[i] == labels[i] ? double{weights[i]} : 0.0;
        losses[i] = labels[i] == labels[i] ? losses[i] * factors[i] : 0.0;
      }
      sum->weight.Add(factors.data(), n);
    }
    sum->loss.Add(losses.data(), n);
  }

  std::string name_;
};

}  // namespace xgbl
