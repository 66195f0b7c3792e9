// SPDX-License-Identifier: Apache-2.0
// A normal distribution for each target: its mean and the log of its standard deviation, margins 2 k and 2 k + 1 of
// target k. The gradient is the natural one, the likelihood's times the inverse of the Fisher information, which does
// not depend on how the distribution is parameterised (Duan and others 2020, NGBoost); with it the information is 1.
// For the standard deviation the hessian is the mean of that and of the observed one, so that a leaf whose squared
// errors are m times what was predicted steps (m - 1) / (m + 1), near the best, log(m) / 2, and never far.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "base/math.h"
#include "labels/row_weights.h"
#include "objective/cells.h"
#include "objective/objective.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr char kGaussianName[] = "reg:gaussian";
constexpr std::size_t kGaussianBlock = 1024;
constexpr float kMostLog = 40.0F;  // of a standard deviation: its square and the inverse are finite

float Within(float value, float most) { return value > -most ? (value < most ? value : most) : -most; }

class Gaussian : public Objective {
 public:
  std::string DefaultMetric() const override { return "gaussian-nloglik"; }
  int Outputs(Meta const& meta) const override { return static_cast<int>(2 * TargetsOf(meta)); }

  void CheckLabels(Meta const& meta) const override { CheckFiniteLabels(kGaussianName, meta); }

  void Gradient(GradientTask const& task, Gradients* out) const override {
    auto const& labels = task.meta.labels;
    auto const margins = task.margins;
    CheckCells(kGaussianName, margins, task.meta, 2);
    RowWeights const weights(task.meta, margins.rows(), kGaussianName);
    out->Resize(margins.rows(), margins.columns());
    ParallelBlocks(task.ctx, margins.rows(), kGaussianBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t k = 0; k < labels.columns; ++k) CellGradient(task, {i, k}, weights[i], out);
      }
    });
  }

  /// Mean and log standard deviation of the labels of each target.
  std::vector<double> Intercept(Meta const& meta, Context const& ctx) const override {
    auto const mean = LabelMean(kGaussianName, meta, ctx);
    auto const variance = LabelMean(kGaussianName, meta, ctx, [&](std::size_t target, double label) {
      return (label - mean[target]) * (label - mean[target]);
    });
    std::vector<double> best;
    for (std::size_t k = 0; k < mean.size(); ++k) {
      double const least = std::max(1e-30, mean[k] * mean[k] * 1e-12);  // equal labels have a distribution, too
      best.insert(best.end(), {mean[k], Log(std::max(variance[k], least)) / 2});
    }
    return best;
  }

  /// Log standard deviations become variances.
  void Transform(MatrixView<float> margins, Context const& ctx) const override {
    ParallelBlocks(ctx, margins.rows(), kGaussianBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin * margins.columns(); i < end * margins.columns(); ++i) {
        float& value = margins.data()[i];
        if (i % 2 == 1) value = Exp(2.0F * Within(value, kMostLog));  // rows have an even number of margins
      }
    });
  }

  std::string Link() const override { return "variances"; }

 private:
  struct Cell {
    std::size_t row;
    std::size_t target;
  };

  static void CellGradient(GradientTask const& task, Cell cell, float weight, Gradients* out) {
    constexpr float kMostScaled = 1e15F;
    float const label = task.meta.labels.View()(cell.row, cell.target);
    std::size_t const mean = 2 * cell.target, deviation = mean + 1;
    auto const gradient = out->gradient.View().Row(cell.row), hessian = out->hessian.View().Row(cell.row);
    float const error = task.margins(cell.row, mean) - label;
    float const scaled = Within(error * Exp(-Within(task.margins(cell.row, deviation), kMostLog)), kMostScaled);
    bool const known = !std::isnan(label);
    gradient[mean] = known ? error * weight : 0.0F;
    hessian[mean] = known ? weight : 0.0F;
    gradient[deviation] = known ? 0.5F * (1.0F - scaled * scaled) * weight : 0.0F;
    hessian[deviation] = known ? 0.5F * (1.0F + scaled * scaled) * weight : 0.0F;
  }
};

auto const kGaussian =
    Register<Objective, Gaussian>(
        "reg:gaussian", "Likelihood of a normal distribution by natural gradients; predicts its mean and its variance.")
        .Alias({"gaussian"})
        .Elsewhere({"rmsewithuncertainty"})
        .Own();

}  // namespace
}  // namespace xgbl
