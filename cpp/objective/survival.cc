// SPDX-License-Identifier: Apache-2.0
// Times until something happens, of rows for which it may not have happened yet.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/math.h"
#include "labels/row_weights.h"
#include "objective/aft_loss.h"
#include "objective/cells.h"
#include "objective/objective.h"
#include "objective/risk_sets.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "simd/loss_kernels.h"

namespace xgbl {
namespace {

constexpr std::size_t kSurvivalBlock = 4096;

/// Margins are logarithms of what is predicted, which is positive.
class SurvivalObjective : public Objective {
 public:
  SurvivalObjective(std::string name, std::string predicts) : name_(std::move(name)), predicts_(std::move(predicts)) {}

  int Outputs(Meta const& /*meta*/) const override { return 1; }
  double ToMargin(double base_score) const override { return Log(base_score); }
  void CheckBaseScore(double base_score) const override {
    Require<ParamError>(base_score > 0, "`base_score` must be positive, ", predicts_, ", for `", name_, "`; got ",
                        base_score, ".");
  }
  void Transform(MatrixView<float> margins, Context const& ctx) const override {
    ParallelBlocks(ctx, margins.size(), kSurvivalBlock, [&](std::size_t begin, std::size_t end) {
      LossKernels::Of(ctx.simd).exp(margins.data() + begin, margins.data() + begin, end - begin);
    });
  }
  std::string Link() const override { return "exp"; }

 private:
  std::string name_;
  std::string predicts_;
};

constexpr char kAftName[] = "survival:aft";
constexpr double kStart = 0.5;  // a time

/// Learns from the bounds of labels, and has no use for labels.
class Aft : public SurvivalObjective {
 public:
  Aft() : SurvivalObjective(kAftName, "a time") {}

  void Configure(ParamMap const& params) override { param_ = ParamsFrom<AftParam>(params); }
  ParamMap Params() const override { return TextOf(param_); }
  std::string DefaultMetric() const override { return "aft-nloglik"; }
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
      ParallelBlocks(task.ctx, task.margins.rows(), kSurvivalBlock, [&](std::size_t begin, std::size_t end) {
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

constexpr char kCoxName[] = "survival:cox";
constexpr double kLeastHessian = 1e-16;
constexpr double kLeastHessianSum = 1e-6;
constexpr double kWidestRange = 300;  // of margins: hazards and their squares stay normal numbers

// Sums over the events so far, of 1 / S and of its square.
struct EventSums {
  double inverse = 0;
  double inverse_square = 0;
};

// Proportional hazards: the partial likelihood of Cox (1972), ties after Breslow (1974). A row's derivatives depend on
// the margins of all rows. With S the sum of the hazards exp(margin) at risk at an event, a row that is at risk gets
//   gradient = hazard * (sum of 1 / S over events so far) - event,
//   hessian  = hazard * (sum of 1 / S) - hazard^2 * (sum of 1 / S^2),
// the slope and the diagonal of the curvature. xgboost's models are reproduced: weights are factors on the derivatives
// and not on the hazards, and of events at one time, "so far" counts those up to the row, in the order of the data.
class Cox : public SurvivalObjective {
 public:
  Cox() : SurvivalObjective(kCoxName, "a hazard") {}

  std::string DefaultMetric() const override { return "cox-nloglik"; }

  void CheckLabels(Meta const& meta) const override {
    auto const& labels = meta.labels;
    Require<DataError>(labels.columns <= 1, "`", kCoxName, "` needs one label a row; got ", labels.columns, ".");
    CheckEachLabel(kCoxName, labels,
                   "finite labels: the time of an event, or minus the time at which a row was last seen without one",
                   [](float label) { return std::isfinite(label); });
    RowWeights(meta, labels.rows, kCoxName);
  }

  void Gradient(GradientTask const& task, Gradients* out) const override {
    auto const& labels = task.meta.labels.values;
    MatrixView<float const> const margins = task.margins;
    Require<DataError>(labels.size() == margins.rows() && margins.columns() == 1, "`", kCoxName,
                       "` needs one label and one margin for each of ", margins.rows(), " rows; got ", labels.size(),
                       " labels and ", margins.columns(), " margins a row.");
    RowWeights const weights(task.meta, margins.rows(), kCoxName);
    RiskSets const sets = SortedByTime(labels);
    std::vector<double> const hazards = Hazards(sets, margins, task.ctx);
    std::vector<EventSums> const sums = SumEvents(sets, hazards, labels);
    out->Resize(margins.rows(), 1);
    ParallelBlocks(task.ctx, margins.rows(), kSurvivalBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        std::size_t const row = sets.rows[i];
        double const seen = hazards[i] * sums[i].inverse;
        double const hessian = seen - hazards[i] * hazards[i] * sums[i].inverse_square;
        double const weight{weights[row]};
        out->gradient.values[row] = static_cast<float>((seen - (labels[row] > 0.0F ? 1.0 : 0.0)) * weight);
        out->hessian.values[row] = static_cast<float>(std::max(hessian, kLeastHessian) * weight);
      }
    });
  }

  /// exp of one Newton step from margin 0. The likelihood does not depend on it; what is predicted does.
  std::vector<double> Intercept(Meta const& meta, Context const& ctx) const override {
    std::size_t const rows = meta.labels.rows;
    RowWeights const weights(meta, rows, kCoxName);
    double const total = SumRows(ctx, rows, [&](std::size_t i) { return double{weights[i]}; });
    RequireSomeWeight(rows > 0, total, kCoxName);
    auto const& labels = meta.labels.values;
    bool const events = std::any_of(labels.begin(), labels.end(), [](float label) { return label > 0.0F; });
    if (rows > 0 && !events) ctx.Warn("`survival:cox` has nothing to learn: no label is positive, an event.");
    Matrix<float> const zero(rows, 1);
    Gradients at_zero;
    Gradient({zero.View(), meta, ctx}, &at_zero);
    double const gradient = SumRows(ctx, rows, [&](std::size_t i) { return double{at_zero.gradient.values[i]}; });
    double const hessian = SumRows(ctx, rows, [&](std::size_t i) { return double{at_zero.hessian.values[i]}; });
    return {double{Exp(static_cast<float>(-gradient / std::max(hessian, kLeastHessianSum)))}};
  }

 private:
  // In the order of times, over the largest one: the derivatives depend on ratios only.
  static std::vector<double> Hazards(RiskSets const& sets, MatrixView<float const> margins, Context const& ctx) {
    auto const flat = margins.Flat();
    double const largest = flat.empty() ? 0 : double{*std::max_element(flat.begin(), flat.end())};
    std::vector<double> hazards(flat.size());
    ParallelBlocks(ctx, flat.size(), kSurvivalBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        hazards[i] = Exp(std::max(double{flat[sets.rows[i]]} - largest, -kWidestRange));
      }
    });
    return hazards;
  }

  static std::vector<EventSums> SumEvents(RiskSets const& sets, std::vector<double> const& hazards,
                                          std::vector<float> const& labels) {
    std::vector<double> const at_risk = HazardsAtRisk(sets.times, hazards);
    std::vector<EventSums> sums(hazards.size());
    EventSums sum;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (labels[sets.rows[i]] > 0.0F) {
        sum.inverse += 1.0 / at_risk[i];
        sum.inverse_square += 1.0 / (at_risk[i] * at_risk[i]);
      }
      sums[i] = sum;
    }
    return sums;
  }
};

auto const kCox = Register<Objective, Cox>(kCoxName,
                                           "Partial likelihood of proportional hazards; labels are times, negative if "
                                           "censored; predicts relative hazards.")
                      .Elsewhere({"cox"});

}  // namespace
}  // namespace xgbl
