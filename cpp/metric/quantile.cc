// SPDX-License-Identifier: Apache-2.0
#include "metric/level_metric.h"

namespace xgbl {
namespace {

struct PinballAtLevel {
  static constexpr char kParam[] = "quantile_alpha";
  static double Loss(double prediction, double label, double level) {
    double const above = label - prediction;
    return above >= 0 ? level * above : (level - 1) * above;
  }
};

auto const kQuantile = Register<Metric, LevelMetric<PinballAtLevel>>(
                           "quantile", "Mean quantile (pinball) loss over the levels in `quantile_alpha`.")
                           .Elsewhere({"multiquantile"})
                           .Repeats<QuantileParam>();

}  // namespace
}  // namespace xgbl
