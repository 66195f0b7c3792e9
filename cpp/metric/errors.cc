// SPDX-License-Identifier: Apache-2.0
// Errors of predicted numbers and classes.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/math.h"
#include "base/numbers.h"
#include "metric/elementwise.h"
#include "objective/shared_params.h"

namespace xgbl {
namespace {

struct Squared : MeanLoss {
  static double Loss(float prediction, float label) {
    double const difference = double{prediction} - double{label};
    return difference * difference;
  }
  static double Final(double mean) { return std::sqrt(mean); }
};

auto const kRmse = Register<Metric, ElementwiseMetric<Squared>>("rmse", "Root of the mean squared error.")
                       .Elsewhere({"l2", "l2_root", "mse", "mean_squared_error", "root_mean_squared_error",
                                   "regression", "regression_l2", "multirmse"});

struct SquaredLog : MeanLoss {
  static constexpr char const* kLabels = "labels above -1";
  static bool Allows(float label) { return label > -1.0F; }

  static double Loss(float prediction, float label) {
    float const difference = Log1p(prediction) - Log1p(label);
    return double{difference} * double{difference};
  }
  static double Final(double mean) { return std::sqrt(mean); }
};

auto const kRmsle =
    Register<Metric, ElementwiseMetric<SquaredLog>>("rmsle", "Root of the mean squared difference of log(1 + x).")
        .Elsewhere({"msle"});

struct Absolute : MeanLoss {
  static double Loss(float prediction, float label) { return std::fabs(double{prediction} - double{label}); }
};

auto const kMae = Register<Metric, ElementwiseMetric<Absolute>>("mae", "Mean absolute error.")
                      .Elsewhere({"l1", "mean_absolute_error", "regression_l1"});

struct RelativeError : MeanLoss {
  static double Loss(float prediction, float label) {
    return std::fabs((double{label} - double{prediction}) / double{label});
  }
};

auto const kMape = Register<Metric, ElementwiseMetric<RelativeError>>(
                       "mape", "Mean of the absolute error over the absolute label; infinite where a label is 0.")
                       .Elsewhere({"mean_absolute_percentage_error"});

struct PseudoHuber : MeanLoss {
  double slope = 1;
  double Loss(float prediction, float label) const {
    double const steepness = (double{prediction} - double{label}) / slope;
    double const square = steepness * steepness;
    return slope * slope * (square / (std::sqrt(1 + square) + 1));  // sqrt(1 + square) - 1, exact for small ones
  }
};

class PseudoHuberMetric : public ElementwiseMetric<PseudoHuber> {
 public:
  using ElementwiseMetric::ElementwiseMetric;

  void Configure(ParamMap const& params) override { loss_.slope = ParamsFrom<HuberSlopeParam>(params).huber_slope; }
};

auto const kPseudoHuber = Register<Metric, PseudoHuberMetric>("mphe", "Mean pseudo-Huber error of slope `huber_slope`.")
                              .Repeats<HuberSlopeParam>();

/// Coefficient of determination: the share of the labels' variance that predictions explain, as a plain mean over
/// targets. Constant labels give 1 if all predictions are right, otherwise 0; fewer than two rows give NaN.
class R2 : public Metric {
 public:
  bool HigherIsBetter() const override { return true; }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const& labels = meta.labels;
    bool const fits = labels.rows == predictions.rows() && labels.columns == predictions.columns();
    Require<DataError>(fits || (predictions.empty() && labels.empty()),
                       "`r2` needs one label for each prediction: ", predictions.rows(), " x ", predictions.columns(),
                       "; got labels for ", labels.rows, " x ", labels.columns, ".");
    if (predictions.empty()) return kUndefined;
    auto const means = Means(labels.View(), meta, ctx);
    auto const squares = Squares(predictions, meta, means, ctx);
    double sum = 0;
    for (auto const& [residual, total] : squares) sum += Explained(residual, total);
    return sum / static_cast<double>(means.size());
  }

 private:
  static bool Missing(float label, std::size_t targets) { return targets > 1 && std::isnan(label); }

  /// Of the labels of each target; NaN below two rows.
  static std::vector<double> Means(MatrixView<float const> labels, Meta const& meta, Context const& ctx) {
    std::size_t const targets = labels.columns();
    RowWeights const weights(meta, labels.rows(), "r2");
    std::vector<double> means;
    for (auto const& [sum, weight, count] :
         SumColumns<3>(ctx, labels.rows(), targets, [&](std::size_t i, std::size_t k) {
           using Triple = std::array<double, 3>;
           double const label = double{labels(i, k)}, own = double{weights[i]};
           return Missing(labels(i, k), targets) ? Triple{} : Triple{own * label, own, 1};
         })) {
      means.push_back(count >= 2 ? sum / weight : kUndefined);
    }
    return means;
  }

  /// Of the residuals and of the labels around their mean, for each target.
  static std::vector<std::array<double, 2>> Squares(MatrixView<float const> predictions, Meta const& meta,
                                                    std::vector<double> const& means, Context const& ctx) {
    std::size_t const targets = predictions.columns();
    RowWeights const weights(meta, predictions.rows(), "r2");
    auto const labels = meta.labels.View();
    return SumColumns<2>(ctx, predictions.rows(), targets, [&](std::size_t i, std::size_t k) {
      double const label = double{labels(i, k)}, residual = label - double{predictions(i, k)};
      double const weight = double{weights[i]}, around = label - means[k];
      using Squares = std::array<double, 2>;
      return Missing(labels(i, k), targets) ? Squares{}
                                            : Squares{weight * residual * residual, weight * around * around};
    });
  }

  static double Explained(double residual, double total) {
    if (total == 0) return residual == 0 ? 1 : 0;
    return 1 - residual / total;
  }
};

auto const kR2 = Register<Metric, R2>("r2", "Coefficient of determination, R squared.");

struct WrongSide : ShareLoss {
  float threshold = 0.5F;
  float Loss(float prediction, float label) const { return prediction > threshold ? 1.0F - label : label; }
};

class ErrorMetric : public ElementwiseMetric<WrongSide> {
 public:
  using ElementwiseMetric::ElementwiseMetric;

  void SetArgument(std::string const& argument) override {
    Require<ParamError>(ParseNumber(argument, &loss_.threshold), "`error@` needs a number as the threshold; got `",
                        argument, "`.");
  }
};

auto const kError =
    Register<Metric, ErrorMetric>("error", "Share of rows on the wrong side of 0.5, or of `t` in `error@t`.")
        .Elsewhere({"binary_error", "zerooneloss"});

struct MulticlassError {
  std::int64_t tried = 0;  // how many classes may be right; 0: the likeliest one, the first if several

  float Loss(Span<float const> row, std::size_t label) const {
    if (tried == 0) return LikeliestClass(row) == label ? 0.0F : 1.0F;
    float const own = row[label];
    auto const ahead = std::count_if(row.begin(), row.end(), [own](float value) { return !(value < own); });
    return ahead <= tried ? 0.0F : 1.0F;
  }
};

class MulticlassErrorMetric : public MulticlassMetric<MulticlassError> {
 public:
  using MulticlassMetric::MulticlassMetric;

  void SetArgument(std::string const& argument) override {
    Require<ParamError>(ParseNumber(argument, &loss_.tried) && loss_.tried > 0,
                        "`merror@` needs a number of classes, 1 or more; got `", argument, "`.");
  }
};

auto const kMulticlassError =
    Register<Metric, MulticlassErrorMetric>(
        "merror",
        "Share of rows whose largest prediction, the first if several, is of another class; in `merror@k` of rows "
        "whose class is not among the `k` largest, equal ones counting as larger.")
        .Elsewhere({"multi_error"});

// Squared distance of predicted probabilities from the outcome (Brier 1950). For two classes it counts the positive one
// and lies between 0 and 1; for more it is summed over classes and lies between 0 and 2.
struct TwoClasses : ShareLoss {
  static double Loss(float prediction, float label) { return Squared::Loss(prediction, label); }
};

struct SeveralClasses {
  static double Loss(Span<float const> row, std::size_t label) {
    double sum = 0;
    for (std::size_t k = 0; k < row.size(); ++k) sum += TwoClasses::Loss(row[k], k == label ? 1.0F : 0.0F);
    return sum;
  }
};

class Brier : public Metric {
 public:
  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    bool const classes = predictions.columns() > 1 && meta.labels.columns <= 1;
    return classes ? of_classes_.Evaluate(predictions, meta, ctx) : of_targets_.Evaluate(predictions, meta, ctx);
  }

 private:
  ElementwiseMetric<TwoClasses> of_targets_{"brier"};
  MulticlassMetric<SeveralClasses> of_classes_{"brier"};
};

auto const kBrier =
    Register<Metric, Brier>("brier", "Mean squared distance of predicted probabilities from the outcome.")
        .Elsewhere({"brierscore"});

}  // namespace
}  // namespace xgbl
