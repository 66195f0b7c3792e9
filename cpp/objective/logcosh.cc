// SPDX-License-Identifier: Apache-2.0
// The hessian for an error z is tanh(z) / z and not the second derivative, which falls so fast that a leaf of large
// errors would take a huge step. The parabola with this curvature through the loss lies above it, so no step of a leaf
// makes its loss worse (Huber's weights; Boehning and Lindsay 1988).
#include "base/math.h"
#include "objective/elementwise.h"

namespace xgbl {
namespace {

struct LogCosh : PlainLoss<NoParam> {
  static constexpr bool kSolvesStart = true;

  static float Gradient(float prediction, float label) { return (prediction - label) * Hessian(prediction, label); }
  static float Hessian(float prediction, float label) {
    constexpr float kNear = 0.125F;  // below it the series is nearer than the quotient, whose numerator cancels
    float const error = prediction - label, size = error < 0.0F ? -error : error;
    float const small = Exp(-2.0F * size), square = error * error;
    float const series = 1.0F + square * (-1.0F / 3.0F + square * (2.0F / 15.0F - square * (17.0F / 315.0F)));
    float const quotient = (1.0F - small) / ((1.0F + small) * (size < kNear ? 1.0F : size));
    return size < kNear ? series : quotient;
  }
};

auto const kLogCosh =
    Register<Objective, Elementwise<LogCosh>>(
        "reg:logcosh",
        "Log of the hyperbolic cosine of the error: squared for errors below 1, absolute for large ones.", "mae")
        .Alias({"logcosh"})
        .Own("reg:squarederror");

}  // namespace
}  // namespace xgbl
