// SPDX-License-Identifier: Apache-2.0
// A metric, and below it its sample for the laws.
#include <cmath>

#include "metric/elementwise.h"
#include "metric/sample_metrics.h"

namespace xgbl {
namespace {

struct FourthPower : MeanLoss {
  static double Loss(float prediction, float label) { return std::pow(double{prediction} - double{label}, 4); }
  static double Final(double mean) { return std::pow(mean, 0.25); }
};

auto const kRm4e =
    Register<Metric, ElementwiseMetric<FourthPower>>("rm4e", "Fourth root of the mean fourth power.").Elsewhere({"l4"});

auto const kSample = MetricSamples().emplace("rm4e", [] {
  MetricSample sample;
  sample.labels = 5;
  return sample;
}());

}  // namespace
}  // namespace xgbl
