// SPDX-License-Identifier: Apache-2.0
// Charbonnier, Blanc-Feraud, Aubert and Barlaud (1994).
#include <cmath>

#include "objective/elementwise.h"
#include "objective/shared_params.h"

namespace xgbl {
namespace {

struct PseudoHuber : PlainLoss<HuberSlopeParam> {
  float Gradient(float prediction, float label) const {
    float const u = Scaled(prediction, label);
    return slope * (u / std::sqrt(1.0F + u * u));
  }
  float Hessian(float prediction, float label) const {
    float const u = Scaled(prediction, label), square = 1.0F + u * u;
    return Positive(1.0F / (square * std::sqrt(square)));
  }
  void Prepare() { slope = static_cast<float>(params.huber_slope); }

  // Within what has a square.
  float Scaled(float prediction, float label) const {
    constexpr float kMost = 1e12F;
    float const u = (prediction - label) / slope;
    float const above = u > -kMost ? u : -kMost;
    return above < kMost ? above : kMost;
  }

  float slope = 1;
};

auto const kPseudoHuber =
    Register<Objective, Elementwise<PseudoHuber>>(
        "reg:pseudohubererror", "Pseudo-Huber loss: squared for small errors, absolute for large ones, and smooth.",
        "mphe")
        .Params<HuberSlopeParam>();

}  // namespace
}  // namespace xgbl
