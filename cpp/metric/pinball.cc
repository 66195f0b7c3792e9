// SPDX-License-Identifier: Apache-2.0
// Pinball loss of one quantile. If the objective predicts several, the one with the same `quantile_alpha` counts.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/numbers.h"
#include "metric/elementwise.h"
#include "metric/level_metric.h"

namespace xgbl {
namespace {

struct Pinball : MeanLoss {
  double alpha = 0.5;
  double Loss(float prediction, float label) const {
    double const above = double{label} - double{prediction};
    return above * (above >= 0 ? alpha : alpha - 1);
  }
};

class PinballMetric : public ElementwiseMetric<Pinball> {
 public:
  PinballMetric() : ElementwiseMetric("pinball") {}

  void Configure(ParamMap const& params) override {
    alphas_ = LevelsOf(params, "quantile_alpha");
    if (alphas_.size() == 1) loss_.alpha = alphas_[0];
  }
  void SetArgument(std::string const& argument) override {
    bool const good = ParseNumber(argument, &loss_.alpha) && loss_.alpha >= 0 && loss_.alpha <= 1;
    Require<ParamError>(good, "`pinball@` needs a quantile from 0 to 1; got `", argument, "`.");
  }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    std::size_t const targets = meta.labels.columns, count = alphas_.size();
    if (count < 2 || predictions.columns() != targets * count) {
      return ElementwiseMetric::Evaluate(predictions, meta, ctx);
    }
    auto const which =
        static_cast<std::size_t>(std::find(alphas_.begin(), alphas_.end(), loss_.alpha) - alphas_.begin());
    Require<ParamError>(which < count, "`pinball` has no predictions of quantile ", loss_.alpha,
                        ": `quantile_alpha` is ", PrintParam(alphas_), ".");
    Matrix<float> chosen(predictions.rows(), targets);
    for (std::size_t i = 0; i < chosen.rows; ++i) {
      for (std::size_t k = 0; k < targets; ++k) chosen.View()(i, k) = predictions(i, k * count + which);
    }
    return ElementwiseMetric::Evaluate(chosen.View(), meta, ctx);
  }

 private:
  Doubles alphas_;
};

auto const kPinball = Register<Metric, PinballMetric>(
    "pinball", "Mean pinball loss of the quantile `alpha` in `pinball@alpha`, else of the median or the only one.");

}  // namespace
}  // namespace xgbl
