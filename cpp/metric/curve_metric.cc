// SPDX-License-Identifier: Apache-2.0
#include "metric/curve_metric.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "labels/row_weights.h"
#include "metric/multiclass.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr double kNoArea = std::numeric_limits<double>::quiet_NaN();

/// The values of one column side by side: themselves if there is no other.
class Column {
 public:
  Column(MatrixView<float const> matrix, std::size_t column) {
    if (matrix.columns() == 1) {
      values_ = matrix.Flat();
      return;
    }
    copy_.resize(matrix.rows());
    for (std::size_t i = 0; i < copy_.size(); ++i) copy_[i] = matrix(i, column);
    values_ = copy_;
  }
  Span<float const> Values() const { return values_; }

 private:
  std::vector<float> copy_;
  Span<float const> values_;
};

// Few curves share the threads each; of many, each has a thread of its own.
void ForEachCurve(Context const& ctx, std::size_t count, std::function<void(std::size_t)> const& body) {
  if (count < static_cast<std::size_t>(ctx.threads)) {
    for (std::size_t k = 0; k < count; ++k) body(k);
  } else {
    ParallelTasks(ctx, count, [&](std::size_t k, int) { body(k); });
  }
}

}  // namespace

double CurveMetric::Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
  auto const& labels = meta.labels;
  bool const by_group = meta.group_begin.size() > 1;
  bool const fits = labels.columns == predictions.columns() || (labels.columns == 1 && !by_group);
  Require<DataError>(labels.rows == predictions.rows() && (predictions.empty() || fits), "`", name_,
                     "` needs one label a row, or one for each prediction: ", predictions.rows(), " x ",
                     predictions.columns(), "; got labels for ", labels.rows, " x ", labels.columns, ".");
  Context const limited = ForWork(ctx, predictions.size());
  bool const numbers = AllNumbers(predictions.Flat(), limited);
  if (!numbers) ctx.Warn(Text("`", name_, "` is NaN: some predictions are."));
  double const area = numbers && !predictions.empty() ? Compute(predictions, meta, limited) : kNoArea;
  if (numbers && std::isnan(area)) {
    ctx.Warn(by_group ? Text("`", name_, "` is NaN: no query group has enough rows of both kinds.")
                      : Text("`", name_,
                             "` is NaN: the data are empty or, for some target or class, all positive or all "
                             "negative."));
  }
  return area;
}

double CurveMetric::Compute(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
  if (meta.group_begin.size() > 1) return OverGroups(predictions, meta, ctx);
  RowWeights(meta, predictions.rows(), name_);
  bool const targets = meta.labels.columns == predictions.columns();
  return targets ? OverTargets(predictions, meta, ctx) : OverClasses(predictions, meta, ctx);
}

double CurveMetric::OverTargets(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
  CheckShares(meta.labels, ctx);
  std::vector<double> areas(meta.labels.columns);
  ForEachCurve(ctx, areas.size(), [&](std::size_t k) {
    Column const scores(predictions, k), shares(meta.labels.View(), k);
    areas[k] = AreaOrNan(ThresholdSweep({scores.Values(), shares.Values(), meta.weights}, ctx));
  });
  return std::accumulate(areas.begin(), areas.end(), 0.0) / static_cast<double>(areas.size());
}

double CurveMetric::OverClasses(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
  auto const& labels = meta.labels.values;
  for (float const label : labels) ClassOf(label, predictions.columns(), name_);
  std::vector<double> areas(predictions.columns()), sizes(areas.size(), 1.0);
  ForEachCurve(ctx, areas.size(), [&](std::size_t k) {
    std::vector<float> shares(labels.size());
    auto const wanted = static_cast<float>(k);
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = labels[i] == wanted ? 1.0F : 0.0F;
    ThresholdSweep const sweep({Column(predictions, k).Values(), shares, meta.weights}, ctx);
    areas[k] = AreaOrNan(sweep);
    if (WeighsClasses()) sizes[k] = sweep.Total().positives;
  });
  return std::inner_product(areas.begin(), areas.end(), sizes.begin(), 0.0) /
         std::accumulate(sizes.begin(), sizes.end(), 0.0);
}

double CurveMetric::OverGroups(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
  CheckShares(meta.labels, ctx);
  std::vector<double> areas(meta.group_begin.size() - 1);
  ParallelTasks(ctx, areas.size(), [&](std::size_t g, int) {
    std::size_t const first = meta.group_begin[g], count = meta.group_begin[g + 1] - first;
    Span<float const> const labels = meta.labels.values;
    areas[g] = AreaOrNan(ThresholdSweep({predictions.Flat().Sub(first, count), labels.Sub(first, count), {}}, ctx));
  });
  return MeanOfKnown(areas);
}

double CurveMetric::AreaOrNan(ThresholdSweep const& sweep) const {
  return sweep.Total().HasBoth() ? Area(sweep) : kNoArea;
}

double CurveMetric::MeanOfKnown(std::vector<double> const& values) {
  ExactSum sum;
  double count = 0;
  for (double const value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    count += 1;
  }
  return sum.Value() / count;
}

void CurveMetric::CheckShares(Matrix<float> const& labels, Context const& ctx) const {
  bool const may_miss = labels.columns > 1;
  auto const good = [may_miss](float label) {
    return ((label >= 0.0F) & (label <= 1.0F)) | (may_miss & (label != label));
  };
  if (AllRows(ctx, labels.values.size(), [&](std::size_t i) { return good(labels.values[i]); })) return;
  float const bad = *std::find_if_not(labels.values.begin(), labels.values.end(), good);
  throw DataError(Text("`", name_, "` needs labels from 0 to 1; got ", bad, "."));
}

}  // namespace xgbl
