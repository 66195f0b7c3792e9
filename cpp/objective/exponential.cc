// SPDX-License-Identifier: Apache-2.0
// AdaBoost's loss exp(-side margin), side -1 or 1 (Friedman, Hastie and Tibshirani 2000). Its best margin is half the
// log-odds, so that a leaf has a closed form: half the log of the weight of class 1 over that of class 0, where rows
// weigh exp(-side margin) times their own. A label between 0 and 1 is that much of a row of class 1.
#include <algorithm>
#include <cmath>

#include "labels/row_weights.h"
#include "objective/probability_link.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

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

}  // namespace
}  // namespace xgbl
