// SPDX-License-Identifier: Apache-2.0
#include "metric/curve_metric.h"

namespace xgbl {
namespace {

class AveragePrecision : public CurveMetric {
 public:
  using CurveMetric::CurveMetric;

 protected:
  double Area(ThresholdSweep const& sweep) const override {
    double const sum = sweep.Sum([](Tally const& above, Tally const& through) {
      double const gained = through.positives - above.positives;
      return gained > 0 ? gained * through.positives / (through.positives + through.negatives) : 0.0;
    });
    return sum / sweep.Total().positives;
  }
};

auto const kAveragePrecision = Register<Metric, AveragePrecision>(
    "average_precision", "Precision at each threshold, weighted by the recall that it gains.");

}  // namespace
}  // namespace xgbl
