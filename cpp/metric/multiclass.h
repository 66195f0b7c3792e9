// SPDX-License-Identifier: Apache-2.0
// Metrics that are the weighted mean, over rows, of a loss of one class label against a prediction for each class. Such
// a loss is a struct with Loss(row of predictions, label). Without rows the mean is NaN.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "metric/elementwise.h"

namespace xgbl {

/// The label of a row as a class; throws DataError unless it is a whole number below `classes`.
inline std::size_t ClassOf(float label, std::size_t classes, std::string const& metric) {
  bool const good = label >= 0.0F && label < static_cast<float>(classes) && label == std::floor(label);
  Require<DataError>(good, "`", metric, "` needs labels that are whole numbers below the number of predictions a row, ",
                     classes, "; got ", label, ".");
  return static_cast<std::size_t>(label);
}

/// The class with the largest prediction, the first if several.
inline std::size_t LikeliestClass(Span<float const> row) {
  return static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

template <class Loss>
class MulticlassMetric : public Metric {
 public:
  explicit MulticlassMetric(std::string name) : name_(std::move(name)) {}

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const& labels = meta.labels;
    Require<DataError>(labels.columns <= 1 && labels.rows == predictions.rows(), "`", name_,
                       "` needs one label for each of ", predictions.rows(), " rows; got labels for ", labels.rows,
                       " x ", labels.columns, ".");
    RowWeights const weights(meta, predictions.rows(), name_);
    auto const loss = [&](std::size_t i) {
      return double{loss_.Loss(predictions.Row(i), ClassOf(labels.values[i], predictions.columns(), name_))};
    };
    return SumLosses(ctx, weights, predictions.rows(), 1, loss).Mean();
  }

 protected:
  Loss loss_;

 private:
  std::string name_;
};

}  // namespace xgbl
