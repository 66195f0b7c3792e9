// SPDX-License-Identifier: Apache-2.0
// How unlikely labels are under normal distributions. Each target has two predictions, mean and variance. The weighted
// mean over all rows and targets.
#include <cmath>
#include <cstddef>

#include "base/math.h"
#include "labels/row_weights.h"
#include "metric/elementwise.h"
#include "metric/metric.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr char kGaussianName[] = "gaussian-nloglik";

double Loss(double mean, double variance, double label) {
  constexpr double kLogTwoPi = 1.8378770664093453, kLeastVariance = 1e-40;  // a certainty costs much, not infinity
  double const spread = variance < kLeastVariance ? kLeastVariance : variance;
  return (kLogTwoPi + Log(spread) + (label - mean) * (label - mean) / spread) / 2;
}

class GaussianMetric : public Metric {
 public:
  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const labels = meta.labels.View();
    bool const fits = labels.rows() == predictions.rows() &&
                      (predictions.rows() == 0 || 2 * labels.columns() == predictions.columns());
    Require<DataError>(fits, "`", kGaussianName,
                       "` needs a mean and a variance for each label, such as `reg:gaussian` gives: ", labels.rows(),
                       " x ", 2 * labels.columns(), "; got ", predictions.rows(), " x ", predictions.columns(), ".");
    RowWeights const weights(meta, predictions.rows(), kGaussianName);
    auto const loss = [&](std::size_t cell) {
      float const* const mean = predictions.data() + 2 * cell;
      return Loss(double{mean[0]}, double{mean[1]}, double{labels.data()[cell]});
    };
    auto const known = [&](std::size_t cell) { return !std::isnan(labels.data()[cell]); };
    return SumLosses(ctx, weights, labels.rows(), labels.columns(), loss, known).MeanOrZero();
  }
};

auto const kGaussian =
    Register<Metric, GaussianMetric>(
        kGaussianName, "Negative log-likelihood of labels under normal distributions with predicted mean and variance.")
        .Elsewhere({"rmsewithuncertainty"});

}  // namespace
}  // namespace xgbl
