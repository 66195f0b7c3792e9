// SPDX-License-Identifier: Apache-2.0
#include "objective/probability_link.h"

namespace xgbl {
namespace {

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

}  // namespace
}  // namespace xgbl
