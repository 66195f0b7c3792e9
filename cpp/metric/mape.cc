// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "metric/elementwise.h"

namespace xgbl {
namespace {

struct RelativeError : MeanLoss {
  static double Loss(float prediction, float label) {
    return std::fabs((double{label} - double{prediction}) / double{label});
  }
};

auto const kMape = Register<Metric, ElementwiseMetric<RelativeError>>(
                       "mape", "Mean of the absolute error over the absolute label; infinite where a label is 0.")
                       .Elsewhere({"mean_absolute_percentage_error"});

}  // namespace
}  // namespace xgbl
