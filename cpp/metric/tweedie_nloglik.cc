// SPDX-License-Identifier: Apache-2.0
#include "base/math.h"
#include "base/numbers.h"
#include "metric/elementwise.h"

namespace xgbl {
namespace {

struct PowerParam {
  double tweedie_variance_power = 1.5;

  template <class F>
  static void Describe(F& field) {
    field("tweedie_variance_power", &PowerParam::tweedie_variance_power,
          "Power of the mean that the variance is proportional to, from 1 to below 2.")
        .Range(1, 2);
  }
};

/// Without the terms that depend on the label only.
struct Tweedie : AmountLoss {
  double power = 1.5;
  double Loss(float prediction, float label) const {
    double const log_mean = Log(double{prediction});
    return Exp((2 - power) * log_mean) / (2 - power) - double{label} * Exp((1 - power) * log_mean) / (1 - power);
  }
};

class TweedieMetric : public ElementwiseMetric<Tweedie> {
 public:
  using ElementwiseMetric::ElementwiseMetric;

  void Configure(ParamMap const& params) override {
    loss_.power = ParamsFrom<PowerParam>(params).tweedie_variance_power;
  }
  void SetArgument(std::string const& argument) override {
    bool const good = ParseNumber(argument, &loss_.power) && loss_.power >= 1 && loss_.power < 2;
    Require<ParamError>(good, "`tweedie-nloglik@` needs the power of the variance, from 1 to below 2; got `", argument,
                        "`.");
  }
};

Registration<Metric> const kTweedie{"tweedie-nloglik",
                                    {},
                                    "Negative log-likelihood of amounts under a Tweedie distribution, of the power "
                                    "`rho` in `tweedie-nloglik@rho` or else "
                                    "`tweedie_variance_power`.",
                                    {},
                                    [] { return std::make_unique<TweedieMetric>("tweedie-nloglik"); }};

}  // namespace
}  // namespace xgbl
