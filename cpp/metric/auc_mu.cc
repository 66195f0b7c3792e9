// SPDX-License-Identifier: Apache-2.0
// AUC of several classes (Kleiman and Page 2019): the plain mean, over pairs of classes, of the chance that a row of
// one scores higher on it than on the other by more than a row of the other does. Scores are the margins.
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "labels/row_weights.h"
#include "metric/multiclass.h"
#include "metric/threshold_sweep.h"

namespace xgbl {
namespace {

/// The rows of each class, and their weights unless all are 1.
struct ClassRows {
  std::vector<std::size_t> rows;
  std::vector<float> weights;
};

std::vector<ClassRows> ByClass(Meta const& meta, std::size_t classes) {
  std::vector<ClassRows> out(classes);
  for (std::size_t i = 0; i < meta.labels.rows; ++i) {
    ClassRows& one = out[ClassOf(meta.labels.values[i], classes, "auc_mu")];
    one.rows.push_back(i);
    if (!meta.weights.empty()) one.weights.push_back(meta.weights[i]);
  }
  return out;
}

class AucMu : public Metric {
 public:
  bool HigherIsBetter() const override { return true; }
  bool SeesMargins() const override { return true; }

  double Evaluate(MatrixView<float const> margins, Meta const& meta, Context const& ctx) const override {
    constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
    auto const& labels = meta.labels;
    Require<DataError>(labels.columns <= 1 && labels.rows == margins.rows(), "`auc_mu` needs one label for each of ",
                       margins.rows(), " rows; got labels for ", labels.rows, " x ", labels.columns, ".");
    Require<DataError>(margins.empty() || margins.columns() > 1,
                       "`auc_mu` needs a prediction for each class; got one a row. With two classes use `auc`.");
    RowWeights(meta, margins.rows(), "auc_mu");
    if (margins.empty() || !AllNumbers(margins.Flat(), ctx)) return kUndefined;
    auto const classes = ByClass(meta, margins.columns());
    double sum = 0;
    for (std::size_t a = 0; a < classes.size(); ++a) {
      for (std::size_t b = a + 1; b < classes.size(); ++b) sum += OfPair(margins, classes, a, b, ctx);
    }
    if (std::isnan(sum)) ctx.Warn("`auc_mu` is NaN: some class has no row or no weight.");
    auto const count = static_cast<double>(classes.size());
    return sum / (count * (count - 1) / 2);
  }

 private:
  static double OfPair(MatrixView<float const> margins, std::vector<ClassRows> const& classes, std::size_t a,
                       std::size_t b, Context const& ctx) {
    std::vector<float> scores, shares, weights;
    for (std::size_t const k : {a, b}) {
      for (std::size_t const row : classes[k].rows) scores.push_back(margins(row, a) - margins(row, b));
      weights.insert(weights.end(), classes[k].weights.begin(), classes[k].weights.end());
      shares.resize(scores.size(), k == a ? 1.0F : 0.0F);
    }
    return RocArea(ThresholdSweep({scores, shares, weights}, ctx));
  }
};

auto const kAucMu =
    Register<Metric, AucMu>("auc_mu", "Mean area under the ROC curves of all pairs of classes.").Elsewhere({"aucmu"});

}  // namespace
}  // namespace xgbl
