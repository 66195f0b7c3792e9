// SPDX-License-Identifier: Apache-2.0
// Leaf weight and gain (Chen and Guestrin 2016, equations 5 to 7, with L1 and a bound on the weight). The best weight
// of a leaf is w* = -T(G) / (H + lambda), clamped to the bounds, where T shrinks G towards 0 by alpha. Its gain is
// twice the loss that it removes, -(2 G w + (H + lambda) w^2 + 2 alpha |w|). Without clamping this is T(G)^2 / (H +
// lambda).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tree/tree_param.h"

namespace xgbl {

/// The interval that monotone constraints leave to a node's weight.
struct WeightBounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

class GainRule {
 public:
  explicit GainRule(TreeParam const& param)
      : lambda_(param.reg_lambda),
        alpha_(param.reg_alpha),
        max_step_(param.max_delta_step > 0 ? param.max_delta_step : std::numeric_limits<double>::infinity()),
        monotone_(std::any_of(param.monotone_constraints.begin(), param.monotone_constraints.end(),
                              [](int c) { return c != 0; })),
        clamps_(param.max_delta_step > 0 || monotone_) {}

  double Weight(double gradient, double hessian, WeightBounds const& bounds) const {
    if (hessian <= 0) return std::clamp(0.0, bounds.low, bounds.high);
    double const free = -Shrink(gradient) / (hessian + lambda_);
    return std::clamp(std::clamp(free, -max_step_, max_step_), bounds.low, bounds.high);
  }

  double Gain(double gradient, double hessian, WeightBounds const& bounds) const {
    if (hessian <= 0) return 0;
    if (!clamps_) {
      double const shrunk = Shrink(gradient);
      return shrunk * shrunk / (hessian + lambda_);
    }
    double const w = Weight(gradient, hessian, bounds);
    return -(2 * gradient * w + (hessian + lambda_) * w * w + 2 * alpha_ * std::fabs(w));
  }

  /// The same of two leaves that must have one weight: of their sums together, each with its own penalty.
  double SharedWeight(double gradient, double hessian, WeightBounds const& bounds) const {
    if (hessian <= 0) return std::clamp(0.0, bounds.low, bounds.high);
    double const shrunk = std::copysign(std::max(std::fabs(gradient) - 2 * alpha_, 0.0), gradient);
    return std::clamp(std::clamp(-shrunk / (hessian + 2 * lambda_), -max_step_, max_step_), bounds.low, bounds.high);
  }

  double SharedGain(double gradient, double hessian, WeightBounds const& bounds) const {
    if (hessian <= 0) return 0;
    double const w = SharedWeight(gradient, hessian, bounds);
    return -(2 * gradient * w + (hessian + 2 * lambda_) * w * w + 4 * alpha_ * std::fabs(w));
  }

  /// Whether weights may be clamped, by max_delta_step or by monotone constraints.
  bool Clamps() const { return clamps_; }
  /// Whether any feature is under a monotone constraint.
  bool Monotone() const { return monotone_; }
  double Lambda() const { return lambda_; }
  double Alpha() const { return alpha_; }

 private:
  double Shrink(double gradient) const { return std::copysign(std::max(std::fabs(gradient) - alpha_, 0.0), gradient); }

  double lambda_;
  double alpha_;
  double max_step_;
  bool monotone_;
  bool clamps_;
};

}  // namespace xgbl
