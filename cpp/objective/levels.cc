// SPDX-License-Identifier: Apache-2.0
// Objectives that predict several levels, quantiles or expectiles, of the distribution of each label.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/math.h"
#include "labels/row_weights.h"
#include "objective/cells.h"
#include "objective/quantiles.h"
#include "objective/shared_params.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr std::size_t kLevelBlock = 4096;

// The output of level a of target k is k * levels + a.
class LevelObjective : public Objective {
 public:
  // `param` is the parameter that gives the levels.
  LevelObjective(std::string name, std::string param) : name_(std::move(name)), param_(std::move(param)) {}

  int Outputs(Meta const& meta) const override { return static_cast<int>(TargetsOf(meta) * Levels().size()); }
  void CheckLabels(Meta const& meta) const override {
    Levels();
    CheckFiniteLabels(name_, meta);
  }

 protected:
  // Those given, checked to be from 0 to 1; empty: not given.
  void SetLevels(Doubles const& levels, bool must_rise) {
    for (double const level : levels) {
      Require<ParamError>(level >= 0 && level <= 1, "`", param_, "` must be made of numbers from 0 to 1; got ", level,
                          ".");
    }
    Require<ParamError>(!must_rise || std::is_sorted(levels.begin(), levels.end()), "`", param_,
                        "` must rise, since each level is predicted as the one before it plus something positive; got ",
                        PrintParam(levels), ".");
    levels_.assign(levels.begin(), levels.end());
  }
  // ParamError if none are given.
  std::vector<float> const& Levels() const {
    Require<ParamError>(!levels_.empty(), "`", name_, "` needs `", param_,
                        "`, a number from 0 to 1 or a list of such numbers, one for each output of a target.");
    return levels_;
  }

 private:
  std::string name_;
  std::string param_;
  std::vector<float> levels_;  // in float, as models are trained elsewhere
};

constexpr char kQuantileName[] = "reg:quantileerror";

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

// Quantile (pinball) loss, one output per level. Leaves get the quantile of their rows' residuals. Trees are grown on
// the loss smoothed on a fraction of the size of residuals (quantiles.h): its slope is a tanh, its hessian the
// quadratic bound tanh(x) / x. The user may choose the two slopes of the loss itself instead. Levels that are fitted
// separately may cross. Each row's predictions are sorted into the order of their levels, which never makes them worse
// (Chernozhukov, Fernandez-Val and Galichon 2010); margins stay as they are.
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
    for (std::size_t k = 0; k < TargetsOf(meta); ++k) {
      for (float const level : Levels()) best.push_back(double{LabelQuantile(meta, k, double{level})});
    }
    return best;
  }

  void Transform(MatrixView<float> margins, Context const& ctx) const override {
    std::size_t const levels = order_.size();
    if (!param_.sort_quantiles || levels < 2) return;
    ParallelBlocks(ctx, margins.size() / levels, kLevelBlock, [&](std::size_t begin, std::size_t end) {
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

constexpr char kExpectileName[] = "reg:expectileerror";
constexpr double kLeastStep = 1e-6;    // between neighbours, beside the softplus
constexpr double kLeastSlope = 1e-16;  // of the square of a softplus' slope: keeps leaves finite

// The margin m with softplus(m) = step.
double InverseSoftplus(double step) {
  double const y = std::max(step, kLeastStep);
  return y + Log(1 - Exp(-y));
}

double Side(double difference, float level) { return difference >= 0 ? 1 - double{level} : double{level}; }

// Expectile loss: squared error, weighted by the level where the label lies above and by its complement where it lies
// below (Newey and Powell 1987). Expectiles of several levels never cross: the first margin is the lowest one, each
// other margin m adds softplus(m) > 0 to the one before it. Hessians are the diagonal of the Gauss-Newton matrix.
class ExpectileError : public LevelObjective {
 public:
  ExpectileError() : LevelObjective(kExpectileName, "expectile_alpha") {}

  void Configure(ParamMap const& params) override {
    param_ = ParamsFrom<ExpectileParam>(params);
    SetLevels(param_.expectile_alpha, true);
  }
  ParamMap Params() const override { return TextOf(param_); }
  std::string DefaultMetric() const override { return "expectile"; }

  void Gradient(GradientTask const& task, Gradients* out) const override {
    CheckCells(kExpectileName, task.margins, task.meta, Levels().size());
    auto const labels = task.meta.labels.View();
    std::size_t const levels = Levels().size(), targets = TargetsOf(task.meta);
    RowWeights const weights(task.meta, task.margins.rows(), kExpectileName);
    out->Resize(task.margins.rows(), task.margins.columns());
    ParallelBlocks(task.ctx, task.margins.rows(), kLevelBlock, [&](std::size_t begin, std::size_t end) {
      std::vector<double> differences(levels);
      for (std::size_t cell = begin * targets; cell < end * targets; ++cell) {
        std::size_t const at = cell * levels;
        LabelGradients({task.margins.data() + at, levels}, labels.data()[cell], weights[cell / targets], &differences,
                       out->gradient.values.data() + at, out->hessian.values.data() + at);
      }
    });
  }

  /// A Newton step from the mean for each level, the steps then made to rise.
  std::vector<double> Intercept(Meta const& meta, Context const& ctx) const override {
    auto const mean = LabelMean(kExpectileName, meta, ctx);
    std::vector<double> best;
    for (std::size_t k = 0; k < mean.size(); ++k) {
      auto const of_target = TargetIntercept(meta, k, mean[k], ctx);
      best.insert(best.end(), of_target.begin(), of_target.end());
    }
    return best;
  }

  std::vector<double> ToMargins(std::vector<double> scores) const override {
    std::size_t const levels = Levels().size();
    for (std::size_t k = scores.size(); k-- > 0;) {
      if (k % levels != 0) scores[k] = InverseSoftplus(scores[k] - scores[k - 1] - kLeastStep);
    }
    return scores;
  }

  void Transform(MatrixView<float> margins, Context const& ctx) const override {
    std::size_t const levels = Levels().size();
    ParallelBlocks(ctx, margins.size() / levels, kLevelBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        float* const of_label = margins.data() + i * levels;
        double level = double{of_label[0]};
        for (std::size_t k = 1; k < levels; ++k) {
          level += kLeastStep + Softplus(double{of_label[k]});
          of_label[k] = static_cast<float>(level);
        }
      }
    });
  }

  std::string Link() const override { return Levels().size() > 1 ? "steps" : "identity"; }

 private:
  // `differences` has room for all levels.
  void LabelGradients(Span<float const> margins, float label, float weight, std::vector<double>* differences,
                      float* gradient, float* hessian) const {
    auto const& levels = Levels();
    if (std::isnan(label)) {
      std::fill(gradient, gradient + levels.size(), 0.0F);
      std::fill(hessian, hessian + levels.size(), 0.0F);
      return;
    }
    auto& difference = *differences;
    for (std::size_t k = 0; k < levels.size(); ++k) {
      double const step = k == 0 ? double{margins[0]} - double{label} : kLeastStep + Softplus(double{margins[k]});
      difference[k] = k == 0 ? step : difference[k - 1] + step;
    }
    double slopes = 0, curvatures = 0;  // of this level and all above it
    for (std::size_t k = levels.size(); k-- > 0;) {
      double const side = Side(difference[k], levels[k]) * double{weight};
      slopes += side * difference[k];
      curvatures += side;
      double const slope = k == 0 ? 1.0 : Sigmoid(double{margins[k]});
      gradient[k] = static_cast<float>(slope * slopes);
      hessian[k] = static_cast<float>(std::max(slope * slope, kLeastSlope) * curvatures);
    }
  }

  std::vector<double> TargetIntercept(Meta const& meta, std::size_t target, double mean, Context const& ctx) const {
    auto const labels = meta.labels.View();
    auto const& levels = Levels();
    RowWeights const weights(meta, labels.rows(), kExpectileName);
    auto const sums = SumColumns<2>(ctx, labels.rows(), levels.size(), [&](std::size_t i, std::size_t k) {
      double const difference = mean - double{labels(i, target)};
      double const side = Side(difference, levels[k]) * double{weights[i]};
      return std::isnan(difference) ? std::array<double, 2>{} : std::array<double, 2>{side * difference, side};
    });
    std::vector<double> best(levels.size(), mean);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      if (sums[k][1] > 0) best[k] -= sums[k][0] / sums[k][1];
      if (k > 0) best[k] = std::max(best[k], best[k - 1]);
    }
    return best;
  }

  ExpectileParam param_;
};

auto const kExpectileError =
    Register<Objective, ExpectileError>(kExpectileName,
                                        "Expectile loss: predicts an expectile, which is to the mean what a quantile "
                                        "is to the median, for each level in `expectile_alpha`.")
        .Params<ExpectileParam>()
        .Elsewhere({"expectile"});

}  // namespace
}  // namespace xgbl
