// SPDX-License-Identifier: Apache-2.0
// Huber loss: squared up to residuals of delta, absolute beyond. Friedman's M TreeBoost (2001, algorithm 4): trees are
// grown on residuals cut off at delta. A leaf gets the median of the residuals, plus the mean of what then remains, cut
// off again. Delta is fixed, or in each round the quantile of the residuals' sizes, one for each target.
#include <algorithm>
#include <cmath>

#include "objective/cells.h"
#include "objective/elementwise.h"
#include "objective/quantiles.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr char kHuberName[] = "reg:huber";
constexpr char kDelta[] = "huber_delta";  // the state: the delta of each target in the last round

struct HuberParam {
  double huber_delta = 1;
  double huber_quantile = 0;

  template <class F>
  static void Describe(F& field) {
    field(kDelta, &HuberParam::huber_delta, "Residual beyond which the Huber loss grows linearly.")
        .Above(0)
        .Needs("`huber_quantile` 0", [](HuberParam const& p) { return p.huber_quantile == 0; });
    field("huber_quantile", &HuberParam::huber_quantile,
          "If above 0, huber_delta is the quantile of this level of the residuals' sizes in each round.")
        .Range(0, 1);
  }
};

struct HuberLoss : PlainLoss<HuberParam> {
  // For the fixed delta.
  float Gradient(float prediction, float label) const {
    auto const delta = static_cast<float>(params.huber_delta);
    return std::clamp(prediction - label, -delta, delta);
  }
  static float Hessian(float /*prediction*/, float /*label*/) { return 1.0F; }
};

class Huber : public Elementwise<HuberLoss> {
 public:
  Huber() : Elementwise<HuberLoss>(kHuberName, "mae") {}

  void Gradient(GradientTask const& task, Gradients* out) const override {
    if (Param().huber_quantile == 0) return Elementwise<HuberLoss>::Gradient(task, out);
    CheckCells(kHuberName, task.margins, task.meta, 1);
    auto const deltas = Deltas(task.margins, task.meta);
    auto const derive = [&](Cell const& cell) -> CellDerivatives {
      float const delta = deltas[cell.output];
      return {std::clamp(cell.margin - cell.label, -delta, delta) * cell.weight, cell.weight};
    };
    FillCells(kHuberName, task, 1, derive, out);
    if (task.state != nullptr) (*task.state)[kDelta] = deltas;
  }

  bool FitsLeaves() const override { return true; }
  double FitLeaf(LeafTask const& task) const override {
    double const delta = DeltaOf(task);
    double const median = double{LeafResiduals(task, task.output).Quantile(kMedian)};
    auto const labels = task.meta.labels.View();
    auto const& weights = task.meta.weights;
    BufferedSum sum, total;
    for (std::uint32_t const row : task.rows) {
      float const weight = weights.empty() ? 1.0F : weights[row];
      double const residual = double{labels(row, task.output)} - double{task.margins(row, task.output)} - median;
      if (std::isnan(residual)) continue;
      sum += double{weight} * std::clamp(residual, -delta, delta);
      total += double{weight};
    }
    double const weight = total.Value();
    return weight > 0 ? median + sum.Value() / weight : 0.0;
  }

  std::vector<double> Intercept(Meta const& meta, Context const& ctx) const override {
    auto medians = LabelMean(kHuberName, meta, ctx);
    for (std::size_t k = 0; k < medians.size(); ++k) medians[k] = double{LabelQuantile(meta, k, kMedian)};
    return medians;
  }

 private:
  HuberParam const& Param() const { return GetLoss().params; }

  double DeltaOf(LeafTask const& task) const {
    if (Param().huber_quantile == 0) return Param().huber_delta;
    Ensure(task.state != nullptr && task.state->count(kDelta) != 0, "leaves of ", kHuberName,
           " fitted without its state");
    return double{task.state->at(kDelta)[task.output]};
  }

  std::vector<float> Deltas(MatrixView<float const> margins, Meta const& meta) const {
    auto const labels = meta.labels.View();
    std::vector<float> deltas;
    for (std::size_t k = 0; k < margins.columns(); ++k) {
      auto const size = [&](std::size_t row) { return std::fabs(labels(row, k) - margins(row, k)); };
      deltas.push_back(RowQuantile(meta, Param().huber_quantile, size));
    }
    return deltas;
  }
};

auto const kHuber = Register<Objective, Huber>(
                        kHuberName, "Huber loss: squared error for small residuals, absolute error for large ones.")
                        .Params<HuberParam>()
                        .Elsewhere({"huber"})
                        .Own("reg:squarederror");

}  // namespace
}  // namespace xgbl
