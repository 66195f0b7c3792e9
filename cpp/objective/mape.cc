// SPDX-License-Identifier: Apache-2.0
// Absolute error as a share of the label, or of 1 for labels below 1. This is absolute error with weights, so leaves
// get the weighted median of the residuals (Friedman 2001, LAD TreeBoost).
#include <cmath>

#include "labels/row_weights.h"
#include "objective/elementwise.h"
#include "objective/quantiles.h"

namespace xgbl {
namespace {

constexpr char kMapeName[] = "reg:mape";

struct Mape : PlainLoss<NoParam> {
  static float LabelWeight(float label) {
    float const size = std::fabs(label);
    return 1.0F / (size > 1.0F ? size : 1.0F);
  }
  static float Gradient(float prediction, float label) {
    return static_cast<float>(prediction > label) - static_cast<float>(prediction < label);
  }
  static float Hessian(float /*prediction*/, float /*label*/) { return 1.0F; }
};

class MapeObjective : public Elementwise<Mape> {
 public:
  MapeObjective() : Elementwise(kMapeName, "mape") {}

  bool FitsLeaves() const override { return true; }
  double FitLeaf(LeafTask const& task) const override {
    RowWeights const weights(task.meta, task.margins.rows(), kMapeName);
    WeightedValues rest(true);
    for (std::uint32_t const row : task.rows) {
      float const label = task.meta.labels.View()(row, task.output);
      rest.Add(label - task.margins(row, task.output), weights[row] * Mape::LabelWeight(label));
    }
    return double{rest.Quantile(kMedian)};
  }

  std::vector<double> Intercept(Meta const& meta, Context const& ctx) const override {
    auto best = Elementwise::Intercept(meta, ctx);  // checks weights
    auto const labels = meta.labels.View();
    RowWeights const weights(meta, labels.rows(), kMapeName);
    for (std::size_t k = 0; k < labels.columns(); ++k) {
      WeightedValues column(true);
      for (std::size_t i = 0; i < labels.rows(); ++i) {
        column.Add(labels(i, k), weights[i] * Mape::LabelWeight(labels(i, k)));
      }
      best[k] = double{column.Quantile(kMedian)};
    }
    return best;
  }
};

auto const kMape = Register<Objective, MapeObjective>(
                       kMapeName, "Absolute error as a share of the label: for labels whose ratios matter.")
                       .Alias({"mape"})
                       .Elsewhere({"mean_absolute_percentage_error"})
                       .Own("reg:squarederror");

}  // namespace
}  // namespace xgbl
