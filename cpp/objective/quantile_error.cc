// SPDX-License-Identifier: Apache-2.0
// Quantile (pinball) loss, one output per level. Leaves get the quantile of their rows' residuals. Trees are grown on
// the loss smoothed on a fraction of the size of residuals (residual_scale.h): its slope is a tanh, its hessian the
// quadratic bound tanh(x) / x. The user may choose the two slopes of the loss itself instead. Levels that are fitted
// separately may cross. Each row's predictions are sorted into the order of their levels, which never makes them worse
// (Chernozhukov, Fernandez-Val and Galichon 2010); margins stay as they are.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/math.h"
#include "objective/cells.h"
#include "objective/label_mean.h"
#include "objective/levels.h"
#include "objective/quantiles.h"
#include "objective/residual_scale.h"
#include "objective/shared_params.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr char kQuantileName[] = "reg:quantileerror";
constexpr std::size_t kQuantileBlock = 4096;

/// The slopes of the loss.
struct Pinball {
  CellDerivatives operator()(float residual, float level, float weight, float /*scale*/) const {
    return {(residual >= 0 ? 1.0F - level : -level) * weight, weight};
  }
};

/// Those of the smoothed loss. Where leaves are fitted, gradients say only which splits are best: they are in units of
/// the residuals' scale then, so that gains do not depend on the unit of the labels.
struct SmoothPinball {
  static constexpr double kShare = 0.04;       // of the scale, on which it is smooth
  static constexpr double kLeastRatio = 3e-4;  // keeps steps bounded where all residuals are large
  static constexpr double kNearZero = 1.0e-3;  // below it two terms of a series are exact to double's last bits

  CellDerivatives operator()(float residual, float level, float weight, float scale) const {
    if (!(scale > 0) || weight == 0) return {0, 0};
    double const x = double{residual} / (kShare * double{scale}), size = std::fabs(x);
    double const small = Exp(-2 * size);
    double const tanh = std::copysign((1 - small) / (1 + small), x);
    double const ratio = size < kNearZero ? 1 - x * x / 3 : tanh / x;
    double const gradient = (in_scales ? 1.0 : double{scale}) / 2 * (tanh + 1 - 2 * double{level});
    double const hessian = std::max(ratio, kLeastRatio) / (2 * kShare);
    return {static_cast<float>(double{weight} * gradient), static_cast<float>(double{weight} * hessian)};
  }

  bool in_scales;
};

class QuantileError : public LevelObjective {
 public:
  QuantileError() : LevelObjective(kQuantileName, "quantile_alpha") {}

  void Configure(ParamMap const& params) override {
    param_ = ParamsFrom<QuantileParam>(params);
    SetLevels(param_.quantile_alpha, false);
    order_.resize(param_.quantile_alpha.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return param_.quantile_alpha[a] < param_.quantile_alpha[b]; });
  }
  ParamMap Params() const override { return TextOf(param_); }
  std::string DefaultMetric() const override { return "quantile"; }

  void Gradient(GradientTask const& task, Gradients* out) const override {
    CheckCells(kQuantileName, task.margins, task.meta, Levels().size());
    if (SmoothsLoss(param_.leaf_estimation_method)) {
      auto const scales = ResidualScales(kQuantileName, task.margins, task.meta, Levels().size(), task.ctx);
      Fill(SmoothPinball{FitsLeaves()}, task, scales, out);
    } else {
      Fill(Pinball(), task, std::vector<float>(task.margins.columns()), out);
    }
  }

  bool FitsLeaves() const override { return FitsLeavesBy(param_.leaf_estimation_method); }
  double FitLeaf(LeafTask const& task) const override {
    std::size_t const levels = Levels().size();
    return double{LeafResiduals(task, task.output / levels).Quantile(double{Levels()[task.output % levels]})};
  }

  std::vector<double> Intercept(Meta const& meta, Context const& ctx) const override {
    LabelMean(kQuantileName, meta, ctx);  // throws without weight
    std::vector<double> best;
    for (std::size_t k = 0; k < Targets(meta); ++k) {
      for (float const level : Levels()) best.push_back(double{LabelQuantile(meta, k, double{level})});
    }
    return best;
  }

  void Transform(MatrixView<float> margins, Context const& ctx) const override {
    std::size_t const levels = order_.size();
    if (!param_.sort_quantiles || levels < 2) return;
    ParallelBlocks(ctx, margins.size() / levels, kQuantileBlock, [&](std::size_t begin, std::size_t end) {
      std::vector<float> sorted(levels);
      for (std::size_t i = begin; i < end; ++i) {
        float* const of_label = margins.data() + i * levels;
        std::copy(of_label, of_label + levels, sorted.begin());
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t k = 0; k < levels; ++k) of_label[order_[k]] = sorted[k];
      }
    });
  }

  std::string Link() const override { return param_.sort_quantiles && order_.size() > 1 ? "sorted" : "identity"; }

 private:
  template <class Loss>
  void Fill(Loss const& loss, GradientTask const& task, std::vector<float> const& scales, Gradients* out) const {
    auto const& levels = Levels();
    auto const derive = [&](Cell const& cell) {
      return loss(cell.margin - cell.label, levels[cell.output % levels.size()], cell.weight, scales[cell.output]);
    };
    FillCells(kQuantileName, task, levels.size(), derive, out);
  }

  QuantileParam param_;
  std::vector<std::size_t> order_;  // levels from the lowest to the highest
};

auto const kQuantileError =
    Register<Objective, QuantileError>(
        kQuantileName, "Quantile (pinball) loss: predicts a quantile for each level in `quantile_alpha`.")
        .Params<QuantileParam>()
        .Elsewhere({"quantile", "multiquantile"});

}  // namespace
}  // namespace xgbl
