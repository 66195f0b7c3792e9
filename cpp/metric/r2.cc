// SPDX-License-Identifier: Apache-2.0
// Coefficient of determination: the share of the labels' variance that predictions explain, as a plain mean over
// targets. Constant labels give 1 if all predictions are right, otherwise 0; fewer than two rows give NaN.
#include <array>
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
    for (auto const& [residual, total] : squares) sum += Explained(residual, total);
    return sum / static_cast<double>(means.size());
  }

 private:
  static bool Missing(float label, std::size_t targets) { return targets > 1 && std::isnan(label); }

  /// Of the labels of each target; NaN below two rows.
  static std::vector<double> Means(MatrixView<float const> labels, Meta const& meta, Context const& ctx) {
    std::size_t const targets = labels.columns();
    RowWeights const weights(meta, labels.rows(), "r2");
    std::vector<double> means;
    for (auto const& [sum, weight, count] :
         SumColumns<3>(ctx, labels.rows(), targets, [&](std::size_t i, std::size_t k) {
           using Triple = std::array<double, 3>;
           double const label = double{labels(i, k)}, own = double{weights[i]};
           return Missing(labels(i, k), targets) ? Triple{} : Triple{own * label, own, 1};
         })) {
      means.push_back(count >= 2 ? sum / weight : std::numeric_limits<double>::quiet_NaN());
    }
    return means;
  }

  /// Of the residuals and of the labels around their mean, for each target.
  static std::vector<std::array<double, 2>> Squares(MatrixView<float const> predictions, Meta const& meta,
                                                    std::vector<double> const& means, Context const& ctx) {
    std::size_t const targets = predictions.columns();
    RowWeights const weights(meta, predictions.rows(), "r2");
    auto const labels = meta.labels.View();
    return SumColumns<2>(ctx, predictions.rows(), targets, [&](std::size_t i, std::size_t k) {
      double const label = double{labels(i, k)}, residual = label - double{predictions(i, k)};
      double const weight = double{weights[i]}, around = label - means[k];
      using Squares = std::array<double, 2>;
      return Missing(labels(i, k), targets) ? Squares{}
                                            : Squares{weight * residual * residual, weight * around * around};
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
