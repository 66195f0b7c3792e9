// SPDX-License-Identifier: Apache-2.0
#include "base/math.h"
#include "metric/elementwise.h"

namespace xgbl {
namespace {

// log(n!) for any n >= 0, to 1e-12: Stirling's series, begun where its terms fall fast.
double LogFactorial(double n) {
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  constexpr double kFrom = 12;
  if (n == 0 || n == 1) return 0;
  double x = n + 1, product = 1;
  for (; x < kFrom; x += 1) product *= x;
  double const inverse = 1 / x, square = inverse * inverse;
  double const series = inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
  return (x - 0.5) * Log(x) - x + kHalfLogTwoPi + series - Log(product);
}

struct Poisson : AmountLoss {
  static double Loss(float prediction, float label) {
    constexpr double kLeast = 1e-16;
    double const rate = double{prediction} < kLeast ? kLeast : double{prediction};  // NaN stays
    double const count = double{label};
    return LogFactorial(count) + rate - Log(rate) * count;
  }
};

Registration<Metric> const kPoisson{
    "poisson-nloglik", {}, "Negative log-likelihood of counts under a Poisson distribution.", {}, [] {
      return std::make_unique<ElementwiseMetric<Poisson>>("poisson-nloglik");
    }};

}  // namespace
}  // namespace xgbl
