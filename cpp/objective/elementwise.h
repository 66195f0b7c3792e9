// SPDX-License-Identifier: Apache-2.0
// Objectives whose loss is a sum over cells (row, target), each depending on its own margin and label only. Such a loss
// is a small struct; Elementwise<Loss> makes an objective of it, for any number of targets, with weights, in parallel.
// A loss has
//   Params, params                   its parameters, declared as base/params.h wants it
//   Predict(kernels, x, out, n)      what Gradient() and Hessian() see, from margins; `out` is not `x`
//   Gradient(prediction, label)      first and
//   Hessian(prediction, label)       second derivative in the margin, free of branches
//   LabelWeight(label)               a factor on both; MeanIsBest() says whether it is 1 everywhere
//   Transform(kernels, x, n)         margins to what users get, in place
//   ToMargin(base_score), CheckBaseScore(name, base_score)
//   Allows(label), kLabels           which labels it is defined on, and that in words
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "data/row_weights.h"
#include "objective/objective.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "simd/kernels.h"

namespace xgbl {

struct RegressionParam {
  double scale_pos_weight = 1;

  template <class F>
  static void Describe(F& field) {
    field("scale_pos_weight", &RegressionParam::scale_pos_weight,
          "Factor on the weight of rows with label 1; useful when positive rows are rare.")
        .Range(0);
  }
};

/// What losses with identity link share; others shadow what differs.
struct RegressionLoss {
  using Params = RegressionParam;
  static constexpr char const* kLabels = "finite labels";
  Params params;

  static void Predict(Kernels const& /*kernels*/, float const* margins, float* out, std::size_t n) {
    std::copy(margins, margins + n, out);
  }
  static void Transform(Kernels const& /*kernels*/, float* /*margins*/, std::size_t /*n*/) {}
  static double ToMargin(double base_score) { return base_score; }
  static void CheckBaseScore(std::string const& /*name*/, double /*base_score*/) {}
  static bool Allows(float label) { return std::isfinite(label); }

  float LabelWeight(float label) const { return label == 1.0F ? static_cast<float>(params.scale_pos_weight) : 1.0F; }
  bool MeanIsBest() const { return std::fabs(params.scale_pos_weight - 1) <= 1e-6; }
};

template <class Loss>
class Elementwise : public Objective {
 public:
  Elementwise(std::string name, std::string metric) : name_(std::move(name)), metric_(std::move(metric)) {}

  void Configure(ParamMap const& params) override {
    loss_.params = ParamsFrom<typename Loss::Params>(params);
    task_ = ParamsFrom<TaskParam>(params);
  }
  ParamMap Params() const override { return TextOf(loss_.params); }
  std::string DefaultMetric() const override { return metric_; }

  /// `num_class` counts too: custom objectives set it and bring their own gradients.
  int Outputs(Meta const& meta) const override {
    return std::max({1, task_.num_class, static_cast<int>(meta.labels.columns)});
  }

  void CheckLabels(Meta const& meta) const override {
    auto const& labels = meta.labels;
    auto const bad = std::find_if_not(labels.values.begin(), labels.values.end(), Loss::Allows);
    if (bad != labels.values.end()) {
      auto const cell = static_cast<std::size_t>(bad - labels.values.begin());
      throw DataError(
          Text("`", name_, "` needs ", Loss::kLabels, "; got ", *bad, " in row ", cell / labels.columns, "."));
    }
    RowWeights(meta, labels.rows, name_);
    bool const matches = task_.num_class <= 1 || static_cast<std::size_t>(task_.num_class) == labels.columns;
    Require<DataError>(matches, "`num_class` is ", task_.num_class, ", but `", name_,
                       "` predicts one number for each of ", labels.columns,
                       " targets. Unset `num_class`, or use an objective such as `multi:softprob`.");
  }

  void Gradient(GradientTask const& task, Gradients* out) const override {
    MatrixView<float const> const margins = task.margins;
    Meta const& meta = task.meta;
    Context const& ctx = task.ctx;
    bool const fits =
        meta.labels.rows == margins.rows() && (margins.empty() || meta.labels.columns == margins.columns());
    Require<DataError>(fits, "`", name_, "` needs one label for each of ", margins.rows(), " x ", margins.columns(),
                       " predictions; got labels for ", meta.labels.rows, " x ", meta.labels.columns, ".");
    RowWeights const weights(meta, margins.rows(), name_);
    out->Resize(margins.rows(), margins.columns());
    ParallelBlocks(ctx, margins.size(), kBlock, [&](std::size_t begin, std::size_t end) {
      std::array<float, kBlock> weight;  // NOLINT(*-member-init)
      weights.Fill(begin, end, margins.columns(), weight.data());
      CellGradients({Simd(ctx), margins.data() + begin, meta.labels.values.data() + begin, weight.data(), end - begin},
                    out->gradient.values.data() + begin, out->hessian.values.data() + begin);
    });
  }

  std::vector<double> Intercept(Meta const& meta, Context const& ctx) const override {
    return loss_.MeanIsBest() ? MeanLabels(meta, ctx) : NewtonStep(meta, ctx);
  }
  double ToMargin(double base_score) const override { return loss_.ToMargin(base_score); }
  void CheckBaseScore(double base_score) const override { loss_.CheckBaseScore(name_, base_score); }

  void Transform(MatrixView<float> margins, Context const& ctx) const override {
    ParallelBlocks(ctx, margins.size(), kBlock, [&](std::size_t begin, std::size_t end) {
      loss_.Transform(Simd(ctx), margins.data() + begin, end - begin);
    });
  }

 private:
  static constexpr std::size_t kBlock = 4096;

  struct Cells {
    Kernels const& kernels;
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
      gradient[i] = loss.Gradient(prediction[i], label) * weight;
      hessian[i] = loss.Hessian(prediction[i], label) * weight;
    }
  }

  std::vector<double> MeanLabels(Meta const& meta, Context const& ctx) const {
    auto const labels = meta.labels.View();
    RowWeights const weights(meta, labels.rows(), name_);
    double const total = SumRows(ctx, labels.rows(), [&](std::size_t i) { return static_cast<double>(weights[i]); });
    Require<DataError>(labels.rows() == 0 || total > 0, "All weights are 0; `", name_, "` needs one that is positive.");
    auto mean = SumVectors(ctx, labels.rows(), Targets(meta), [&](std::size_t i, double* sums) {
      for (std::size_t k = 0; k < labels.columns(); ++k) sums[k] += double{labels(i, k)} * double{weights[i]};
    });
    for (double& value : mean) value = total > 0 ? value / total : 0.0;
    return mean;
  }

  // One step from margin 0, where the mean is not the best constant.
  std::vector<double> NewtonStep(Meta const& meta, Context const& ctx) const {
    constexpr double kLeastHessian = 1e-6;
    std::size_t const targets = Targets(meta);
    Matrix<float> const margins(meta.labels.rows, targets);
    Gradients at_zero;
    Gradient({margins.View(), meta, ctx}, &at_zero);
    auto const gradient = SumOfColumns(at_zero.gradient.View(), ctx);
    auto const hessian = SumOfColumns(at_zero.hessian.View(), ctx);
    std::vector<float> best(targets);
    for (std::size_t k = 0; k < targets; ++k) {
      best[k] = static_cast<float>(-gradient[k] / std::max(hessian[k], kLeastHessian));
    }
    Transform({best.data(), 1, targets}, ctx);
    return {best.begin(), best.end()};
  }

  static std::size_t Targets(Meta const& meta) { return std::max<std::size_t>(1, meta.labels.columns); }

  static std::vector<double> SumOfColumns(MatrixView<float const> cells, Context const& ctx) {
    return SumVectors(ctx, cells.rows(), cells.columns(), [&](std::size_t i, double* sums) {
      for (std::size_t k = 0; k < cells.columns(); ++k) sums[k] += double{cells(i, k)};
    });
  }

  std::string name_;
  std::string metric_;
  Loss loss_;
  TaskParam task_;
};

}  // namespace xgbl
