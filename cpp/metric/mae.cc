// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "metric/elementwise.h"

namespace xgbl {
namespace {

struct Absolute : MeanLoss {
  static double Loss(float prediction, float label) { return std::fabs(double{prediction} - double{label}); }
};

Registration<Metric> const kMae{
    "mae", {}, "Mean absolute error.", {}, [] { return std::make_unique<ElementwiseMetric<Absolute>>("mae"); }};

}  // namespace
}  // namespace xgbl
