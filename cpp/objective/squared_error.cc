// SPDX-License-Identifier: Apache-2.0
#include "objective/elementwise.h"

namespace xgbl {
namespace {

struct SquaredError : RegressionLoss {
  static float Gradient(float prediction, float label) { return prediction - label; }
  static float Hessian(float /*prediction*/, float /*label*/) { return 1.0F; }
};

Registration<Objective> const kSquaredError{
    "reg:squarederror",
    {"reg:linear"},
    "Squared error, half of it: for numbers of any sign.",
    SpecsOf<RegressionParam>(),
    [] { return std::make_unique<Elementwise<SquaredError>>("reg:squarederror", "rmse"); }};

}  // namespace
}  // namespace xgbl
