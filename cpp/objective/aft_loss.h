// SPDX-License-Identifier: Apache-2.0
// The loss of accelerated failure time models. The logarithm of a time is the margin plus noise. The loss is minus the
// log density of the noise where the event was observed, and otherwise minus the log of the probability of the interval
// (Barnwal, Cho and Hocking 2022). Values, and limits where the noise's tail has no digits left, match xgboost's, so
// that its models are reproduced.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "base/math.h"
#include "labels/meta.h"

namespace xgbl {

struct AftParam {
  static constexpr char const* kGroup = "aft_loss_param";
  std::string aft_loss_distribution = "normal";
  double aft_loss_distribution_scale = 1;

  template <class F>
  static void Describe(F& field) {
    field("aft_loss_distribution", &AftParam::aft_loss_distribution, "Distribution of the noise in `survival:aft`.")
        .OneOf({"normal", "logistic", "extreme"});
    field("aft_loss_distribution_scale", &AftParam::aft_loss_distribution_scale,
          "Scale of the noise in `survival:aft`.")
        .Range(1e-30, 1e30);
  }

  /// As other programs read it from a model: derivatives in the tails depend on its last bits.
  double Scale() const { return double{static_cast<float>(aft_loss_distribution_scale)}; }
};

/// A distribution at one point: the probability of less, the density, and the density's first two derivatives.
struct NoiseAt {
  double below;
  double density;
  double slope;
  double curvature;
};

/// First and second derivative of the loss in the margin.
struct AftDerivatives {
  double gradient;
  double hessian;
};

namespace aft {

constexpr double kLargestGradient = 15;
constexpr double kLeastHessian = 1e-16;
constexpr double kLargestHessian = 15;
constexpr double kLeast = 1e-12;  // smaller chances and denominators are not trusted

struct Normal {
  static NoiseAt At(double z) {
    constexpr double kRootHalf = 0x1.6a09e667f3bcdp-1;
    constexpr double kPeak = 0x1.9884533d43651p-2;  // 1 / sqrt(2 pi)
    double const density = kPeak * Exp(-0.5 * z * z);
    return {0.5 * (1.0 + Erf(z * kRootHalf)), density, -z * density, (z * z - 1.0) * density};
  }
  static AftDerivatives Limit(bool above, double scale) {
    return {above ? -kLargestGradient : kLargestGradient, 1.0 / (scale * scale)};
  }
};

struct Logistic {
  static NoiseAt At(double z) {
    double const w = Exp(z);
    if (std::isinf(w * w)) return {1, 0, 0, 0};
    double const sum = 1.0 + w;
    double const density = w / (sum * sum);
    return {w / sum, density, density * (1.0 - w) / sum, density * (w * w - 4.0 * w + 1.0) / (sum * sum)};
  }
  static AftDerivatives Limit(bool above, double scale) { return {above ? -1.0 / scale : 1.0 / scale, kLeastHessian}; }
};

/// Of the smallest of many: times are Weibull.
struct Extreme {
  static NoiseAt At(double z) {
    double const w = Exp(z);
    if (std::isinf(w * w)) return {1, 0, 0, 0};
    double const survival = Exp(-w);
    double const density = w * survival;
    return {1.0 - survival, density, (1.0 - w) * density, (w * w - 3.0 * w + 1.0) * density};
  }
  static AftDerivatives Limit(bool above, double scale) {
    return above ? AftDerivatives{-kLargestGradient, kLargestHessian} : AftDerivatives{1.0 / scale, kLeastHessian};
  }
};

/// What the loss is minus the logarithm of, in units of the noise, with its derivatives: a density or a chance.
struct Likelihood {
  double value;
  double slope;
  double curvature;
  bool above;  // whether the time is above the prediction, for limits
};

template <class Noise>
Likelihood LikelihoodOf(LabelBounds::Interval bounds, double margin, double scale) {
  auto const z = [&](float time) { return (Log(double{time}) - margin) / scale; };
  if (bounds.IsEvent()) {
    NoiseAt const at = Noise::At(z(bounds.lower));
    return {at.density, at.slope, at.curvature, z(bounds.lower) > 0};
  }
  double const z_lower = bounds.HasLower() ? z(bounds.lower) : 0;
  double const z_upper = bounds.HasUpper() ? z(bounds.upper) : 0;
  NoiseAt const lower = bounds.HasLower() ? Noise::At(z_lower) : NoiseAt{0, 0, 0, 0};
  NoiseAt const upper = bounds.HasUpper() ? Noise::At(z_upper) : NoiseAt{1, 0, 0, 0};
  return {upper.below - lower.below, upper.density - lower.density, upper.slope - lower.slope,
          z_lower > 0 || z_upper > 0};
}

// The derivatives at infinite margins; an open side has nothing to say of predictions beyond the other.
template <class Noise>
AftDerivatives LimitOf(LabelBounds::Interval bounds, bool above, double scale) {
  bool const satisfied = !bounds.IsEvent() && (above ? !bounds.HasLower() : !bounds.HasUpper());
  return satisfied ? AftDerivatives{0, kLeastHessian} : Noise::Limit(above, scale);
}

inline double OrLimit(double quotient, double denominator, double limit) {
  return denominator < kLeast && !std::isfinite(quotient) ? limit : quotient;
}

/// The loss of a row. Chances below kLeast count as that.
template <class Noise>
double Loss(LabelBounds::Interval bounds, double margin, double scale) {
  double const value = LikelihoodOf<Noise>(bounds, margin, scale).value;
  double const likelihood = bounds.IsEvent() ? value / (scale * double{bounds.lower}) : value;
  return -Log(likelihood > kLeast ? likelihood : kLeast);  // kLeast, too, where an event at time 0 has none
}

template <class Noise>
AftDerivatives DerivativesOf(LabelBounds::Interval bounds, double margin, double scale) {
  Likelihood const at = LikelihoodOf<Noise>(bounds, margin, scale);
  AftDerivatives const limit = LimitOf<Noise>(bounds, at.above, scale);
  double const root = scale * at.value;
  double const gradient = OrLimit(at.slope / root, root, limit.gradient);
  double const square = root * root;
  double const hessian = OrLimit((at.slope * at.slope - at.value * at.curvature) / square, square, limit.hessian);
  return {std::clamp(gradient, -kLargestGradient, kLargestGradient),
          std::clamp(hessian, kLeastHessian, kLargestHessian)};
}

}  // namespace aft

/// `use(noise)` with the distribution of that name, which is one of AftParam's.
template <class Use>
auto WithNoise(std::string const& distribution, Use&& use) {
  if (distribution == "logistic") return use(aft::Logistic{});
  if (distribution == "extreme") return use(aft::Extreme{});
  return use(aft::Normal{});
}

}  // namespace xgbl
