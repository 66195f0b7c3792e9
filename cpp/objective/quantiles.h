// SPDX-License-Identifier: Apache-2.0
// Quantiles of labels and of residuals, as XGBoost defines them. Without weights, they are interpolated between the
// order statistics around position alpha (n + 1) (Hyndman and Fan 1996, definition 6). With weights, they are the least
// value up to which there is at least a share alpha of the weight. Found by selection, in O(n) on average. Weights are
// integers, so the order in which they are added does not matter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "labels/meta.h"
#include "objective/objective.h"

namespace xgbl {

constexpr double kMedian = 0.5;

/// Values with weights, of which none is NaN.
class WeightedValues {
 public:
  explicit WeightedValues(bool weighted) : weighted_(weighted) {}

  /// NaN, and values without weight, are skipped; infinite values count as the largest finite number.
  void Add(float value, float weight) {
    constexpr float kLargest = std::numeric_limits<float>::max();
    if (value != value || !(weight > 0)) return;
    values_.push_back(std::clamp(value, -kLargest, kLargest));
    if (weighted_) weights_.push_back(weight);
  }
  std::size_t Size() const { return values_.size(); }
  /// 0 if there are none. Not const: selection reorders them.
  float Quantile(double alpha);

 private:
  float Unweighted(double alpha);
  float Weighted(double alpha);

  bool weighted_;
  std::vector<float> values_;
  std::vector<float> weights_;  // one a value, or empty
};

/// The quantile of `value(row)` over all rows by their weights; 0 without any.
template <class ValueOf>
float RowQuantile(Meta const& meta, double alpha, ValueOf const& value) {
  WeightedValues values(!meta.weights.empty());
  for (std::size_t row = 0; row < meta.labels.rows; ++row) {
    values.Add(value(row), meta.weights.empty() ? 1.0F : meta.weights[row]);
  }
  return values.Quantile(alpha);
}

/// That of one target's labels.
inline float LabelQuantile(Meta const& meta, std::size_t target, double alpha) {
  auto const labels = meta.labels.View();
  return RowQuantile(meta, alpha, [&](std::size_t row) { return labels(row, target); });
}

/// By how much the labels of one target exceed the margins of the task's output, in the rows of a leaf.
WeightedValues LeafResiduals(LeafTask const& task, std::size_t target);

/// The size of residuals, one per output, of which each label has `levels`; 0 where no weight is positive. Outliers
/// hardly move it: it is the square of the weighted mean of their square roots. Smoothed losses are smooth on a
/// fraction of it.
std::vector<float> ResidualScales(std::string const& name, MatrixView<float const> margins, Meta const& meta,
                                  std::size_t levels, Context const& ctx);

}  // namespace xgbl
