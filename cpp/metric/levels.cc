// SPDX-License-Identifier: Apache-2.0
// Metrics of predictions that are several levels, such as quantiles, of the distribution of each label.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "metric/elementwise.h"
#include "objective/shared_params.h"

namespace xgbl {
namespace {

/// The levels that the objective predicts, as its parameter of that name gives them; none if it has none.
Doubles LevelsOf(ParamMap const& params, char const* name) {
  Doubles levels;
  auto const given = params.find(name);
  if (given == params.end()) return levels;
  ParamSpec spec;
  spec.name = name;
  spec.type = "list of float";
  ParseParam(spec, given->second, &levels);
  return levels;
}

/// The weighted mean of a loss over all rows, targets and levels. NaN labels are left out. A loss has
///   kParam                                the objective's parameter that has the levels
///   Loss(prediction, label, level)        of one cell
template <class Loss>
class LevelMetric : public Metric {
 public:
  explicit LevelMetric(std::string name) : name_(std::move(name)) {}

  void Configure(ParamMap const& params) override {
    Doubles const levels = LevelsOf(params, Loss::kParam);
    levels_.assign(levels.begin(), levels.end());
  }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    Check(predictions, meta);
    auto const labels = meta.labels.View();
    RowWeights const weights(meta, predictions.rows(), name_);
    std::size_t const count = levels_.size();
    auto const losses = [&](std::size_t begin, std::size_t end, double* out) {
      std::fill(out, out + (end - begin), 0.0);
      for (std::size_t k = 0; k < count; ++k) {
        double const level = double{levels_[k]};
        for (std::size_t i = begin; i < end; ++i) {
          out[i - begin] += Loss::Loss(double{predictions.data()[i * count + k]}, double{labels.data()[i]}, level);
        }
      }
    };
    auto const known = [&](std::size_t cell) { return !std::isnan(labels.data()[cell]); };
    auto const sum = SumBlocks(ctx, weights, labels.rows(), labels.columns(), losses, known);
    return sum.MeanOrZero() / static_cast<double>(count);
  }

 private:
  void Check(MatrixView<float const> predictions, Meta const& meta) const {
    Require<ParamError>(!levels_.empty(), "`", name_, "` needs `", Loss::kParam, "`, the levels that are predicted.");
    auto const& labels = meta.labels;
    bool const fits = labels.rows == predictions.rows() &&
                      (predictions.empty() || labels.columns * levels_.size() == predictions.columns());
    Require<DataError>(fits, "`", name_, "` needs a prediction for each label and each of ", levels_.size(),
                       " levels: labels are ", labels.rows, " x ", labels.columns, "; got predictions of ",
                       predictions.rows(), " x ", predictions.columns(), ".");
  }

  std::string name_;
  std::vector<float> levels_;
};

struct SquaredOnBothSides {
  static constexpr char kParam[] = "expectile_alpha";
  static double Loss(double prediction, double label, double level) {
    double const difference = prediction - label;
    return (difference >= 0 ? 1 - level : level) * difference * difference;
  }
};

auto const kExpectile =
    Register<Metric, LevelMetric<SquaredOnBothSides>>(
        "expectile",
        "Mean squared error over the levels in `expectile_alpha`, weighted by level where labels lie above.")
        .Repeats<ExpectileParam>();

struct PinballAtLevel {
  static constexpr char kParam[] = "quantile_alpha";
  static double Loss(double prediction, double label, double level) {
    double const above = label - prediction;
    return above * (above >= 0 ? level : level - 1);
  }
};

auto const kQuantile = Register<Metric, LevelMetric<PinballAtLevel>>(
                           "quantile", "Mean quantile (pinball) loss over the levels in `quantile_alpha`.")
                           .Elsewhere({"multiquantile"})
                           .Repeats<QuantileParam>();

struct Pinball : MeanLoss {
  double alpha = 0.5;
  double Loss(float prediction, float label) const {
    return PinballAtLevel::Loss(double{prediction}, double{label}, alpha);
  }
};

/// Of one quantile. If the objective predicts several, the one with the same `quantile_alpha` counts.
class PinballMetric : public ElementwiseMetric<Pinball> {
 public:
  PinballMetric() : ElementwiseMetric("pinball") {}

  void Configure(ParamMap const& params) override {
    alphas_ = LevelsOf(params, "quantile_alpha");
    if (alphas_.size() == 1) loss_.alpha = alphas_[0];
  }
  void SetArgument(std::string const& argument) override {
    bool const good = ParseNumber(argument, &loss_.alpha) && loss_.alpha >= 0 && loss_.alpha <= 1;
    Require<ParamError>(good, "`pinball@` needs a quantile from 0 to 1; got `", argument, "`.");
  }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    std::size_t const targets = meta.labels.columns, count = alphas_.size();
    if (count < 2 || predictions.columns() != targets * count) {
      return ElementwiseMetric::Evaluate(predictions, meta, ctx);
    }
    auto const which =
        static_cast<std::size_t>(std::find(alphas_.begin(), alphas_.end(), loss_.alpha) - alphas_.begin());
    Require<ParamError>(which < count, "`pinball` has no predictions of quantile ", loss_.alpha,
                        ": `quantile_alpha` is ", PrintParam(alphas_), ".");
    Matrix<float> chosen(predictions.rows(), targets);
    for (std::size_t i = 0; i < chosen.rows; ++i) {
      for (std::size_t k = 0; k < targets; ++k) chosen.View()(i, k) = predictions(i, k * count + which);
    }
    return ElementwiseMetric::Evaluate(chosen.View(), meta, ctx);
  }

 private:
  Doubles alphas_;
};

auto const kPinball = Register<Metric, PinballMetric>(
    "pinball", "Mean pinball loss of the quantile `alpha` in `pinball@alpha`, else of the median or the only one.");

/// Prediction intervals, from a row's first prediction to its last: the lowest and the highest of several quantiles.
/// Weighted means over rows; 0 without rows. An interval whose ends have crossed is empty.
class IntervalMetric : public Metric {
 public:
  explicit IntervalMetric(std::string name) : name_(std::move(name)) {}

 protected:
  /// The mean of `of_row(low, high, label)`.
  template <class OfRow>
  double Mean(MatrixView<float const> predictions, Meta const& meta, Context const& ctx, OfRow const& of_row) const {
    auto const& labels = meta.labels;
    bool const fits =
        labels.rows == predictions.rows() && labels.columns <= 1 && (predictions.empty() || predictions.columns() >= 2);
    Require<DataError>(fits, "`", name_,
                       "` needs one label and at least two predictions a row, such as quantiles; got ", "labels for ",
                       labels.rows, " x ", labels.columns, " and ", predictions.rows(), " x ", predictions.columns(),
                       " predictions.");
    RowWeights const weights(meta, predictions.rows(), name_);
    auto const loss = [&](std::size_t i) {
      auto const row = predictions.Row(i);
      return of_row(row[0], row[row.size() - 1], labels.values[i]);
    };
    return SumLosses(ctx, weights, predictions.rows(), 1, loss).MeanOrZero();
  }

 private:
  std::string name_;
};

/// The share of covered labels is for reading, beside the width: the widest interval has the largest. How far it is
/// from what was aimed at, `interval-coverage@0.9`, is for choosing.
class Coverage : public IntervalMetric {
 public:
  using IntervalMetric::IntervalMetric;

  void SetArgument(std::string const& argument) override {
    bool const good = ParseNumber(argument, &nominal_) && nominal_ > 0 && nominal_ <= 1;
    Require<ParamError>(good, "`interval-coverage@` needs the share of labels to cover, above 0 and at most 1; got `",
                        argument, "`.");
    has_nominal_ = true;
  }
  bool HigherIsBetter() const override { return !has_nominal_; }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    double const share = Mean(predictions, meta, ctx, [](float low, float high, float label) {
      return low <= label && label <= high ? 1.0 : 0.0;
    });
    return has_nominal_ ? std::fabs(share - nominal_) : share;
  }

 private:
  bool has_nominal_ = false;
  double nominal_ = 0;
};

class Width : public IntervalMetric {
 public:
  using IntervalMetric::IntervalMetric;

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    return Mean(predictions, meta, ctx, [](float low, float high, float /*label*/) {
      double const width = double{high} - double{low};
      return width < 0 ? 0.0 : width;  // keeps NaN
    });
  }
};

auto const kCoverage = Register<Metric, Coverage>(
    "interval-coverage",
    "Share of labels from the first prediction of a row to the last; with `@t`, how far it is from `t`.");

auto const kWidth =
    Register<Metric, Width>("interval-width", "Mean distance from the first prediction of a row to the last.");

}  // namespace
}  // namespace xgbl
