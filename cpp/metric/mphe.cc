// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "metric/elementwise.h"
#include "objective/shared_params.h"

namespace xgbl {
namespace {

struct PseudoHuber : MeanLoss {
  double slope = 1;
  double Loss(float prediction, float label) const {
    double const steepness = (double{prediction} - double{label}) / slope;
    double const square = steepness * steepness;
    return slope * slope * (square / (std::sqrt(1 + square) + 1));  // sqrt(1 + square) - 1, exact for small ones
  }
};

class PseudoHuberMetric : public ElementwiseMetric<PseudoHuber> {
 public:
  using ElementwiseMetric::ElementwiseMetric;

  void Configure(ParamMap const& params) override { loss_.slope = ParamsFrom<HuberSlopeParam>(params).huber_slope; }
};

auto const kPseudoHuber = Register<Metric, PseudoHuberMetric>("mphe", "Mean pseudo-Huber error of slope `huber_slope`.")
                              .Repeats<HuberSlopeParam>();

}  // namespace
}  // namespace xgbl
