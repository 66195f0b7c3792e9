// SPDX-License-Identifier: Apache-2.0
// Prediction intervals, from a row's first prediction to its last: the lowest and the highest of several quantiles.
// Weighted means over rows; 0 without rows. An interval whose ends have crossed is empty.
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "base/numbers.h"
#include "metric/elementwise.h"

namespace xgbl {
namespace {

class IntervalMetric : public Metric {
 public:
  explicit IntervalMetric(std::string name) : name_(std::move(name)) {}

 protected:
  /// The mean of `of_row(low, high, label)`.
  template <class OfRow>
  double Mean(MatrixView<float const> predictions, Meta const& meta, Context const& ctx, OfRow const& of_row) const {
    auto const& labels = meta.labels;
    bool const fits =
        labels.rows == predictions.rows() && labels.columns <= 1 && (predictions.empty() || predictions.columns() >= 2);
    Require<DataError>(fits, "`", name_,
                       "` needs one label and at least two predictions a row, such as quantiles; got ", "labels for ",
                       labels.rows, " x ", labels.columns, " and ", predictions.rows(), " x ", predictions.columns(),
                       " predictions.");
    RowWeights const weights(meta, predictions.rows(), name_);
    auto const loss = [&](std::size_t i) {
      auto const row = predictions.Row(i);
      return of_row(row[0], row[row.size() - 1], labels.values[i]);
    };
    return SumLosses(ctx, weights, predictions.rows(), 1, loss).MeanOrZero();
  }

 private:
  std::string name_;
};

/// The share of covered labels is for reading, beside the width: the widest interval has the largest. How far it is
/// from what was aimed at, `interval-coverage@0.9`, is for choosing.
class Coverage : public IntervalMetric {
 public:
  using IntervalMetric::IntervalMetric;

  void SetArgument(std::string const& argument) override {
    bool const good = ParseNumber(argument, &nominal_) && nominal_ > 0 && nominal_ <= 1;
    Require<ParamError>(good, "`interval-coverage@` needs the share of labels to cover, above 0 and at most 1; got `",
                        argument, "`.");
    has_nominal_ = true;
  }
  bool HigherIsBetter() const override { return !has_nominal_; }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    double const share = Mean(predictions, meta, ctx, [](float low, float high, float label) {
      return low <= label && label <= high ? 1.0 : 0.0;
    });
    return has_nominal_ ? std::fabs(share - nominal_) : share;
  }

 private:
  bool has_nominal_ = false;
  double nominal_ = 0;
};

class Width : public IntervalMetric {
 public:
  using IntervalMetric::IntervalMetric;

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    return Mean(predictions, meta, ctx, [](float low, float high, float /*label*/) {
      double const width = double{high} - double{low};
      return width < 0 ? 0.0 : width;  // keeps NaN
    });
  }
};

auto const kCoverage = Register<Metric, Coverage>(
    "interval-coverage",
    "Share of labels from the first prediction of a row to the last; with `@t`, how far it is from `t`.");

auto const kWidth =
    Register<Metric, Width>("interval-width", "Mean distance from the first prediction of a row to the last.");

}  // namespace
}  // namespace xgbl
