// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "metric/elementwise.h"

namespace xgbl {
namespace {

struct Squared : MeanLoss {
  static double Loss(float prediction, float label) {
    double const difference = double{prediction} - double{label};
    return difference * difference;
  }
  static double Final(double mean) { return std::sqrt(mean); }
};

auto const kRmse = Register<Metric, ElementwiseMetric<Squared>>("rmse", "Root of the mean squared error.")
                       .Elsewhere({"l2", "l2_root", "mse", "mean_squared_error", "root_mean_squared_error",
                                   "regression", "regression_l2", "multirmse"});

}  // namespace
}  // namespace xgbl
