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
    auto const sum = ReduceBlocks(ctx, predictions.rows(), WeightedSum{}, [&](std::size_t begin, std::size_t end) {
      WeightedSum part;
      for (std::size_t i = begin; i < end; ++i)
        AddRow(predictions.Row(i), meta.labels.View().Row(i), weights[i], &part);
      return part;
    });
    return sum.loss / sum.weight;
  }

 private:
  void AddRow(Span<float const> predictions, Span<float const> labels, float weight, WeightedSum* sum) const {
    std::size_t known = 0, right = 0;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      if (labels.size() > 1 && std::isnan(labels[k])) continue;
      ++known;
      CheckSide(labels[k], Name());
      right += (labels[k] == 1.0F) == IsAbove(predictions[k]) ? 1 : 0;
    }
    if (known > 0) sum->Add(right == known ? 1.0 : 0.0, weight);
  }
};

Registration<Metric> const kRightShare{
    "accuracy", {}, "Share of rows whose classes are all predicted correctly.", {}, [] {
      return std::make_unique<Accuracy>("accuracy");
    }};

}  // namespace
}  // namespace xgbl
