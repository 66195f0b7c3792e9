// SPDX-License-Identifier: Apache-2.0
// Metrics of accelerated failure time. Predictions are logarithms of times; `label_lower_bound` and `label_upper_bound`
// hold the truth. Each is a weighted mean over rows; without rows, or with all weights 0, it is 0.
#include <cstddef>
#include <string>

#include "base/math.h"
#include "labels/meta.h"
#include "metric/elementwise.h"
#include "objective/aft_loss.h"

namespace xgbl {
namespace {

/// What the metrics get.
struct Scored {
  std::string name;
  MatrixView<float const> predictions;
  Meta const& meta;
  Context const& ctx;
};

/// The mean of `loss(bounds, prediction)`.
template <class Loss>
double MeanOverBounds(Scored const& scored, Loss const& loss) {
  auto const predictions = scored.predictions;
  Require<DataError>(predictions.empty() || predictions.columns() == 1, "`", scored.name,
                     "` needs one prediction a row; got ", predictions.columns(), ".");
  LabelBounds const bounds(scored.meta, predictions.rows(), scored.name);
  RowWeights const weights(scored.meta, predictions.rows(), scored.name);
  auto const of_row = [&](std::size_t i) { return loss(bounds[i], predictions(i, 0)); };
  return SumLosses(scored.ctx, weights, predictions.rows(), 1, of_row).MeanOrZero();
}

class AftLogLikelihood : public Metric {
 public:
  void Configure(ParamMap const& params) override { param_ = ParamsFrom<AftParam>(params); }
  bool NeedsLabels() const override { return false; }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    return WithNoise(param_.aft_loss_distribution, [&](auto noise) {
      return MeanOverBounds({"aft-nloglik", predictions, meta, ctx},
                            [scale = param_.Scale()](auto bounds, float prediction) {
                              return aft::Loss<decltype(noise)>(bounds, double{prediction}, scale);
                            });
    });
  }

 private:
  AftParam param_;
};

class IntervalAccuracy : public Metric {
 public:
  bool HigherIsBetter() const override { return true; }
  bool NeedsLabels() const override { return false; }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    return MeanOverBounds({"interval-regression-accuracy", predictions, meta, ctx}, [](auto bounds, float prediction) {
      double const time = Exp(double{prediction});
      return time >= double{bounds.lower} && time <= double{bounds.upper} ? 1.0 : 0.0;
    });
  }
};

auto const kAft =
    Register<Metric, AftLogLikelihood>("aft-nloglik", "Negative log-likelihood of accelerated failure time.")
        .Elsewhere({"aft", "survivalaft"})
        .Repeats<AftParam>();

auto const kIntervalAccuracy = Register<Metric, IntervalAccuracy>(
    "interval-regression-accuracy", "Share of rows whose predicted time is within the bounds of the label.");

}  // namespace
}  // namespace xgbl
