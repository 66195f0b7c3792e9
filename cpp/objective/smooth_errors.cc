// SPDX-License-Identifier: Apache-2.0
// Squared error, of logarithms, too, and losses that are squared for small errors and nearly absolute for large ones.
#include <cmath>

#include "base/math.h"
#include "objective/elementwise.h"
#include "objective/shared_params.h"

namespace xgbl {
namespace {

struct SquaredError : RegressionLoss {
  static float Gradient(float prediction, float label) { return prediction - label; }
  static float Hessian(float /*prediction*/, float /*label*/) { return 1.0F; }
};

auto const kSquaredError =
    Register<Objective, Elementwise<SquaredError>>("reg:squarederror",
                                                   "Squared error, half of it: for numbers of any sign.", "rmse")
        .Alias({"reg:linear"})
        .Params<RegressionParam>()
        .Elsewhere({"regression", "regression_l2", "l2", "l2_root", "mse", "rmse", "mean_squared_error",
                    "root_mean_squared_error", "squared_error", "multirmse"});

constexpr float kLeastPrediction = -1.0F + 1e-6F;
constexpr float kLeastCurvature = 1e-6F;  // the loss is concave far above the label

struct SquaredLogError : PlainLoss<NoParam> {
  static constexpr char const* kLabels = "finite labels above -1";

  static float Bounded(float prediction) { return prediction > kLeastPrediction ? prediction : kLeastPrediction; }
  static float LogRatio(float prediction, float label) { return Log1p(Bounded(prediction)) - Log1p(label); }
  static float Gradient(float prediction, float label) {
    return LogRatio(prediction, label) / (Bounded(prediction) + 1.0F);
  }
  static float Hessian(float prediction, float label) {
    float const above = Bounded(prediction) + 1.0F;
    float const hessian = (1.0F - LogRatio(prediction, label)) / above / above;
    return hessian > kLeastCurvature ? hessian : kLeastCurvature;
  }
  static bool Allows(float label) { return std::isfinite(label) && label > -1.0F; }
};

auto const kSquaredLogError =
    Register<Objective, Elementwise<SquaredLogError>>(
        "reg:squaredlogerror",
        "Squared error of log(1 + prediction), half of it: for labels above -1 whose ratios matter.", "rmsle")
        .Elsewhere({"msle", "rmsle"});

// Charbonnier, Blanc-Feraud, Aubert and Barlaud (1994).
struct PseudoHuber : PlainLoss<HuberSlopeParam> {
  float Gradient(float prediction, float label) const {
    float const u = Scaled(prediction, label);
    return slope * (u / std::sqrt(1.0F + u * u));
  }
  float Hessian(float prediction, float label) const {
    float const u = Scaled(prediction, label), square = 1.0F + u * u;
    return Positive(1.0F / (square * std::sqrt(square)));
  }
  void Prepare() { slope = static_cast<float>(params.huber_slope); }

  // Within what has a square.
  float Scaled(float prediction, float label) const {
    constexpr float kMost = 1e12F;
    float const u = (prediction - label) / slope;
    float const above = u > -kMost ? u : -kMost;
    return above < kMost ? above : kMost;
  }

  float slope = 1;
};

auto const kPseudoHuber =
    Register<Objective, Elementwise<PseudoHuber>>(
        "reg:pseudohubererror", "Pseudo-Huber loss: squared for small errors, absolute for large ones, and smooth.",
        "mphe")
        .Params<HuberSlopeParam>();

struct FairParam {
  double fair_c = 1;

  template <class F>
  static void Describe(F& field) {
    field("fair_c", &FairParam::fair_c, "Slope of Fair's loss far from the label; larger errors count little more.")
        .Above(0);
  }
};

struct Fair : PlainLoss<FairParam> {
  static constexpr bool kSolvesStart = true;

  // c / (c + |error|), which is 1 at the label.
  float Share(float error) const { return c / ((error < 0.0F ? -error : error) + c); }
  float Gradient(float prediction, float label) const {
    float const error = prediction - label;
    return error * Share(error);
  }
  float Hessian(float prediction, float label) const {
    float const share = Share(prediction - label);
    return Positive(share * share);
  }
  void Prepare() { c = static_cast<float>(params.fair_c); }

  float c = 1;
};

auto const kFair = Register<Objective, Elementwise<Fair>>("reg:fair",
                                                          "Fair's loss, c^2 (e / c - log(1 + e / c)) of the absolute "
                                                          "error e: smooth, and nearly absolute for large errors.",
                                                          "mae")
                       .Alias({"fair"})
                       .Params<FairParam>()
                       .Own("reg:squarederror");

// The hessian for an error z is tanh(z) / z and not the second derivative, which falls so fast that a leaf of large
// errors would take a huge step. The parabola with this curvature through the loss lies above it, so no step of a leaf
// makes its loss worse (Huber's weights; Boehning and Lindsay 1988).
struct LogCosh : PlainLoss<NoParam> {
  static constexpr bool kSolvesStart = true;

  static float Gradient(float prediction, float label) { return (prediction - label) * Hessian(prediction, label); }
  static float Hessian(float prediction, float label) {
    constexpr float kNear = 0.125F;  // below it the series is nearer than the quotient, whose numerator cancels
    float const error = prediction - label, size = error < 0.0F ? -error : error;
    float const small = Exp(-2.0F * size), square = error * error;
    float const series = 1.0F + square * (-1.0F / 3.0F + square * (2.0F / 15.0F - square * (17.0F / 315.0F)));
    float const quotient = (1.0F - small) / ((1.0F + small) * (size < kNear ? 1.0F : size));
    return size < kNear ? series : quotient;
  }
};

auto const kLogCosh =
    Register<Objective, Elementwise<LogCosh>>(
        "reg:logcosh",
        "Log of the hyperbolic cosine of the error: squared for errors below 1, absolute for large ones.", "mae")
        .Alias({"logcosh"})
        .Own("reg:squarederror");

}  // namespace
}  // namespace xgbl
