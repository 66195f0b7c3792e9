// SPDX-License-Identifier: Apache-2.0
// Objectives whose loss is a sum over cells (row, target), each depending only on its own margin and label. Such a loss
// is a small struct; Elementwise<Loss> makes an objective of it, for any number of targets, with weights, in parallel.
// A loss has
//   Params, params                   its parameters, declared as base/params.h wants it; Prepare() once they are set
//   Predict(kernels, x, out, n)      what Gradient() and Hessian() see, from margins; `out` is not `x`
//   Gradient(prediction, label)      first and
//   Hessian(prediction, label)       second derivative in the margin, free of branches
//   LabelWeight(label)               a factor on both
//   MeanIsBest(), kSolvesStart       training starts at the mean label, at the constant that is found to be best, or
//                                    else one Newton step from margin 0
//   Transform(kernels, x, n), kLink  margins to what users get, in place, and what exports call that
//   ToMargin(base_score), CheckBaseScore(name, base_score)
//   Allows(label), kLabels           which labels it is defined on, and that in words
// If there are several targets, a NaN label marks an unknown target, which is left out.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/math.h"
#include "labels/row_weights.h"
#include "objective/cells.h"
#include "objective/objective.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "simd/loss_kernels.h"

namespace xgbl {

/// The least second derivative of losses that may come to 0 or below: leaves divide by sums of them.
constexpr float kLeastHessian = 1e-16F;

inline float Positive(float hessian) { return hessian > kLeastHessian ? hessian : kLeastHessian; }

/// The log-odds of a probability, of a float, as models are read by programs that compute it so. Probabilities nearer
/// to 0 or 1 than a millionth have no useful margin and get that of a millionth.
inline double LogOdds(double probability) {
  constexpr float kCertain = 1e-6F;
  float const p = std::clamp(static_cast<float>(probability), kCertain, 1.0F - kCertain);
  return -Log(static_cast<double>(1.0F / p - 1.0F));
}

struct NoParam {
  template <class F>
  static void Describe(F& /*field*/) {}
};

struct RegressionParam {
  static constexpr char const* kGroup = "reg_loss_param";
  double scale_pos_weight = 1;

  template <class F>
  static void Describe(F& field) {
    field("scale_pos_weight", &RegressionParam::scale_pos_weight,
          "Factor on the weight of rows with label 1; useful when positive rows are rare.")
        .Range(0);
  }
};

/// What losses with identity link share; others shadow what differs.
template <class P>
struct PlainLoss {
  using Params = P;
  static constexpr char const* kLabels = "finite labels";
  static constexpr char const* kLink = "identity";
  static constexpr bool kSolvesStart = false;
  Params params;

  static void Prepare() {}
  static void Predict(LossKernels const& /*kernels*/, float const* margins, float* out, std::size_t n) {
    std::copy(margins, margins + n, out);
  }
  static void Transform(LossKernels const& /*kernels*/, float* /*margins*/, std::size_t /*n*/) {}
  static double ToMargin(double base_score) { return base_score; }
  static void CheckBaseScore(std::string const& /*name*/, double /*base_score*/) {}
  static bool Allows(float label) { return std::isfinite(label); }
  static float LabelWeight(float /*label*/) { return 1.0F; }
  static bool MeanIsBest() { return false; }
};

struct RegressionLoss : PlainLoss<RegressionParam> {
  float LabelWeight(float label) const { return label == 1.0F ? static_cast<float>(params.scale_pos_weight) : 1.0F; }
  bool MeanIsBest() const { return std::fabs(params.scale_pos_weight - 1) <= 1e-6; }
};

template <class Loss>
class Elementwise : public Objective {
 public:
  Elementwise(std::string name, std::string metric) : name_(std::move(name)), metric_(std::move(metric)) {}

  void Configure(ParamMap const& params) override {
    loss_.params = ParamsFrom<typename Loss::Params>(params);
    loss_.Prepare();
    classes_ = ParamsFrom<ClassParam>(params);
    targets_ = ParamsFrom<TargetParam>(params);
  }
  ParamMap Params() const override { return TextOf(loss_.params); }
  std::string DefaultMetric() const override { return metric_; }

  /// `num_class` and `num_target` count, too: custom objectives set them and bring their own gradients.
  int Outputs(Meta const& meta) const override {
    return std::max({1, classes_.num_class, targets_.num_target, static_cast<int>(meta.labels.columns)});
  }

  void CheckLabels(Meta const& meta) const override {
    auto const& labels = meta.labels;
    CheckEachLabel(name_, labels, Loss::kLabels, [](float label) { return Loss::Allows(label); });
    RowWeights(meta, labels.rows, name_);
    bool const matches = classes_.num_class <= 1 || static_cast<std::size_t>(classes_.num_class) == labels.columns;
    Require<DataError>(matches, "`num_class` is ", classes_.num_class, ", but `", name_,
                       "` predicts one number for each of ", labels.columns,
                       " targets. Unset `num_class`, or use an objective such as `multi:softprob`.");
  }

  void Gradient(GradientTask const& task, Gradients* out) const override {
    MatrixView<float const> const margins = task.margins;
    Meta const& meta = task.meta;
    Context const& ctx = task.ctx;
    CheckCells(name_, margins, meta, 1);
    RowWeights const weights(meta, margins.rows(), name_);
    out->Resize(margins.rows(), margins.columns());
    ParallelBlocks(ctx, margins.size(), kBlock, [&](std::size_t begin, std::size_t end) {
      std::array<float, kBlock> weight;  // NOLINT(*-member-init)
      weights.Fill(begin, end, margins.columns(), weight.data());
      CellGradients({LossKernels::Of(ctx.simd), margins.data() + begin, meta.labels.values.data() + begin,
                     weight.data(), end - begin},
                    out->gradient.values.data() + begin, out->hessian.values.data() + begin);
    });
  }

  std::vector<double> Intercept(Meta const& meta, Context const& ctx) const override {
    auto mean = LabelMean(name_, meta, ctx);
    if (Loss::kSolvesStart) return BestConstants(std::move(mean), meta, ctx);
    return loss_.MeanIsBest() ? mean : NewtonStep(meta, ctx);
  }
  std::string Link() const override { return Loss::kLink; }
  double ToMargin(double base_score) const override { return loss_.ToMargin(base_score); }
  void CheckBaseScore(double base_score) const override { loss_.CheckBaseScore(name_, base_score); }

  void Transform(MatrixView<float> margins, Context const& ctx) const override {
    ParallelBlocks(ctx, margins.size(), kBlock, [&](std::size_t begin, std::size_t end) {
      loss_.Transform(LossKernels::Of(ctx.simd), margins.data() + begin, end - begin);
    });
  }

 protected:
  Loss const& GetLoss() const { return loss_; }

 private:
  static constexpr std::size_t kBlock = 4096;

  struct Cells {
    LossKernels const& kernels;
    float const* margins;
    float const* labels;
    float const* weights;
    std::size_t count;
  };

  void CellGradients(Cells cells, float* gradient, float* hessian) const {
    std::array<float, kBlock> prediction;  // NOLINT(*-member-init)
    loss_.Predict(cells.kernels, cells.margins, prediction.data(), cells.count);
    Loss const loss = loss_;  // not through `this`, which the stores below might change for all the compiler knows
    Cells const from = cells;
    for (std::size_t i = 0; i < from.count; ++i) {
      float const label = from.labels[i];
      float const weight = from.weights[i] * loss.LabelWeight(label);
      bool const known = label == label;
      float const first = loss.Gradient(prediction[i], label) * weight;
      float const second = loss.Hessian(prediction[i], label) * weight;
      gradient[i] = known ? first : 0.0F;
      hessian[i] = known ? second : 0.0F;
    }
  }

  std::vector<double> NewtonStep(Meta const& meta, Context const& ctx) const {
    std::vector<double> margins(TargetsOf(meta), 0.0);
    TakeNewtonStep(meta, ctx, &margins);
    return Transformed(margins, ctx);
  }

  // Newton's method, kept between the last points on either side of the minimum.
  std::vector<double> BestConstants(std::vector<double> start, Meta const& meta, Context const& ctx) const {
    constexpr int kMostSteps = 60;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (double& value : start) value = loss_.ToMargin(value);
    std::vector<double> low(start.size(), -kInfinity), high(start.size(), kInfinity);
    for (int step = 0; step < kMostSteps; ++step) {
      auto next = start;
      TakeNewtonStep(meta, ctx, &next);
      bool moved = false;
      for (std::size_t k = 0; k < start.size(); ++k) {
        if (next[k] == start[k]) continue;
        (next[k] < start[k] ? high : low)[k] = start[k];
        if (next[k] <= low[k] || next[k] >= high[k]) next[k] = (low[k] + high[k]) / 2;
        moved = moved || static_cast<float>(next[k]) != static_cast<float>(start[k]);
      }
      if (!moved) break;
      start = std::move(next);
    }
    return Transformed(start, ctx);
  }

  void TakeNewtonStep(Meta const& meta, Context const& ctx, std::vector<double>* margins) const {
    constexpr double kLeastSum = 1e-6;
    std::size_t const targets = margins->size();
    Matrix<float> constant(meta.labels.rows, targets);
    for (std::size_t i = 0; i < constant.values.size(); ++i) {
      constant.values[i] = static_cast<float>((*margins)[i % targets]);
    }
    Gradients there;
    Gradient({constant.View(), meta, ctx}, &there);
    auto const cells = there.View();
    auto const sums = SumColumns<2>(ctx, constant.rows, targets, [&](std::size_t i, std::size_t k) {
      return std::array<double, 2>{double{cells.gradient(i, k)}, double{cells.hessian(i, k)}};
    });
    for (std::size_t k = 0; k < targets; ++k) (*margins)[k] -= sums[k][0] / std::max(sums[k][1], kLeastSum);
  }

  std::vector<double> Transformed(std::vector<double> const& margins, Context const& ctx) const {
    std::vector<float> best(margins.begin(), margins.end());
    Transform({best.data(), 1, best.size()}, ctx);
    return {best.begin(), best.end()};
  }

  std::string name_;
  std::string metric_;
  Loss loss_;
  ClassParam classes_;
  TargetParam targets_;
};

}  // namespace xgbl
