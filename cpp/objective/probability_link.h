// SPDX-License-Identifier: Apache-2.0
// Shared by losses whose margins are log-odds of class 1 and that predict its probability. `base_score` is that
// probability.
#pragma once

#include <algorithm>
#include <string>

#include "base/math.h"
#include "objective/elementwise.h"

namespace xgbl {

/// The log-odds of a probability, of a float, as models are read by programs that compute it so. Probabilities nearer
/// to 0 or 1 than a millionth have no useful margin and get that of a millionth.
inline double LogOdds(double probability) {
  constexpr float kCertain = 1e-6F;
  float const p = std::clamp(static_cast<float>(probability), kCertain, 1.0F - kCertain);
  return -Log(static_cast<double>(1.0F / p - 1.0F));
}

/// `Base` is PlainLoss, RegressionLoss or another loss whose link is to be replaced.
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

}  // namespace xgbl
