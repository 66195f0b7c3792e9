// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "metric/elementwise.h"

namespace xgbl {
namespace {

struct LogLoss : ShareLoss {
  static constexpr bool kByBlock = true;

  static void Losses(LossKernels const& kernels, float const* predictions, float const* labels, std::size_t n,
                     double* out) {
    constexpr float kLeast = 1e-16F;                     // being wrong about a certainty costs 37, not infinity
    std::array<float, kReduceBlock> positive, negative;  // NOLINT(*-member-init)
    for (std::size_t i = 0; i < n; ++i) {
      float const chance = predictions[i];  // NaN stays
      positive[i] = chance < kLeast ? kLeast : chance;
      negative[i] = 1.0F - chance < kLeast ? kLeast : 1.0F - chance;
    }
    kernels.log(positive.data(), positive.data(), n);
    kernels.log(negative.data(), negative.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = double{-labels[i] * positive[i] - (1.0F - labels[i]) * negative[i]};  // both are finite
    }
  }
};

auto const kLogLoss = Register<Metric, ElementwiseMetric<LogLoss>>("logloss", "Negative log-likelihood of two classes.")
                          .Elsewhere({"binary", "binary_logloss", "log_loss", "crossentropy", "cross_entropy",
                                      "xentropy", "multilogloss"});

}  // namespace
}  // namespace xgbl
