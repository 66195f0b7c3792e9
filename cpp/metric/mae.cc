// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "metric/elementwise.h"

namespace xgbl {
namespace {

struct Absolute : MeanLoss {
  static double Loss(float prediction, float label) { return std::fabs(double{prediction} - double{label}); }
};

auto const kMae = Register<Metric, ElementwiseMetric<Absolute>>("mae", "Mean absolute error.")
                      .Elsewhere({"l1", "mean_absolute_error", "regression_l1"});

}  // namespace
}  // namespace xgbl
