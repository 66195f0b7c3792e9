// SPDX-License-Identifier: Apache-2.0
#include "base/math.h"
#include "objective/elementwise.h"

namespace xgbl {
namespace {

constexpr float kLeastPrediction = -1.0F + 1e-6F;
constexpr float kLeastCurvature = 1e-6F;  // the loss is concave far above the label

struct SquaredLogError : PlainLoss<NoParam> {
  static constexpr char const* kLabels = "finite labels above -1";

  static float Bounded(float prediction) { return prediction > kLeastPrediction ? prediction : kLeastPrediction; }
  static float LogRatio(float prediction, float label) { return Log1p(Bounded(prediction)) - Log1p(label); }
  static float Gradient(float prediction, float label) {
    return LogRatio(prediction, label) / (Bounded(prediction) + 1.0F);
  }
  static float Hessian(float prediction, float label) {
    float const above = Bounded(prediction) + 1.0F;
    float const hessian = (1.0F - LogRatio(prediction, label)) / above / above;
    return hessian > kLeastCurvature ? hessian : kLeastCurvature;
  }
  static bool Allows(float label) { return std::isfinite(label) && label > -1.0F; }
};

auto const kSquaredLogError =
    Register<Objective, Elementwise<SquaredLogError>>(
        "reg:squaredlogerror",
        "Squared error of log(1 + prediction), half of it: for labels above -1 whose ratios matter.", "rmsle")
        .Elsewhere({"msle", "rmsle"});

}  // namespace
}  // namespace xgbl
