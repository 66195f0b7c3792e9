// SPDX-License-Identifier: Apache-2.0
// Matthews' correlation of labels and predicted classes; for several classes as Gorodkin (2004) extends it: the
// covariance of their indicators, summed over classes, over the root of the product of both variances.
#include <cmath>

#include "metric/confusion.h"

namespace xgbl {
namespace {

class Mcc : public ConfusionMetric {
 public:
  using ConfusionMetric::ConfusionMetric;

 protected:
  double Score(ClassCounts const& classes) const override {
    double right = 0, rows = 0, both = 0, labelled = 0, taken = 0;
    for (auto const& one : classes) {
      right += one.right;
      rows += one.labelled;
      both += one.labelled * one.taken;
      labelled += one.labelled * one.labelled;
      taken += one.taken * one.taken;
    }
    double const variances = (rows * rows - labelled) * (rows * rows - taken);
    return variances > 0 ? (right * rows - both) / std::sqrt(variances) : 0;
  }
};

auto const kMcc = Register<Metric, Mcc>("mcc", "Matthews' correlation of labels and predicted classes.");

}  // namespace
}  // namespace xgbl
