// SPDX-License-Identifier: Apache-2.0
// Area under the ROC curve: the chance that a positive row is predicted above a negative one, ties counting half. With
// several targets the mean of theirs; with several classes that of each against the rest, weighted by the class's share
// (Provost and Domingos 2001); with query groups the mean over groups. O(n log n) each.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/math.h"
#include "data/row_weights.h"
#include "metric/multiclass.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

struct Area {
  double area = 0;  // under true positives over false ones, neither scaled to 1
  double positives = 0;
  double negatives = 0;

  double Share() const { return positives > 0 && negatives > 0 ? area / (positives * negatives) : kUndefined; }
};

// Unsigned integers in the reverse order of the floats; both zeros are one.
std::uint32_t FallingKey(float value) {
  std::uint32_t const bits = ToBits(value + 0.0F);
  return (bits & 0x80000000U) != 0 ? bits : ~bits & 0x7fffffffU;
}

/// `prediction`, `positive` and `weight` by row; `positive` is a share from 0 to 1.
template <class Prediction, class Positive>
Area RocArea(std::size_t rows, Prediction&& prediction, Positive&& positive, RowWeights const& weight) {
  std::vector<std::uint64_t> order(rows);  // the key above the row: one sort of plain integers
  for (std::size_t i = 0; i < rows; ++i) order[i] = (std::uint64_t{FallingKey(prediction(i))} << 32U) | i;
  std::sort(order.begin(), order.end());
  Area roc;
  for (std::size_t i = 0; i < rows;) {
    double positives = 0, negatives = 0;
    for (auto const key = order[i] >> 32U; i < rows && order[i] >> 32U == key; ++i) {
      auto const row = static_cast<std::size_t>(order[i] & 0xffffffffU);
      double const share = positive(row);
      positives += share * double{weight[row]};
      negatives += (1.0 - share) * double{weight[row]};
    }
    roc.area += negatives * (roc.positives + positives / 2);
    roc.positives += positives;
    roc.negatives += negatives;
  }
  return roc;
}

double OverTargets(MatrixView<float const> predictions, Meta const& meta, RowWeights const& weights,
                   Context const& ctx) {
  auto const labels = meta.labels.View();
  for (float const label : labels.Flat()) {
    Require<DataError>(label >= 0.0F && label <= 1.0F, "`auc` needs labels from 0 to 1; got ", label, ".");
  }
  std::vector<double> shares(labels.columns());
  ParallelTasks(ctx, shares.size(), [&](std::size_t k, int) {
    shares[k] = RocArea(
                    labels.rows(), [&](std::size_t i) { return predictions(i, k); },
                    [&](std::size_t i) { return double{labels(i, k)}; }, weights)
                    .Share();
  });
  return std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(shares.size());
}

double OverClasses(MatrixView<float const> predictions, Meta const& meta, RowWeights const& weights,
                   Context const& ctx) {
  std::vector<std::size_t> labels;
  for (float const label : meta.labels.values) labels.push_back(ClassOf(label, predictions.columns(), "auc"));
  std::vector<Area> curves(predictions.columns());
  ParallelTasks(ctx, curves.size(), [&](std::size_t k, int) {
    curves[k] = RocArea(
        labels.size(), [&](std::size_t i) { return predictions(i, k); },
        [&](std::size_t i) { return labels[i] == k ? 1.0 : 0.0; }, weights);
  });
  double sum = 0, positives = 0;
  for (auto const& curve : curves) {
    sum += curve.Share() * curve.positives;
    positives += curve.positives;
  }
  return sum / positives;
}

// The number of pairs (i, j), i < j, with values[i] above values[j], equal ones counting half. Sorts `values`.
double PairsAbove(Span<float> values) {
  if (values.size() < 2) return 0;
  std::size_t const middle = values.size() / 2;
  auto const left = values.Sub(0, middle), right = values.Sub(middle, values.size() - middle);
  double pairs = PairsAbove(left) + PairsAbove(right);
  std::size_t below = 0, not_above = 0;
  for (float const value : right) {
    while (below < middle && left[below] < value) ++below;
    while (not_above < middle && left[not_above] <= value) ++not_above;
    pairs += static_cast<double>(middle - not_above) + static_cast<double>(not_above - below) / 2;
  }
  std::inplace_merge(values.begin(), left.end(), values.end());
  return pairs;
}

// Graded labels have no two sides: the chance that of two rows of a group the one with the higher label is predicted
// higher. Rows of equal label count as pairs in their order, as other programs that report this number have it.
double OverGroups(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) {
  constexpr std::size_t kLeastRows = 3;
  auto const& labels = meta.labels.values;
  std::vector<double> shares(meta.group_begin.size() - 1, kUndefined);
  ParallelTasks(ctx, shares.size(), [&](std::size_t g, int) {
    std::size_t const first = meta.group_begin[g], count = meta.group_begin[g + 1] - first;
    if (count < kLeastRows) return;
    std::vector<std::size_t> rows(count);
    std::iota(rows.begin(), rows.end(), first);
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return labels[a] > labels[b]; });
    std::vector<float> values(count);
    std::transform(rows.begin(), rows.end(), values.begin(), [&](std::size_t row) { return predictions(row, 0); });
    shares[g] = PairsAbove(values) / (static_cast<double>(count) * static_cast<double>(count - 1) / 2);
  });
  shares.erase(std::remove_if(shares.begin(), shares.end(), [](double share) { return std::isnan(share); }),
               shares.end());
  return std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(shares.size());
}

class Auc : public Metric {
 public:
  bool HigherIsBetter() const override { return true; }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const& labels = meta.labels;
    bool const by_group = meta.group_begin.size() > 1;
    bool const fits = labels.columns == predictions.columns() || (labels.columns == 1 && !by_group);
    Require<DataError>(labels.rows == predictions.rows() && (predictions.empty() || fits),
                       "`auc` needs one label a row, or one for each prediction: ", predictions.rows(), " x ",
                       predictions.columns(), "; got labels for ", labels.rows, " x ", labels.columns, ".");
    auto const flat = predictions.Flat();
    bool const numbers = std::none_of(flat.begin(), flat.end(), [](float value) { return std::isnan(value); });
    if (!numbers) ctx.Warn("`auc` is NaN: some predictions are.");
    double const auc = numbers && !predictions.empty() ? Compute(predictions, meta, ctx) : kUndefined;
    if (numbers && std::isnan(auc)) {
      ctx.Warn(by_group
                   ? "`auc` is NaN: no query group has 3 rows."
                   : "`auc` is NaN: the data are empty or, for some target or class, all positive or all negative.");
    }
    return auc;
  }

 private:
  static double Compute(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) {
    if (meta.group_begin.size() > 1) return OverGroups(predictions, meta, ctx);
    RowWeights const weights(meta, predictions.rows(), "auc");
    bool const targets = meta.labels.columns == predictions.columns();
    return targets ? OverTargets(predictions, meta, weights, ctx) : OverClasses(predictions, meta, weights, ctx);
  }
};

Registration<Metric> const kAuc{"auc", {}, "Area under the ROC curve.", {}, [] { return std::make_unique<Auc>(); }};

}  // namespace
}  // namespace xgbl
