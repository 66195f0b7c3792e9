// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>

#include "base/math.h"
#include "metric/elementwise.h"

namespace xgbl {
namespace {

// log(n!) for any n >= 0, to 1e-12: Stirling's series, begun where its terms fall fast.
double LogFactorial(double n) {
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  constexpr double kFrom = 12;
  double x = n + 1, product = 1;
  for (; x < kFrom; x += 1) product *= x;
  double const inverse = 1 / x, square = inverse * inverse;
  double const series = inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
  return (x - 0.5) * Log(x) - x + kHalfLogTwoPi + series - Log(product);
}

/// The same, at hand for the counts that there are most of.
class LogFactorials {
 public:
  LogFactorials() {
    for (std::size_t n = 2; n < small_.size(); ++n) small_[n] = LogFactorial(static_cast<double>(n));
  }
  double operator()(float n) const {
    auto const whole = static_cast<std::size_t>(n < kSmall ? n : 0.0F);
    return static_cast<float>(whole) == n ? small_[whole] : LogFactorial(double{n});
  }

 private:
  static constexpr float kSmall = 64;
  std::array<double, 64> small_{};
};

struct Poisson : AmountLoss {
  static constexpr bool kByBlock = true;
  LogFactorials log_factorial;

  void Losses(LossKernels const& kernels, float const* predictions, float const* labels, std::size_t n,
              double* out) const {
    constexpr float kLeast = 1e-16F;
    std::array<float, kReduceBlock> rate, log_rate;  // NOLINT(*-member-init)
    for (std::size_t i = 0; i < n; ++i) rate[i] = predictions[i] < kLeast ? kLeast : predictions[i];  // NaN stays
    kernels.log(rate.data(), log_rate.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = log_factorial(labels[i]) + double{rate[i]} - double{log_rate[i]} * double{labels[i]};
    }
  }
};

auto const kPoisson = Register<Metric, ElementwiseMetric<Poisson>>(
                          "poisson-nloglik", "Negative log-likelihood of counts under a Poisson distribution.")
                          .Elsewhere({"poisson"});

}  // namespace
}  // namespace xgbl
