// SPDX-License-Identifier: Apache-2.0
#include "objective/elementwise.h"

namespace xgbl {
namespace {

struct SquaredError : RegressionLoss {
  static float Gradient(float prediction, float label) { return prediction - label; }
  static float Hessian(float /*prediction*/, float /*label*/) { return 1.0F; }
};

auto const kSquaredError =
    Register<Objective, Elementwise<SquaredError>>("reg:squarederror",
                                                   "Squared error, half of it: for numbers of any sign.", "rmse")
        .Alias({"reg:linear"})
        .Params<RegressionParam>()
        .Elsewhere({"regression", "regression_l2", "l2", "l2_root", "mse", "rmse", "mean_squared_error",
                    "root_mean_squared_error", "squared_error", "multirmse"});

}  // namespace
}  // namespace xgbl
