// SPDX-License-Identifier: Apache-2.0
// The gamma distribution with shape 1: minus its log likelihood, and its deviance from the best possible one.
#include <array>

#include "metric/elementwise.h"

namespace xgbl {
namespace {

constexpr float kTiny = 1e-6F;  // a mean, and in the deviance a label, is never 0

struct GammaLikelihood : AmountLoss {
  static constexpr bool kByBlock = true;

  static void Losses(LossKernels const& kernels, float const* predictions, float const* labels, std::size_t n,
                     double* out) {
    std::array<float, kReduceBlock> mean, log_mean;  // NOLINT(*-member-init)
    for (std::size_t i = 0; i < n; ++i) mean[i] = predictions[i] < kTiny ? kTiny : predictions[i];  // NaN stays
    kernels.log(mean.data(), log_mean.data(), n);
    for (std::size_t i = 0; i < n; ++i) out[i] = double{labels[i]} / double{mean[i]} + double{log_mean[i]};
  }
};

struct GammaDeviance : AmountLoss {
  static constexpr bool kByBlock = true;

  static void Losses(LossKernels const& kernels, float const* predictions, float const* labels, std::size_t n,
                     double* out) {
    std::array<float, kReduceBlock> ratio, log_ratio;  // NOLINT(*-member-init)
    for (std::size_t i = 0; i < n; ++i) ratio[i] = (labels[i] + kTiny) / (predictions[i] + kTiny);
    kernels.log(ratio.data(), log_ratio.data(), n);
    for (std::size_t i = 0; i < n; ++i) out[i] = double{ratio[i]} - 1 - double{log_ratio[i]};
  }
  static double Final(double mean) { return 2 * mean; }
};

auto const kLikelihood =
    Register<Metric, ElementwiseMetric<GammaLikelihood>>(
        "gamma-nloglik", "Negative log-likelihood of amounts under a gamma distribution of shape 1.")
        .Elsewhere({"gamma"});

auto const kDeviance = Register<Metric, ElementwiseMetric<GammaDeviance>>(
                           "gamma-deviance", "Deviance of amounts under a gamma distribution.")
                           .Elsewhere({"gamma_deviance"});

}  // namespace
}  // namespace xgbl
