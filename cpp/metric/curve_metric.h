// SPDX-License-Identifier: Apache-2.0
// Metrics that are the area under a curve over all thresholds. One prediction separates two sides. Several targets give
// the mean of their areas. Several classes give a mean over each against the rest. Query groups give the mean of the
// groups that have both sides. NaN, with a warning, if nothing has both sides.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "metric/metric.h"
#include "metric/threshold_sweep.h"

namespace xgbl {

class CurveMetric : public Metric {
 public:
  explicit CurveMetric(std::string name) : name_(std::move(name)) {}

  bool HigherIsBetter() const override { return true; }
  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override;

 protected:
  /// Of rows that have both sides.
  virtual double Area(ThresholdSweep const& sweep) const = 0;
  virtual double OverGroups(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const;
  /// Whether classes count by their rows, instead of all alike.
  virtual bool WeighsClasses() const { return false; }

  /// The mean of those that are numbers; NaN if none is.
  static double MeanOfKnown(std::vector<double> const& values);

 private:
  double Compute(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const;
  double OverTargets(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const;
  double OverClasses(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const;
  double AreaOrNan(ThresholdSweep const& sweep) const;
  void CheckShares(Matrix<float> const& labels, Context const& ctx) const;

  std::string name_;
};

}  // namespace xgbl
