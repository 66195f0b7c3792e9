// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/numbers.h"
#include "metric/elementwise.h"
#include "objective/shared_params.h"

namespace xgbl {
namespace {

/// Without the terms that depend on the label only.
struct Tweedie : AmountLoss {
  static constexpr bool kByBlock = true;
  double power = 1.5;

  void Losses(LossKernels const& kernels, float const* predictions, float const* labels, std::size_t n,
              double* out) const {
    auto const exponent = static_cast<float>(2 - power);
    std::array<float, kReduceBlock> powers;  // NOLINT(*-member-init)
    kernels.log(predictions, powers.data(), n);
    for (std::size_t i = 0; i < n; ++i) powers[i] *= exponent;
    kernels.exp(powers.data(), powers.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      double const ratio = double{labels[i]} / double{predictions[i]};
      out[i] = double{powers[i]} * (1 / (2 - power) - ratio / (1 - power));
    }
  }
};

class TweedieMetric : public ElementwiseMetric<Tweedie> {
 public:
  using ElementwiseMetric::ElementwiseMetric;

  void Configure(ParamMap const& params) override {
    loss_.power = ParamsFrom<TweedieParam>(params).tweedie_variance_power;
  }
  void SetArgument(std::string const& argument) override {
    bool const good = ParseNumber(argument, &loss_.power) && loss_.power >= 1 && loss_.power < 2;
    Require<ParamError>(good, "`tweedie-nloglik@` needs the power of the variance, from 1 to below 2; got `", argument,
                        "`. It is `tweedie_variance_power` where no metric is named.");
  }
};

auto const kTweedie =
    Register<Metric, TweedieMetric>("tweedie-nloglik",
                                    "Negative log-likelihood of amounts under a Tweedie distribution, of the power "
                                    "`rho` in `tweedie-nloglik@rho` or else `tweedie_variance_power`.")
        .Elsewhere({"tweedie"});

}  // namespace
}  // namespace xgbl
