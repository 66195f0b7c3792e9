// SPDX-License-Identifier: Apache-2.0
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
    auto const add = [&](std::size_t i, WeightedTerms* terms) {
      AddRow(predictions.Row(i), meta.labels.View().Row(i), weights[i], terms);
    };
    return SumLosses(ctx, predictions.rows(), add).Mean();
  }

 private:
  void AddRow(Span<float const> predictions, Span<float const> labels, float weight, WeightedTerms* terms) const {
    std::size_t known = 0, right = 0;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      if (labels.size() > 1 && std::isnan(labels[k])) continue;
      ++known;
      CheckSide(labels[k], Name());
      right += (labels[k] == 1.0F) == IsAbove(predictions[k]) ? 1 : 0;
    }
    if (known > 0) terms->Add(right == known ? 1.0 : 0.0, weight);
  }
};

auto const kRightShare =
    Register<Metric, Accuracy>("accuracy", "Share of rows whose classes are all predicted correctly.");

}  // namespace
}  // namespace xgbl
