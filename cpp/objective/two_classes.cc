// SPDX-License-Identifier: Apache-2.0
// Losses of labels that are classes 0 and 1, or shares of them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/math.h"
#include "labels/row_weights.h"
#include "objective/elementwise.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

// Margins are log-odds of class 1, whose probability is predicted and given as `base_score`. `Base` is PlainLoss,
// RegressionLoss or another loss whose link is to be replaced.
template <class Base>
struct ProbabilityLink : Base {
  static constexpr char const* kLabels = "labels from 0 to 1";
  static constexpr char const* kLink = "sigmoid";

  static void Transform(LossKernels const& kernels, float* margins, std::size_t n) {
    kernels.sigmoid(margins, margins, n);
  }
  static bool Allows(float label) { return label >= 0.0F && label <= 1.0F; }
  static double ToMargin(double base_score) { return LogOdds(base_score); }
  static void CheckBaseScore(std::string const& name, double base_score) {
    Require<ParamError>(base_score >= 0 && base_score <= 1, "`base_score` must be a probability, from 0 to 1, for `",
                        name, "`; got ", base_score, ".");
  }
};

template <class Base>
struct LogisticOf : ProbabilityLink<Base> {
  static void Predict(LossKernels const& kernels, float const* margins, float* out, std::size_t n) {
    kernels.sigmoid(margins, out, n);
  }
  static float Gradient(float prediction, float label) { return prediction - label; }
  static float Hessian(float prediction, float /*label*/) { return Positive(prediction * (1.0F - prediction)); }
};

using Logistic = LogisticOf<RegressionLoss>;

/// Gradients of the logistic loss, but margins for predictions and `base_score`.
struct RawLogistic : Logistic {
  static constexpr char const* kLink = "identity";

  static void Transform(LossKernels const& /*kernels*/, float* /*margins*/, std::size_t /*n*/) {}
  static double ToMargin(double base_score) { return base_score; }
  static void CheckBaseScore(std::string const& /*name*/, double /*base_score*/) {}
};

/// Labels may be any probability; no label has a meaning of its own.
struct CrossEntropy : LogisticOf<PlainLoss<NoParam>> {
  static bool MeanIsBest() { return true; }
};

/// A column of labels for each class, of which a row may have several or none.
struct MultiLabel : CrossEntropy {
  static constexpr char const* kLabels = "labels 0 or 1";
  static bool Allows(float label) { return label == 0.0F || label == 1.0F; }
};

auto const kBinary =
    Register<Objective, Elementwise<Logistic>>(
        "binary:logistic", "Logistic loss for two classes; predicts the probability of class 1.", "logloss")
        .Params<RegressionParam>()
        .Elsewhere({"binary", "logloss", "log_loss", "binary_logloss", "logistic"});

auto const kRegression =
    Register<Objective, Elementwise<Logistic>>("reg:logistic", "Logistic loss for shares from 0 to 1.", "rmse")
        .Params<RegressionParam>();

auto const kRaw = Register<Objective, Elementwise<RawLogistic>>(
                      "binary:logitraw", "Logistic loss for two classes; predicts the log-odds of class 1.", "logloss")
                      .Params<RegressionParam>();

auto const kCrossEntropy =
    Register<Objective, Elementwise<CrossEntropy>>(
        "binary:crossentropy",
        "Cross-entropy of labels that are themselves probabilities, from 0 to 1; predicts the probability.", "logloss")
        .Alias({"cross_entropy", "crossentropy", "xentropy"})
        .Own("binary:logistic");

auto const kMultiLabel =
    Register<Objective, Elementwise<MultiLabel>>("binary:multilabel",
                                                 "Logistic loss of several labels that a row may have at once, each a "
                                                 "column of 0 and 1; predicts the probability of each.",
                                                 "logloss")
        .Alias({"multilogloss"})
        .Own("binary:logistic");

// Focal loss (Lin, Goyal, Girshick, He and Dollar 2017): -share (1 - p)^gamma log p of the probability p of the row's
// class; share is alpha for class 1 and 1 - alpha for class 0. It is concave where p is small: there the hessian counts
// with the other sign, so that leaves step down and not to the saddle (Dauphin and others 2014).
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

// AdaBoost's loss exp(-side margin), side -1 or 1 (Friedman, Hastie and Tibshirani 2000). Its best margin is half the
// log-odds, so that a leaf has a closed form: half the log of the weight of class 1 over that of class 0, where rows
// weigh exp(-side margin) times their own. A label between 0 and 1 is that much of a row of class 1.
struct Exponential : ProbabilityLink<PlainLoss<NoParam>> {
  static constexpr char const* kLink = "sigmoid of twice";

  // The weight of a row of class 0; one of class 1 has its inverse.
  static void Predict(LossKernels const& kernels, float const* margins, float* out, std::size_t n) {
    constexpr float kFar = 69.0F;  // exponentials of it leave room for labels and weights
    std::transform(margins, margins + n, out, [=](float x) { return x < -kFar ? -kFar : (x > kFar ? kFar : x); });
    kernels.exp(out, out, n);
  }
  static float Gradient(float weight, float label) { return (1.0F - label) * weight - label / weight; }
  static float Hessian(float weight, float label) { return Positive((1.0F - label) * weight + label / weight); }
  static bool MeanIsBest() { return true; }

  static double ToMargin(double base_score) { return LogOdds(base_score) / 2; }
  static void Transform(LossKernels const& kernels, float* margins, std::size_t n) {
    std::transform(margins, margins + n, margins, [](float margin) { return 2.0F * margin; });
    kernels.sigmoid(margins, margins, n);
  }
};

class ExponentialObjective : public Elementwise<Exponential> {
 public:
  ExponentialObjective() : Elementwise(kName, "logloss") {}

  bool FitsLeaves() const override { return true; }
  double FitLeaf(LeafTask const& task) const override {
    RowWeights const weights(task.meta, task.margins.rows(), kName);
    BufferedSum positives, negatives, all;
    for (std::uint32_t const row : task.rows) {
      double const label = double{task.meta.labels.View()(row, task.output)}, own = double{weights[row]};
      if (std::isnan(label)) continue;
      double const weight = Exp(std::clamp(double{task.margins(row, task.output)}, -kFar, kFar));
      negatives += own * (1 - label) * weight;
      positives += own * label / weight;
      all += own;
    }
    return all.Value() > 0 ? HalfLogOdds(positives.Value(), negatives.Value()) : 0.0;
  }

 private:
  static constexpr char const* kName = "binary:exponential";
  static constexpr double kFar = 69;

  // Of one class alone the best leaf is infinite; it gets that of one row in twenty of the other class.
  static double HalfLogOdds(double positives, double negatives) {
    constexpr double kPure = 1.5, kMost = 100;
    if (negatives == 0) return kPure;
    if (positives == 0) return -kPure;
    return std::clamp((Log(positives) - Log(negatives)) / 2, -kMost, kMost);
  }
};

auto const kExponential =
    Register<Objective, ExponentialObjective>("binary:exponential",
                                              "The exponential loss of AdaBoost for two classes; leaves are half the "
                                              "weighted log-odds; predicts the probability of class 1.")
        .Alias({"exponential"})
        .Own();

struct Hinge : PlainLoss<NoParam> {
  static constexpr char const* kLabels = "labels from 0 to 1";
  static constexpr char const* kLink = "step";

  static float Side(float label) { return 2.0F * label - 1.0F; }
  static bool Inside(float margin, float label) { return margin * Side(label) < 1.0F; }
  static float Gradient(float margin, float label) { return Inside(margin, label) ? -Side(label) : 0.0F; }
  static float Hessian(float margin, float label) {
    return Inside(margin, label) ? 1.0F : std::numeric_limits<float>::min();
  }
  static void Transform(LossKernels const& /*kernels*/, float* margins, std::size_t n) {
    std::transform(margins, margins + n, margins, [](float margin) { return margin > 0.0F ? 1.0F : 0.0F; });
  }
  static bool Allows(float label) { return label >= 0.0F && label <= 1.0F; }
};

auto const kHinge = Register<Objective, Elementwise<Hinge>>(
                        "binary:hinge", "Hinge loss for two classes; predicts the class, 0 or 1.", "error")
                        .Elsewhere({"hinge"});

}  // namespace
}  // namespace xgbl
