// SPDX-License-Identifier: Apache-2.0
// How unlikely labels are under what is predicted of them.
#include <array>
#include <cmath>
#include <cstddef>

#include "base/math.h"
#include "base/numbers.h"
#include "metric/elementwise.h"
#include "objective/shared_params.h"

namespace xgbl {
namespace {

struct LogLoss : ShareLoss {
  static constexpr bool kByBlock = true;

  static void Losses(LossKernels const& kernels, float const* predictions, float const* labels, std::size_t n,
                     double* out) {
    constexpr float kLeast = 1e-16F;                     // being wrong about a certainty costs 37, not infinity
    std::array<float, kReduceBlock> positive, negative;  // NOLINT(*-member-init)
    for (std::size_t i = 0; i < n; ++i) {
      float const chance = predictions[i];  // NaN stays
      positive[i] = chance < kLeast ? kLeast : chance;
      negative[i] = 1.0F - chance < kLeast ? kLeast : 1.0F - chance;
    }
    kernels.log(positive.data(), positive.data(), n);
    kernels.log(negative.data(), negative.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = double{-labels[i] * positive[i] - (1.0F - labels[i]) * negative[i]};  // both are finite
    }
  }
};

auto const kLogLoss = Register<Metric, ElementwiseMetric<LogLoss>>("logloss", "Negative log-likelihood of two classes.")
                          .Elsewhere({"binary", "binary_logloss", "log_loss", "crossentropy", "cross_entropy",
                                      "xentropy", "multilogloss"});

struct MulticlassLogLoss {
  static float Loss(Span<float const> row, std::size_t label) {
    float const probability = row[label];
    return -Log(probability < 1e-16F ? 1e-16F : probability);  // bounded, as in logloss; NaN stays
  }
};

auto const kMulticlassLogLoss =
    Register<Metric, MulticlassMetric<MulticlassLogLoss>>("mlogloss", "Negative log-likelihood of several classes.")
        .Elsewhere({"multiclass", "multi_logloss", "softmax"});

// log(n!) for any n >= 0, to 1e-12: Stirling's series, begun where its terms fall fast.
double LogFactorial(double n) {
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  constexpr double kFrom = 12;
  double x = n + 1, product = 1;
  for (; x < kFrom; x += 1) product *= x;
  double const inverse = 1 / x, square = inverse * inverse;
  double const series = inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
  return (x - 0.5) * Log(x) - x + kHalfLogTwoPi + series - Log(product);
}

/// The same, at hand for the counts that there are most of.
class LogFactorials {
 public:
  LogFactorials() {
    for (std::size_t n = 2; n < small_.size(); ++n) small_[n] = LogFactorial(static_cast<double>(n));
  }
  double operator()(float n) const {
    auto const whole = static_cast<std::size_t>(n < kSmall ? n : 0.0F);
    return static_cast<float>(whole) == n ? small_[whole] : LogFactorial(double{n});
  }

 private:
  static constexpr float kSmall = 64;
  std::array<double, 64> small_{};
};

struct Poisson : AmountLoss {
  static constexpr bool kByBlock = true;
  LogFactorials log_factorial;

  void Losses(LossKernels const& kernels, float const* predictions, float const* labels, std::size_t n,
              double* out) const {
    constexpr float kLeast = 1e-16F;
    std::array<float, kReduceBlock> rate, log_rate;  // NOLINT(*-member-init)
    for (std::size_t i = 0; i < n; ++i) rate[i] = predictions[i] < kLeast ? kLeast : predictions[i];  // NaN stays
    kernels.log(rate.data(), log_rate.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = log_factorial(labels[i]) + double{rate[i]} - double{log_rate[i]} * double{labels[i]};
    }
  }
};

auto const kPoisson = Register<Metric, ElementwiseMetric<Poisson>>(
                          "poisson-nloglik", "Negative log-likelihood of counts under a Poisson distribution.")
                          .Elsewhere({"poisson"});

// The gamma distribution with shape 1: minus its log likelihood, and its deviance from the best possible one.
constexpr float kTiny = 1e-6F;  // a mean, and in the deviance a label, is never 0

struct GammaLikelihood : AmountLoss {
  static constexpr bool kByBlock = true;

  static void Losses(LossKernels const& kernels, float const* predictions, float const* labels, std::size_t n,
                     double* out) {
    std::array<float, kReduceBlock> mean, log_mean;  // NOLINT(*-member-init)
    for (std::size_t i = 0; i < n; ++i) mean[i] = predictions[i] < kTiny ? kTiny : predictions[i];  // NaN stays
    kernels.log(mean.data(), log_mean.data(), n);
    for (std::size_t i = 0; i < n; ++i) out[i] = double{labels[i]} / double{mean[i]} + double{log_mean[i]};
  }
};

struct GammaDeviance : AmountLoss {
  static constexpr bool kByBlock = true;

  static void Losses(LossKernels const& kernels, float const* predictions, float const* labels, std::size_t n,
                     double* out) {
    std::array<float, kReduceBlock> ratio, log_ratio;  // NOLINT(*-member-init)
    for (std::size_t i = 0; i < n; ++i) ratio[i] = (labels[i] + kTiny) / (predictions[i] + kTiny);
    kernels.log(ratio.data(), log_ratio.data(), n);
    for (std::size_t i = 0; i < n; ++i) out[i] = double{ratio[i]} - 1 - double{log_ratio[i]};
  }
  static double Final(double mean) { return 2 * mean; }
};

auto const kLikelihood =
    Register<Metric, ElementwiseMetric<GammaLikelihood>>(
        "gamma-nloglik", "Negative log-likelihood of amounts under a gamma distribution of shape 1.")
        .Elsewhere({"gamma"});

auto const kDeviance = Register<Metric, ElementwiseMetric<GammaDeviance>>(
                           "gamma-deviance", "Deviance of amounts under a gamma distribution.")
                           .Elsewhere({"gamma_deviance"});

/// Without the terms that depend on the label only.
struct Tweedie : AmountLoss {
  static constexpr bool kByBlock = true;
  double power = 1.5;

  void Losses(LossKernels const& kernels, float const* predictions, float const* labels, std::size_t n,
              double* out) const {
    auto const exponent = static_cast<float>(2 - power);
    std::array<float, kReduceBlock> powers;  // NOLINT(*-member-init)
    kernels.log(predictions, powers.data(), n);
    for (std::size_t i = 0; i < n; ++i) powers[i] *= exponent;
    kernels.exp(powers.data(), powers.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      double const ratio = double{labels[i]} / double{predictions[i]};
      out[i] = double{powers[i]} * (1 / (2 - power) - ratio / (1 - power));
    }
  }
};

class TweedieMetric : public ElementwiseMetric<Tweedie> {
 public:
  using ElementwiseMetric::ElementwiseMetric;

  void Configure(ParamMap const& params) override {
    loss_.power = ParamsFrom<TweedieParam>(params).tweedie_variance_power;
  }
  void SetArgument(std::string const& argument) override {
    bool const good = ParseNumber(argument, &loss_.power) && loss_.power >= 1 && loss_.power < 2;
    Require<ParamError>(good, "`tweedie-nloglik@` needs the power of the variance, from 1 to below 2; got `", argument,
                        "`. It is `tweedie_variance_power` where no metric is named.");
  }
};

auto const kTweedie =
    Register<Metric, TweedieMetric>("tweedie-nloglik",
                                    "Negative log-likelihood of amounts under a Tweedie distribution, of the power "
                                    "`rho` in `tweedie-nloglik@rho` or else `tweedie_variance_power`.")
        .Elsewhere({"tweedie"});

constexpr char kGaussianName[] = "gaussian-nloglik";

/// Under normal distributions. Each target has two predictions, mean and variance. The weighted mean over all rows and
/// targets.
class GaussianMetric : public Metric {
 public:
  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const labels = meta.labels.View();
    bool const fits = labels.rows() == predictions.rows() &&
                      (predictions.rows() == 0 || 2 * labels.columns() == predictions.columns());
    Require<DataError>(fits, "`", kGaussianName,
                       "` needs a mean and a variance for each label, such as `reg:gaussian` gives: ", labels.rows(),
                       " x ", 2 * labels.columns(), "; got ", predictions.rows(), " x ", predictions.columns(), ".");
    RowWeights const weights(meta, predictions.rows(), kGaussianName);
    auto const loss = [&](std::size_t cell) {
      constexpr double kLogTwoPi = 1.8378770664093453, kLeastVariance = 1e-40;  // a certainty costs much, not infinity
      double const mean = double{predictions.data()[2 * cell]}, variance = double{predictions.data()[2 * cell + 1]};
      double const label = double{labels.data()[cell]}, spread = variance < kLeastVariance ? kLeastVariance : variance;
      return (kLogTwoPi + Log(spread) + (label - mean) * (label - mean) / spread) / 2;
    };
    auto const known = [&](std::size_t cell) { return !std::isnan(labels.data()[cell]); };
    return SumLosses(ctx, weights, labels.rows(), labels.columns(), loss, known).MeanOrZero();
  }
};

auto const kGaussian =
    Register<Metric, GaussianMetric>(
        kGaussianName, "Negative log-likelihood of labels under normal distributions with predicted mean and variance.")
        .Elsewhere({"rmsewithuncertainty"});

}  // namespace
}  // namespace xgbl
