// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <vector>

#include "labels/row_weights.h"
#include "objective/aft_loss.h"
#include "objective/objective.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "simd/loss_kernels.h"

namespace xgbl {
namespace {

constexpr char kAftName[] = "survival:aft";
constexpr std::size_t kAftBlock = 4096;
constexpr double kStart = 0.5;  // a time

/// Learns from the bounds of labels, and has no use for labels.
class Aft : public Objective {
 public:
  void Configure(ParamMap const& params) override { param_ = ParamsFrom<AftParam>(params); }
  ParamMap Params() const override { return TextOf(param_); }
  std::string DefaultMetric() const override { return "aft-nloglik"; }
  int Outputs(Meta const& /*meta*/) const override { return 1; }
  bool NeedsLabels() const override { return false; }

  void CheckLabels(Meta const& meta) const override {
    Require<DataError>(meta.labels.columns <= 1, "`", kAftName, "` has one target; got ", meta.labels.columns,
                       " labels a row. It learns from `label_lower_bound` and `label_upper_bound` alone.");
    std::size_t const rows = meta.labels.empty() ? meta.label_lower.size() : meta.labels.rows;
    LabelBounds const bounds(meta, rows, kAftName);
    for (std::size_t i = 0; i < rows; ++i) bounds[i];
    RowWeights(meta, rows, kAftName);
  }

  void Gradient(GradientTask const& task, Gradients* out) const override {
    LabelBounds const bounds(task.meta, task.margins.rows(), kAftName);
    Require<DataError>(task.margins.columns() == 1, "`", kAftName, "` needs one margin a row; got ",
                       task.margins.columns(), ".");
    RowWeights const weights(task.meta, task.margins.rows(), kAftName);
    out->Resize(task.margins.rows(), 1);
    double const scale = param_.Scale();
    WithNoise(param_.aft_loss_distribution, [&](auto noise) {
      ParallelBlocks(task.ctx, task.margins.rows(), kAftBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          auto const [gradient, hessian] =
              aft::DerivativesOf<decltype(noise)>(bounds[i], double{task.margins(i, 0)}, scale);
          out->gradient.values[i] = static_cast<float>(gradient) * weights[i];
          out->hessian.values[i] = static_cast<float>(hessian) * weights[i];
        }
      });
    });
  }

  std::vector<double> Intercept(Meta const& meta, Context const& ctx) const override {
    RowWeights const weights(meta, meta.label_lower.size(), kAftName);
    double const total = SumRows(ctx, meta.label_lower.size(), [&](std::size_t i) { return double{weights[i]}; });
    RequireSomeWeight(!meta.label_lower.empty(), total, kAftName);
    return {kStart};
  }
  double ToMargin(double base_score) const override { return Log(base_score); }
  void CheckBaseScore(double base_score) const override {
    Require<ParamError>(base_score > 0, "`base_score` must be positive, a time, for `", kAftName, "`; got ", base_score,
                        ".");
  }

  /// The logarithm of a time to the time.
  void Transform(MatrixView<float> margins, Context const& ctx) const override {
    ParallelBlocks(ctx, margins.size(), kAftBlock, [&](std::size_t begin, std::size_t end) {
      LossKernels::Of(ctx.simd).exp(margins.data() + begin, margins.data() + begin, end - begin);
    });
  }
  std::string Link() const override { return "exp"; }
  /// Metrics get logarithms of times, as xgboost's do.
  void TransformForMetrics(MatrixView<float> /*margins*/, Context const& /*ctx*/) const override {}

 private:
  AftParam param_;
};

auto const kAft =
    Register<Objective, Aft>(
        kAftName,
        "Accelerated failure time from `label_lower_bound` and `label_upper_bound`; predicts times of events.")
        .Params<AftParam>()
        .Elsewhere({"aft", "survivalaft"});

}  // namespace
}  // namespace xgbl
