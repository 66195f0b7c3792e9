// SPDX-License-Identifier: Apache-2.0
// Shared by losses that predict the exponential of the margin, a positive mean. `base_score` is that mean. Exponentials
// are limited so that products with labels and weights stay finite.
#pragma once

#include <limits>
#include <string>

#include "base/math.h"
#include "objective/elementwise.h"

namespace xgbl {

/// `Base` is PlainLoss, RegressionLoss or another loss whose link is to be replaced.
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

  /// Of a float, as models are read by programs that compute it so. A mean of 0 has no margin; it gets a low one.
  static double ToMargin(double base_score) {
    constexpr double kLeast = 1e-16;
    return Log(std::max(kLeast, static_cast<double>(static_cast<float>(base_score))));
  }
  static void CheckBaseScore(std::string const& name, double base_score) {
    Require<ParamError>(base_score >= 0, "`base_score` must be a mean, 0 or above, for `", name, "`; got ", base_score,
                        ".");
  }
};

}  // namespace xgbl
