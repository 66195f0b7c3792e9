// SPDX-License-Identifier: Apache-2.0
#include "base/math.h"
#include "objective/elementwise.h"

namespace xgbl {
namespace {

constexpr float kLeastHessian = 1e-16F;  // keeps the weight of a leaf finite where the model is certain
constexpr float kCertain = 1e-6F;        // base scores nearer to 0 or 1 than this have no useful margin

struct Logistic : RegressionLoss {
  static constexpr char const* kLabels = "labels from 0 to 1";

  static void Predict(Kernels const& kernels, float const* margins, float* out, std::size_t n) {
    kernels.sigmoid(margins, out, n);
  }
  static float Gradient(float prediction, float label) { return prediction - label; }
  static float Hessian(float prediction, float /*label*/) {
    float const hessian = prediction * (1.0F - prediction);
    return hessian > kLeastHessian ? hessian : kLeastHessian;
  }
  static void Transform(Kernels const& kernels, float* margins, std::size_t n) { kernels.sigmoid(margins, margins, n); }
  static bool Allows(float label) { return label >= 0.0F && label <= 1.0F; }

  // In float, as models are read by programs that compute it so.
  static double ToMargin(double base_score) {
    float const p = std::clamp(static_cast<float>(base_score), kCertain, 1.0F - kCertain);
    return -Log(static_cast<double>(1.0F / p - 1.0F));
  }
  static void CheckBaseScore(std::string const& name, double base_score) {
    Require<ParamError>(base_score >= 0 && base_score <= 1, "`base_score` must be a probability, from 0 to 1, for `",
                        name, "`; got ", base_score, ".");
  }
};

/// Gradients of the logistic loss, but margins for predictions and `base_score`.
struct RawLogistic : Logistic {
  static void Transform(Kernels const& /*kernels*/, float* /*margins*/, std::size_t /*n*/) {}
  static double ToMargin(double base_score) { return base_score; }
  static void CheckBaseScore(std::string const& /*name*/, double /*base_score*/) {}
};

Registration<Objective> const kBinary{
    "binary:logistic",
    {},
    "Logistic loss for two classes; predicts the probability of class 1.",
    SpecsOf<RegressionParam>(),
    [] { return std::make_unique<Elementwise<Logistic>>("binary:logistic", "logloss"); }};

Registration<Objective> const kRegression{
    "reg:logistic", {}, "Logistic loss for shares from 0 to 1.", SpecsOf<RegressionParam>(), [] {
      return std::make_unique<Elementwise<Logistic>>("reg:logistic", "rmse");
    }};

Registration<Objective> const kRaw{
    "binary:logitraw",
    {},
    "Logistic loss for two classes; predicts the log-odds of class 1.",
    SpecsOf<RegressionParam>(),
    [] { return std::make_unique<Elementwise<RawLogistic>>("binary:logitraw", "logloss"); }};

}  // namespace
}  // namespace xgbl
