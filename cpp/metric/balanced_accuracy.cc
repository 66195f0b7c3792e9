// SPDX-License-Identifier: Apache-2.0
#include "metric/confusion.h"

namespace xgbl {
namespace {

class BalancedAccuracy : public ConfusionMetric {
 public:
  using ConfusionMetric::ConfusionMetric;

 protected:
  double Score(ClassCounts const& classes) const override {
    double sum = 0, present = 0;
    for (auto const& one : classes) {
      if (one.labelled <= 0) continue;
      sum += one.Recall();
      present += 1;
    }
    return sum / present;
  }
};

auto const kBalancedAccuracy =
    Register<Metric, BalancedAccuracy>("balanced_accuracy",
                                       "Mean over classes of the share of their rows that are predicted correctly.")
        .Elsewhere({"balancedaccuracy"});

}  // namespace
}  // namespace xgbl
