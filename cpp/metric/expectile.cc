// SPDX-License-Identifier: Apache-2.0
#include "metric/level_metric.h"

namespace xgbl {
namespace {

struct SquaredOnBothSides {
  static constexpr char kParam[] = "expectile_alpha";
  static double Loss(double prediction, double label, double level) {
    double const difference = prediction - label;
    return (difference >= 0 ? 1 - level : level) * difference * difference;
  }
};

auto const kExpectile =
    Register<Metric, LevelMetric<SquaredOnBothSides>>(
        "expectile",
        "Mean squared error over the levels in `expectile_alpha`, weighted by level where labels lie above.")
        .Repeats<ExpectileParam>();

}  // namespace
}  // namespace xgbl
