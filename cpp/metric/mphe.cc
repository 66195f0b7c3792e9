// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "metric/elementwise.h"

namespace xgbl {
namespace {

struct SlopeParam {
  double huber_slope = 1;

  template <class F>
  static void Describe(F& field) {
    field("huber_slope", &SlopeParam::huber_slope, "Residual from which the pseudo-Huber loss grows linearly.")
        .Above(0);
  }
};

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

  void Configure(ParamMap const& params) override { loss_.slope = ParamsFrom<SlopeParam>(params).huber_slope; }
};

Registration<Metric> const kPseudoHuber{"mphe", {}, "Mean pseudo-Huber error of slope `huber_slope`.", {}, [] {
                                          return std::make_unique<PseudoHuberMetric>("mphe");
                                        }};

}  // namespace
}  // namespace xgbl
