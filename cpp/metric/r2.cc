// SPDX-License-Identifier: Apache-2.0
// Coefficient of determination: the share of the labels' variance that predictions explain, as a plain mean over
// targets. Constant labels give 1 if all predictions are right, otherwise 0; fewer than two rows give NaN.
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "labels/row_weights.h"
#include "metric/metric.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

class R2 : public Metric {
 public:
  bool HigherIsBetter() const override { return true; }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const& labels = meta.labels;
    bool const fits = labels.rows == predictions.rows() && labels.columns == predictions.columns();
    Require<DataError>(fits || (predictions.empty() && labels.empty()),
                       "`r2` needs one label for each prediction: ", predictions.rows(), " x ", predictions.columns(),
                       "; got labels for ", labels.rows, " x ", labels.columns, ".");
    if (predictions.empty()) return std::numeric_limits<double>::quiet_NaN();
    auto const means = Means(labels.View(), meta, ctx);
    auto const squares = Squares(predictions, meta, means, ctx);
    double sum = 0;
    for (std::size_t k = 0; k < means.size(); ++k) sum += Explained(squares[2 * k], squares[2 * k + 1]);
    return sum / static_cast<double>(means.size());
  }

 private:
  static bool Missing(float label, std::size_t targets) { return targets > 1 && std::isnan(label); }

  /// Of the labels of each target; NaN below two rows.
  static std::vector<double> Means(MatrixView<float const> labels, Meta const& meta, Context const& ctx) {
    std::size_t const targets = labels.columns();
    RowWeights const weights(meta, labels.rows(), "r2");
    auto const sums = SumVectors(ctx, labels.rows(), 3 * targets, [&](std::size_t i, double* sum) {
      for (std::size_t k = 0; k < targets; ++k) {
        if (Missing(labels(i, k), targets)) continue;
        sum[3 * k] += double{weights[i]} * double{labels(i, k)};
        sum[3 * k + 1] += double{weights[i]};
        sum[3 * k + 2] += 1;
      }
    });
    std::vector<double> means(targets, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < targets; ++k) {
      if (sums[3 * k + 2] >= 2) means[k] = sums[3 * k] / sums[3 * k + 1];
    }
    return means;
  }

  /// Of the residuals and of the labels around their mean, for each target.
  static std::vector<double> Squares(MatrixView<float const> predictions, Meta const& meta,
                                     std::vector<double> const& means, Context const& ctx) {
    std::size_t const targets = predictions.columns();
    RowWeights const weights(meta, predictions.rows(), "r2");
    auto const labels = meta.labels.View();
    return SumVectors(ctx, predictions.rows(), 2 * targets, [&](std::size_t i, double* sum) {
      for (std::size_t k = 0; k < targets; ++k) {
        if (Missing(labels(i, k), targets)) continue;
        double const label = double{labels(i, k)}, residual = label - double{predictions(i, k)};
        sum[2 * k] += double{weights[i]} * residual * residual;
        sum[2 * k + 1] += double{weights[i]} * (label - means[k]) * (label - means[k]);
      }
    });
  }

  static double Explained(double residual, double total) {
    if (total == 0) return residual == 0 ? 1 : 0;
    return 1 - residual / total;
  }
};

auto const kR2 = Register<Metric, R2>("r2", "Coefficient of determination, R squared.");

}  // namespace
}  // namespace xgbl
