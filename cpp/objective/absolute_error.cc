// SPDX-License-Identifier: Apache-2.0
// Least absolute deviation (Friedman 2001, LAD TreeBoost): leaves get the median of the residuals. In each round a tree
// is grown on a quadratic bound on the smoothed loss sqrt(r^2 + s^2), where s is the size of residuals
// (quantiles.h); its hessian falls with the residual. The user may choose the signs of residuals instead, as
// Friedman does.
#include <cmath>

#include "labels/row_weights.h"
#include "objective/cells.h"
#include "objective/elementwise.h"
#include "objective/quantiles.h"
#include "objective/shared_params.h"

namespace xgbl {
namespace {

constexpr char kAbsoluteName[] = "reg:absoluteerror";

struct AbsoluteErrorParam {
  std::string leaf_estimation_method = "auto";

  template <class F>
  static void Describe(F& field) {
    DescribeLeafMethod(field, &AbsoluteErrorParam::leaf_estimation_method);
  }
};

template <class Param>
struct Signs : PlainLoss<Param> {
  static float Gradient(float prediction, float label) {
    return static_cast<float>(prediction > label) - static_cast<float>(prediction < label);
  }
  static float Hessian(float /*prediction*/, float /*label*/) { return 1.0F; }
};

class AbsoluteError : public Elementwise<Signs<AbsoluteErrorParam>> {
 public:
  AbsoluteError() : Elementwise<Signs<AbsoluteErrorParam>>(kAbsoluteName, "mae") {}

  void Gradient(GradientTask const& task, Gradients* out) const override {
    if (SmoothsLoss(Method())) {
      Smooth(task, FitsLeaves(), out);
    } else {
      Elementwise<Signs<AbsoluteErrorParam>>::Gradient(task, out);
    }
  }

  bool FitsLeaves() const override { return FitsLeavesBy(Method()); }
  double FitLeaf(LeafTask const& task) const override {
    return double{LeafResiduals(task, task.output).Quantile(kMedian)};
  }

  std::vector<double> Intercept(Meta const& meta, Context const& ctx) const override {
    auto best = LabelMean(kAbsoluteName, meta, ctx);
    if (Method() == kSmoothLeaves) return StepFrom(std::move(best), meta, ctx);
    for (std::size_t k = 0; k < best.size(); ++k) best[k] = double{LabelQuantile(meta, k, kMedian)};
    return best;
  }

 private:
  std::string const& Method() const { return GetLoss().params.leaf_estimation_method; }

  // Where leaves are fitted, gradients say only which splits are best: they are in units of the scale then, so that
  // gains do not depend on the unit of the labels.
  static void Smooth(GradientTask const& task, bool in_scales, Gradients* out) {
    CheckCells(kAbsoluteName, task.margins, task.meta, 1);
    auto const scales = ResidualScales(kAbsoluteName, task.margins, task.meta, 1, task.ctx);
    auto const derive = [&](Cell const& cell) -> CellDerivatives {
      double const scale = double{scales[cell.output]}, residual = double{cell.margin} - double{cell.label};
      double const size = std::sqrt(scale * scale + residual * residual);
      double const curvature = size > 0 ? scale / size : 1.0;
      double const gradient = in_scales ? (size > 0 ? residual / size : 0.0) : residual * curvature;
      return {static_cast<float>(double{cell.weight} * gradient), static_cast<float>(double{cell.weight} * curvature)};
    };
    FillCells(kAbsoluteName, task, 1, derive, out);
  }

  // A Newton step of the smoothed loss.
  static std::vector<double> StepFrom(std::vector<double> best, Meta const& meta, Context const& ctx) {
    Matrix<float> margins(meta.labels.rows, meta.labels.columns);
    for (std::size_t i = 0; i < margins.values.size(); ++i) {
      margins.values[i] = static_cast<float>(best[i % margins.columns]);
    }
    Gradients there;
    Smooth({margins.View(), meta, ctx}, false, &there);
    auto const cells = there.View();
    auto const sums = SumColumns<2>(ctx, margins.rows, cells.gradient.columns(), [&](std::size_t i, std::size_t k) {
      return std::array<double, 2>{double{cells.gradient(i, k)}, double{cells.hessian(i, k)}};
    });
    for (std::size_t k = 0; k < sums.size(); ++k) best[k] -= sums[k][1] > 0 ? sums[k][0] / sums[k][1] : 0.0;
    return best;
  }
};

auto const kAbsoluteError =
    Register<Objective, AbsoluteError>(kAbsoluteName, "Absolute error: for medians, which outliers hardly move.")
        .Params<AbsoluteErrorParam>()
        .Elsewhere({"regression_l1", "l1", "mae", "mean_absolute_error", "absolute_error"});

constexpr char kMapeName[] = "reg:mape";

// Absolute error as a share of the label, or of 1 for labels below 1. This is absolute error with weights, so leaves
// get the weighted median of the residuals.
struct Mape : Signs<NoParam> {
  static float LabelWeight(float label) {
    float const size = std::fabs(label);
    return 1.0F / (size > 1.0F ? size : 1.0F);
  }
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
