// SPDX-License-Identifier: Apache-2.0
#include "base/math.h"
#include "metric/elementwise.h"

namespace xgbl {
namespace {

struct LogLoss : MeanLoss {
  static float Loss(float prediction, float label) {
    float const positive = label * -Log(AtLeast(prediction));
    float const negative = (1.0F - label) * -Log(AtLeast(1.0F - prediction));
    return (label == 0.0F ? 0.0F : positive) + (label == 1.0F ? 0.0F : negative);
  }
  // Being wrong about a certainty costs 37, not infinity. NaN stays.
  static float AtLeast(float probability) { return probability < 1e-16F ? 1e-16F : probability; }
};

Registration<Metric> const kLogLoss{"logloss", {}, "Negative log-likelihood of two classes.", {}, [] {
                                      return std::make_unique<ElementwiseMetric<LogLoss>>("logloss");
                                    }};

}  // namespace
}  // namespace xgbl
