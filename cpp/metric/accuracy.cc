// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "metric/confusion.h"
#include "metric/elementwise.h"

namespace xgbl {
namespace {

/// A row with several targets is right if all that it has are.
class Accuracy : public ConfusionMetric {
 public:
  using ConfusionMetric::ConfusionMetric;

 protected:
  double Score(ClassCounts const& classes) const override {
    double right = 0, rows = 0;
    for (auto const& one : classes) {
      right += one.right;
      rows += one.labelled;
    }
    return right / rows;
  }

  double EvaluateTargets(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    if (predictions.columns() == 1) return ConfusionMetric::EvaluateTargets(predictions, meta, ctx);
    RowWeights const weights(meta, predictions.rows(), Name());
    auto const labels = meta.labels.View();
    auto const right = [&](std::size_t i) { return IsRight(predictions.Row(i), labels.Row(i)) ? 1.0 : 0.0; };
    auto const known = [&](std::size_t i) {
      auto const row = labels.Row(i);
      return std::any_of(row.begin(), row.end(), [](float label) { return !std::isnan(label); });
    };
    return SumLosses(ctx, weights, predictions.rows(), 1, right, known).Mean();
  }

 private:
  bool IsRight(Span<float const> predictions, Span<float const> labels) const {
    bool right = true;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      if (std::isnan(labels[k])) continue;
      CheckSide(labels[k], Name());
      right &= (labels[k] == 1.0F) == IsAbove(predictions[k]);
    }
    return right;
  }
};

auto const kRightShare =
    Register<Metric, Accuracy>("accuracy", "Share of rows whose classes are all predicted correctly.");

}  // namespace
}  // namespace xgbl
