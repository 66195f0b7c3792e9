// SPDX-License-Identifier: Apache-2.0
// Expectile loss: squared error, weighted by the level where the label lies above and by its complement where it lies
// below (Newey and Powell 1987). Expectiles of several levels never cross: the first margin is the lowest one, each
// other margin m adds softplus(m) > 0 to the one before it. Hessians are the diagonal of the Gauss-Newton matrix.
#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "labels/row_weights.h"
#include "objective/label_checks.h"
#include "objective/label_mean.h"
#include "objective/levels.h"
#include "objective/shared_params.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr char kExpectileName[] = "reg:expectileerror";
constexpr double kLeastStep = 1e-6;    // between neighbours, beside the softplus
constexpr double kLeastSlope = 1e-16;  // of the square of a softplus' slope: keeps leaves finite
constexpr std::size_t kExpectileBlock = 4096;

// The margin m with softplus(m) = step.
double InverseSoftplus(double step) {
  double const y = std::max(step, kLeastStep);
  return y + Log(1 - Exp(-y));
}

double Side(double difference, float level) { return difference >= 0 ? 1 - double{level} : double{level}; }

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
    std::size_t const levels = Levels().size(), targets = Targets(task.meta);
    RowWeights const weights(task.meta, task.margins.rows(), kExpectileName);
    out->Resize(task.margins.rows(), task.margins.columns());
    ParallelBlocks(task.ctx, task.margins.rows(), kExpectileBlock, [&](std::size_t begin, std::size_t end) {
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
    ParallelBlocks(ctx, margins.size() / levels, kExpectileBlock, [&](std::size_t begin, std::size_t end) {
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
