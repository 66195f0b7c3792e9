// SPDX-License-Identifier: Apache-2.0
#include "base/numbers.h"
#include "metric/elementwise.h"

namespace xgbl {
namespace {

struct WrongSide : ShareLoss {
  float threshold = 0.5F;
  float Loss(float prediction, float label) const { return prediction > threshold ? 1.0F - label : label; }
};

class ErrorMetric : public ElementwiseMetric<WrongSide> {
 public:
  using ElementwiseMetric::ElementwiseMetric;

  void SetArgument(std::string const& argument) override {
    Require<ParamError>(ParseNumber(argument, &loss_.threshold), "`error@` needs a number as the threshold; got `",
                        argument, "`.");
  }
};

auto const kError =
    Register<Metric, ErrorMetric>("error", "Share of rows on the wrong side of 0.5, or of `t` in `error@t`.")
        .Elsewhere({"binary_error", "zerooneloss"});

}  // namespace
}  // namespace xgbl
