// SPDX-License-Identifier: Apache-2.0
// Losses that predict the exponential of the margin, a positive mean: Poisson, gamma, Tweedie. `base_score` is that
// mean. Exponentials are limited so that products with labels and weights stay finite. The hessian of Poisson is
// enlarged by exp(max_delta_step). It then bounds that of all margins within this distance, so no such step makes the
// loss worse.
#include <limits>
#include <string>

#include "base/math.h"
#include "objective/elementwise.h"
#include "objective/shared_params.h"

namespace xgbl {
namespace {

// `Base` is PlainLoss, RegressionLoss or another loss whose link is to be replaced.
template <class Base>
struct LogLink : Base {
  static constexpr char const* kLabels = "finite labels that are not negative";
  static constexpr char const* kLink = "exp";
  static constexpr float kMost = 1e30F;

  static float Within(float value) {
    float const above = value > 1 / kMost ? value : 1 / kMost;
    return above < kMost ? above : kMost;
  }
  static void Predict(LossKernels const& kernels, float const* margins, float* out, std::size_t n) {
    kernels.exp(margins, out, n);
    std::transform(out, out + n, out, Within);
  }
  static void Transform(LossKernels const& kernels, float* margins, std::size_t n) {
    constexpr float kLargest = std::numeric_limits<float>::max();
    kernels.exp(margins, margins, n);
    std::transform(margins, margins + n, margins, [=](float mean) { return mean > kLargest ? kLargest : mean; });
  }
  static bool Allows(float label) { return std::isfinite(label) && label >= 0.0F; }

  // Of a float, as models are read by programs that compute it so. A mean of 0 has no margin; it gets a low one.
  static double ToMargin(double base_score) {
    constexpr double kLeast = 1e-16;
    return Log(std::max(kLeast, static_cast<double>(static_cast<float>(base_score))));
  }
  static void CheckBaseScore(std::string const& name, double base_score) {
    Require<ParamError>(base_score >= 0, "`base_score` must be a mean, 0 or above, for `", name, "`; got ", base_score,
                        ".");
  }
};

struct PoissonParam {
  static constexpr char const* kGroup = "poisson_regression_param";
  double max_delta_step = 0.7;

  template <class F>
  static void Describe(F& field) {
    field("max_delta_step", &PoissonParam::max_delta_step,
          "Largest absolute leaf value before shrinkage; the hessian is multiplied by its exponential.")
        .Range(0);
  }
};

struct Poisson : LogLink<PlainLoss<PoissonParam>> {
  static float Gradient(float mean, float label) { return mean - label; }
  float Hessian(float mean, float /*label*/) const { return Positive(mean * factor); }
  static bool MeanIsBest() { return true; }
  void Prepare() { factor = std::min(Exp(static_cast<float>(params.max_delta_step)), kMostFactor); }

  static constexpr float kMostFactor = 1e7F;
  float factor = 1;
};

class PoissonObjective : public Elementwise<Poisson> {
 public:
  PoissonObjective() : Elementwise("count:poisson", "poisson-nloglik") {}

  /// Leaves are limited, too, unless the user says otherwise.
  ParamMap TreeDefaults() const override { return Params(); }
};

auto const kPoisson =
    Register<Objective, PoissonObjective>("count:poisson", "Poisson regression with a log link: for counts.")
        .Alias({"poisson"})
        .Params<PoissonParam>();

struct Gamma : LogLink<RegressionLoss> {
  static constexpr char const* kLabels = "finite labels above 0";

  static float Ratio(float mean, float label) { return std::min(label / mean, kMost); }
  static float Gradient(float mean, float label) { return 1.0F - Ratio(mean, label); }
  static float Hessian(float mean, float label) { return Positive(Ratio(mean, label)); }
  static bool Allows(float label) { return std::isfinite(label) && label > 0.0F; }
  static void CheckBaseScore(std::string const& name, double base_score) {
    Require<ParamError>(base_score > 0, "`base_score` must be a mean, above 0, for `", name, "`; got ", base_score,
                        ".");
  }
};

auto const kGamma =
    Register<Objective, Elementwise<Gamma>>(
        "reg:gamma", "Gamma regression with a log link: for positive amounts whose spread grows with their mean.",
        "gamma-deviance")
        .Alias({"gamma"})
        .Params<RegressionParam>();

struct Tweedie : LogLink<PlainLoss<TweedieParam>> {
  static void Predict(LossKernels const& /*kernels*/, float const* margins, float* out, std::size_t n) {
    constexpr float kFar = 60.0F;
    std::transform(margins, margins + n, out, [=](float x) { return x < -kFar ? -kFar : (x > kFar ? kFar : x); });
  }
  float Gradient(float margin, float label) const { return OfMean(margin) - OfLabel(margin, label); }
  float Hessian(float margin, float label) const {
    return Positive((power - 1.0F) * OfLabel(margin, label) + (2.0F - power) * OfMean(margin));
  }
  static bool MeanIsBest() { return true; }
  void Prepare() { power = static_cast<float>(params.tweedie_variance_power); }

  float OfLabel(float margin, float label) const { return std::min(label * Exp((1.0F - power) * margin), kMost); }
  float OfMean(float margin) const { return Exp((2.0F - power) * margin); }

  float power = 1.5F;
};

class TweedieObjective : public Elementwise<Tweedie> {
 public:
  TweedieObjective() : Elementwise("reg:tweedie", "") {}

  std::string DefaultMetric() const override {
    return "tweedie-nloglik@" + PrintParam(GetLoss().params.tweedie_variance_power);
  }
};

auto const kTweedie = Register<Objective, TweedieObjective>(
                          "reg:tweedie", "Tweedie regression with a log link: for amounts of which many are 0.")
                          .Alias({"tweedie"})
                          .Params<TweedieParam>();

}  // namespace
}  // namespace xgbl
