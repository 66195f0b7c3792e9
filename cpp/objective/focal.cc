// SPDX-License-Identifier: Apache-2.0
// Focal loss (Lin, Goyal, Girshick, He and Dollar 2017): -share (1 - p)^gamma log p of the probability p of the row's
// class; share is alpha for class 1 and 1 - alpha for class 0. It is concave where p is small: there the hessian counts
// with the other sign, so that leaves step down and not to the saddle (Dauphin and others 2014).
#include <cmath>

#include "objective/probability_link.h"

namespace xgbl {
namespace {

struct FocalParam {
  double focal_gamma = 2;
  double focal_alpha = 0.25;

  template <class F>
  static void Describe(F& field) {
    field("focal_gamma", &FocalParam::focal_gamma, "How much less well predicted rows count; 0 is the logistic loss.")
        .Range(0);
    field("focal_alpha", &FocalParam::focal_alpha,
          "Weight of rows with label 1; rows with label 0 have one minus this.")
        .Range(0, 1);
  }
};

// Predict() leaves margins: the derivatives need more than the probability.
struct Focal : ProbabilityLink<PlainLoss<FocalParam>> {
  static constexpr char const* kLabels = "labels 0 or 1";
  static constexpr bool kSolvesStart = true;

  // Derivatives in the margin of the row's own class.
  struct Slopes {
    float first;
    float second;
  };

  Slopes At(float margin) const {
    float const p = Sigmoid(margin), q = Sigmoid(-margin);
    float const log_p = -Softplus(-margin), power = Exp(-gamma * Softplus(margin));  // q^gamma
    float const first = power * (gamma * p * log_p - q);
    float const second = power * p * (q * (1.0F + 2.0F * gamma + gamma * log_p) - gamma * gamma * p * log_p);
    return {first, second};
  }
  float Gradient(float margin, float label) const {
    float const side = label > 0.5F ? 1.0F : -1.0F;
    return Share(label) * side * At(side * Bounded(margin)).first;
  }
  float Hessian(float margin, float label) const {
    float const side = label > 0.5F ? 1.0F : -1.0F;
    return Positive(Share(label) * std::fabs(At(side * Bounded(margin)).second));
  }
  static bool Allows(float label) { return label == 0.0F || label == 1.0F; }
  void Prepare() {
    gamma = static_cast<float>(params.focal_gamma);
    alpha = static_cast<float>(params.focal_alpha);
  }

  float Share(float label) const { return label > 0.5F ? alpha : 1.0F - alpha; }
  // Beyond it all is as there, and products stay finite.
  static float Bounded(float margin) {
    constexpr float kFar = 80.0F;
    float const above = margin > -kFar ? margin : -kFar;
    return above < kFar ? above : kFar;
  }

  float gamma = 2;
  float alpha = 0.25F;
};

auto const kFocal =
    Register<Objective, Elementwise<Focal>>(
        "binary:focal",
        "Focal loss for two classes: rows that are predicted well count little; predicts the probability of class 1.",
        "logloss")
        .Alias({"focal"})
        .Params<FocalParam>()
        .Own("binary:logistic");

}  // namespace
}  // namespace xgbl
