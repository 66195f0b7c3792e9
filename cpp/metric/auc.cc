// SPDX-License-Identifier: Apache-2.0
// Area under the ROC curve: the chance that a positive row is predicted above a negative one, ties counting half. That
// of each class against the rest is weighted by the class's share (Provost and Domingos 2001).
#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "metric/curve_metric.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

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

class Auc : public CurveMetric {
 public:
  using CurveMetric::CurveMetric;

 protected:
  double Area(ThresholdSweep const& sweep) const override { return RocArea(sweep); }

  bool WeighsClasses() const override { return true; }

  // Graded labels have no two sides: the chance that of two rows of a group the one with the higher label is predicted
  // higher. Rows of equal label count as pairs in their order, as other programs that report this number have it.
  double OverGroups(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    constexpr std::size_t kLeastRows = 3;
    auto const& labels = meta.labels.values;
    std::vector<double> shares(meta.group_begin.size() - 1, std::numeric_limits<double>::quiet_NaN());
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
    return MeanOfKnown(shares);
  }
};

auto const kAuc = Register<Metric, Auc>("auc", "Area under the ROC curve.").Elsewhere({"roc_auc"});

}  // namespace
}  // namespace xgbl
