// SPDX-License-Identifier: Apache-2.0
// Area under the curve of precision over recall, between its points on the hyperbola that mixing both thresholds gives
// (Davis and Goadrich 2006), not on the straight line.
#include "base/math.h"
#include "metric/curve_metric.h"

namespace xgbl {
namespace {

// The integral of t / (t + f + h (t - t0)), the precision with t positives and f + h (t - t0) negatives above the
// threshold, as t goes from one threshold's number of positives, t0, to the next's.
double Between(Tally const& above, Tally const& through) {
  double const gained = through.positives - above.positives;
  if (gained <= 0) return 0;
  double const slope = (through.negatives - above.negatives) / gained;
  double const offset = above.negatives - slope * above.positives;
  if (offset == 0) return gained / (1 + slope);
  double const growth = (through.Sum() - above.Sum()) / above.Sum();
  return (gained - offset / (1 + slope) * Log1p(growth)) / (1 + slope);
}

class AucPr : public CurveMetric {
 public:
  using CurveMetric::CurveMetric;

 protected:
  double Area(ThresholdSweep const& sweep) const override { return sweep.Sum(Between) / sweep.Total().positives; }
};

auto const kAucPr =
    Register<Metric, AucPr>("aucpr", "Area under the precision-recall curve.").Elsewhere({"prauc", "pr_auc"});

}  // namespace
}  // namespace xgbl
