// SPDX-License-Identifier: Apache-2.0
// The gamma distribution with shape 1: its likelihood, and twice how far that is below the best one's.
#include "base/math.h"
#include "metric/elementwise.h"

namespace xgbl {
namespace {

constexpr double kLeast = 1e-6;  // a mean, and in the deviance a label, is never 0

struct GammaLikelihood : AmountLoss {
  static double Loss(float prediction, float label) {
    double const mean = double{prediction} < kLeast ? kLeast : double{prediction};  // NaN stays
    return double{label} / mean + Log(mean);
  }
};

struct GammaDeviance : AmountLoss {
  static double Loss(float prediction, float label) {
    double const mean = double{prediction} + kLeast, amount = double{label} + kLeast;
    return Log(mean / amount) + amount / mean - 1;
  }
  static double Final(double mean) { return 2 * mean; }
};

Registration<Metric> const kLikelihood{
    "gamma-nloglik", {}, "Negative log-likelihood of amounts under a gamma distribution of shape 1.", {}, [] {
      return std::make_unique<ElementwiseMetric<GammaLikelihood>>("gamma-nloglik");
    }};

Registration<Metric> const kDeviance{"gamma-deviance", {}, "Deviance of amounts under a gamma distribution.", {}, [] {
                                       return std::make_unique<ElementwiseMetric<GammaDeviance>>("gamma-deviance");
                                     }};

}  // namespace
}  // namespace xgbl
