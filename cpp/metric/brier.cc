// SPDX-License-Identifier: Apache-2.0
// Squared distance of predicted probabilities from the outcome (Brier 1950). For two classes it counts the positive one
// and lies between 0 and 1; for more it is summed over classes and lies between 0 and 2.
#include <string>

#include "metric/multiclass.h"

namespace xgbl {
namespace {

struct TwoClasses : ShareLoss {
  static double Loss(float prediction, float label) {
    double const difference = double{prediction} - double{label};
    return difference * difference;
  }
};

struct SeveralClasses {
  static double Loss(Span<float const> row, std::size_t label) {
    double sum = 0;
    for (std::size_t k = 0; k < row.size(); ++k) sum += TwoClasses::Loss(row[k], k == label ? 1.0F : 0.0F);
    return sum;
  }
};

class Brier : public Metric {
 public:
  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    bool const classes = predictions.columns() > 1 && meta.labels.columns <= 1;
    return classes ? of_classes_.Evaluate(predictions, meta, ctx) : of_targets_.Evaluate(predictions, meta, ctx);
  }

 private:
  ElementwiseMetric<TwoClasses> of_targets_{"brier"};
  MulticlassMetric<SeveralClasses> of_classes_{"brier"};
};

auto const kBrier =
    Register<Metric, Brier>("brier", "Mean squared distance of predicted probabilities from the outcome.")
        .Elsewhere({"brierscore"});

}  // namespace
}  // namespace xgbl
