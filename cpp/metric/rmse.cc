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

Registration<Metric> const kRmse{"rmse", {}, "Root of the mean squared error.", {}, [] {
                                   return std::make_unique<ElementwiseMetric<Squared>>("rmse");
                                 }};

}  // namespace
}  // namespace xgbl
