// SPDX-License-Identifier: Apache-2.0
// Metrics that need only three counts per class: how many rows have it, how many are predicted as it, and how many are
// both. This is all that F1, recall and correlation need of the confusion matrix. An output of one prediction is two
// classes divided by a threshold; with several targets it is several such questions. A NaN prediction makes the metric
// NaN.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "metric/metric.h"

namespace xgbl {

/// Weights of the rows of one class.
struct ClassCount {
  double right = 0;     // of this class and taken for it
  double labelled = 0;  // of this class
  double taken = 0;     // taken for it

  double Recall() const { return right / labelled; }
  double F1() const { return labelled + taken > 0 ? 2 * right / (labelled + taken) : 0; }
};

/// The classes of one question.
using ClassCounts = std::vector<ClassCount>;

class ConfusionMetric : public Metric {
 public:
  explicit ConfusionMetric(std::string name) : name_(std::move(name)) {}

  /// The threshold between two classes.
  void SetArgument(std::string const& argument) override;
  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override;
  bool HigherIsBetter() const override { return true; }

 protected:
  virtual double Score(ClassCounts const& classes) const = 0;
  /// Of several targets; the mean of those that have a score.
  virtual double ScoreOfMany(std::vector<ClassCounts> const& targets) const;
  /// Of two classes for each prediction.
  virtual double EvaluateTargets(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const;

  std::string const& Name() const { return name_; }
  /// Whether the class of a cell is 1.
  bool IsAbove(float prediction) const { return prediction > threshold_; }

 private:
  std::vector<ClassCounts> CountTargets(MatrixView<float const> predictions, Meta const& meta,
                                        Context const& ctx) const;
  ClassCounts CountClasses(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const;

  std::string name_;
  float threshold_ = 0.5F;
};

/// Throws DataError unless the label of a cell with two classes is 0 or 1.
inline void CheckSide(float label, std::string const& metric) {
  Require<DataError>(label == 0.0F || label == 1.0F, "`", metric, "` needs labels that are 0 or 1; got ", label,
                     ". For more classes an objective such as `multi:softprob` gives a prediction for each.");
}

}  // namespace xgbl
