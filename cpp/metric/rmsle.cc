// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/math.h"
#include "metric/elementwise.h"

namespace xgbl {
namespace {

struct SquaredLog : MeanLoss {
  static constexpr char const* kLabels = "labels above -1";
  static bool Allows(float label) { return label > -1.0F; }

  static double Loss(float prediction, float label) {
    float const difference = Log1p(prediction) - Log1p(label);
    return double{difference} * double{difference};
  }
  static double Final(double mean) { return std::sqrt(mean); }
};

auto const kRmsle =
    Register<Metric, ElementwiseMetric<SquaredLog>>("rmsle", "Root of the mean squared difference of log(1 + x).")
        .Elsewhere({"msle"});

}  // namespace
}  // namespace xgbl
