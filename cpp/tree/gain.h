// SPDX-License-Identifier: Apache-2.0
// Leaf weight and gain (Chen and Guestrin 2016, equations 5 to 7, with L1 and a bound on the weight). The best weight
// of a leaf is w* = -T(G) / (H + lambda), clamped to the bounds, where T shrinks G towards 0 by alpha. Its gain is
// twice the loss that it removes, -(2 G w + (H + lambda) w^2 + 2 alpha |w|). Without clamping this is T(G)^2 / (H +
// lambda).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.h"
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

  /// `leaves`: so many that must have one weight, of their sums together, each with its own penalty.
  double Weight(double gradient, double hessian, WeightBounds const& bounds, double leaves = 1) const {
    if (hessian <= 0) return std::clamp(0.0, bounds.low, bounds.high);
    double const free = -Shrink(gradient, leaves) / (hessian + leaves * lambda_);
    return std::clamp(std::clamp(free, -max_step_, max_step_), bounds.low, bounds.high);
  }

  double Gain(double gradient, double hessian, WeightBounds const& bounds, double leaves = 1) const {
    if (hessian <= 0) return 0;
    if (!clamps_) {
      double const shrunk = Shrink(gradient, leaves);
      return shrunk * shrunk / (hessian + leaves * lambda_);
    }
    double const w = Weight(gradient, hessian, bounds, leaves);
    return -(2 * gradient * w + (hessian + leaves * lambda_) * w * w + 2 * leaves * alpha_ * std::fabs(w));
  }

  /// Whether weights may be clamped, by max_delta_step or by monotone constraints.
  bool Clamps() const { return clamps_; }
  /// Whether any feature is under a monotone constraint.
  bool Monotone() const { return monotone_; }
  double Lambda() const { return lambda_; }
  double Alpha() const { return alpha_; }

 private:
  double Shrink(double gradient, double leaves) const {
    return std::copysign(std::max(std::fabs(gradient) - leaves * alpha_, 0.0), gradient);
  }

  double lambda_;
  double alpha_;
  double max_step_;
  bool monotone_;
  bool clamps_;
};

/// What a node inherits from the splits above it. After a split on a constrained feature, the midpoint of the
/// children's weights bounds both subtrees from the inside, so no leaf on one side can overtake one on the other. In a
/// vector leaf each output is bounded separately. If a split suits only some outputs, the others get the same weight in
/// both children.
class MonotoneConstraints {
 public:
  MonotoneConstraints(TreeParam const& param, std::size_t num_features) {
    auto const& given = param.monotone_constraints;
    Require<ParamError>(given.size() <= num_features, "`monotone_constraints` has ", given.size(),
                        " entries, but the data have ", num_features, " features. Give at most one per feature.");
    for (int const sign : given) {
      Require<ParamError>(sign >= -1 && sign <= 1,
                          "`monotone_constraints` takes 1 (rising), -1 (falling) and 0 (free); ", "got `", sign, "`.");
    }
    bool const any = std::any_of(given.begin(), given.end(), [](int sign) { return sign != 0; });
    if (!any) return;
    signs_ = given;
    signs_.resize(num_features, 0);
  }

  int Sign(std::size_t feature) const { return signs_.empty() ? 0 : signs_[feature]; }
  /// Whether children of these weights may be made by a split on the feature.
  bool Allows(std::size_t feature, double left_weight, double right_weight) const {
    int const sign = Sign(feature);
    return sign == 0 || (sign > 0 ? left_weight <= right_weight : left_weight >= right_weight);
  }
  /// The bounds of the left and of the right child, which meet at `middle`.
  std::pair<WeightBounds, WeightBounds> ChildBounds(WeightBounds const& parent, std::size_t feature,
                                                    double middle) const {
    WeightBounds left = parent, right = parent;
    if (Sign(feature) > 0) left.high = right.low = middle;
    if (Sign(feature) < 0) left.low = right.high = middle;
    return {left, right};
  }

 private:
  std::vector<int> signs_;
};

}  // namespace xgbl
