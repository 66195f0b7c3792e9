// SPDX-License-Identifier: Apache-2.0
// Metrics of the order of scores, over all thresholds: areas under curves, and the significance of the best threshold.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/math.h"
#include "base/numbers.h"
#include "labels/row_weights.h"
#include "metric/metric.h"
#include "metric/threshold_sweep.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

/// The mean of those that are numbers; NaN if none is.
double MeanOfKnown(std::vector<double> const& values) {
  ExactSum sum;
  double count = 0;
  for (double const value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    count += 1;
  }
  return sum.Value() / count;
}

/// The values of one column side by side: themselves if there is no other, else a copy.
Span<float const> ColumnOf(MatrixView<float const> matrix, std::size_t column, std::vector<float>* copy) {
  if (matrix.columns() == 1) return matrix.Flat();
  copy->resize(matrix.rows());
  for (std::size_t i = 0; i < copy->size(); ++i) (*copy)[i] = matrix(i, column);
  return *copy;
}

// Few curves share the threads each; of many, each has a thread of its own.
void ForEachCurve(Context const& ctx, std::size_t count, std::function<void(std::size_t)> const& body) {
  if (count < static_cast<std::size_t>(ctx.threads)) {
    for (std::size_t k = 0; k < count; ++k) body(k);
  } else {
    ParallelTasks(ctx, count, [&](std::size_t k, int) { body(k); });
  }
}

/// The area under a curve over all thresholds. One prediction separates two sides. Several targets give the mean of
/// their areas. Several classes give a mean over each against the rest. Query groups give the mean of the groups that
/// have both sides. NaN, with a warning, if nothing has both sides.
class CurveMetric : public Metric {
 public:
  /// Of rows that have both sides.
  using Area = double (*)(ThresholdSweep const& sweep);

  CurveMetric(std::string name, Area area) : name_(std::move(name)), area_(area) {}

  bool HigherIsBetter() const override { return true; }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const& labels = meta.labels;
    bool const by_group = meta.group_begin.size() > 1;
    bool const fits = labels.columns == predictions.columns() || (labels.columns == 1 && !by_group);
    Require<DataError>(labels.rows == predictions.rows() && (predictions.empty() || fits), "`", name_,
                       "` needs one label a row, or one for each prediction: ", predictions.rows(), " x ",
                       predictions.columns(), "; got labels for ", labels.rows, " x ", labels.columns, ".");
    Context const limited = ForWork(ctx, predictions.size());
    bool const numbers = AllNumbers(predictions.Flat(), limited);
    if (!numbers) ctx.Warn(Text("`", name_, "` is NaN: some predictions are."));
    double const area = numbers && !predictions.empty() ? Compute(predictions, meta, limited) : kUndefined;
    if (numbers && std::isnan(area)) {
      ctx.Warn(by_group ? Text("`", name_, "` is NaN: no query group has enough rows of both kinds.")
                        : Text("`", name_,
                               "` is NaN: the data are empty or, for some target or class, all positive or all "
                               "negative."));
    }
    return area;
  }

 protected:
  virtual double OverGroups(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
    CheckShares(meta.labels, ctx);
    std::vector<double> areas(meta.group_begin.size() - 1);
    ParallelTasks(ctx, areas.size(), [&](std::size_t g, int) {
      std::size_t const first = meta.group_begin[g], count = meta.group_begin[g + 1] - first;
      Span<float const> const labels = meta.labels.values;
      areas[g] = AreaOrNan(ThresholdSweep({predictions.Flat().Sub(first, count), labels.Sub(first, count), {}}, ctx));
    });
    return MeanOfKnown(areas);
  }

  /// Whether classes count by their rows, instead of all alike.
  virtual bool WeighsClasses() const { return false; }

 private:
  double Compute(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
    if (meta.group_begin.size() > 1) return OverGroups(predictions, meta, ctx);
    RowWeights(meta, predictions.rows(), name_);
    bool const targets = meta.labels.columns == predictions.columns();
    return targets ? OverTargets(predictions, meta, ctx) : OverClasses(predictions, meta, ctx);
  }

  double OverTargets(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
    CheckShares(meta.labels, ctx);
    std::vector<double> areas(meta.labels.columns);
    ForEachCurve(ctx, areas.size(), [&](std::size_t k) {
      std::vector<float> scores, shares;
      ScoredRows const rows{ColumnOf(predictions, k, &scores), ColumnOf(meta.labels.View(), k, &shares), meta.weights};
      areas[k] = AreaOrNan(ThresholdSweep(rows, ctx));
    });
    return std::accumulate(areas.begin(), areas.end(), 0.0) / static_cast<double>(areas.size());
  }

  double OverClasses(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
    auto const& labels = meta.labels.values;
    for (float const label : labels) ClassOf(label, predictions.columns(), name_);
    std::vector<double> areas(predictions.columns()), sizes(areas.size(), 1.0);
    ForEachCurve(ctx, areas.size(), [&](std::size_t k) {
      std::vector<float> scores, shares(labels.size());
      auto const wanted = static_cast<float>(k);
      for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = labels[i] == wanted ? 1.0F : 0.0F;
      ThresholdSweep const sweep({ColumnOf(predictions, k, &scores), shares, meta.weights}, ctx);
      areas[k] = AreaOrNan(sweep);
      if (WeighsClasses()) sizes[k] = sweep.Total().positives;
    });
    return std::inner_product(areas.begin(), areas.end(), sizes.begin(), 0.0) /
           std::accumulate(sizes.begin(), sizes.end(), 0.0);
  }

  double AreaOrNan(ThresholdSweep const& sweep) const { return sweep.Total().HasBoth() ? area_(sweep) : kUndefined; }

  void CheckShares(Matrix<float> const& labels, Context const& ctx) const {
    bool const may_miss = labels.columns > 1;
    auto const good = [may_miss](float label) {
      return ((label >= 0.0F) & (label <= 1.0F)) | (may_miss & (label != label));
    };
    if (AllRows(ctx, labels.values.size(), [&](std::size_t i) { return good(labels.values[i]); })) return;
    float const bad = *std::find_if_not(labels.values.begin(), labels.values.end(), good);
    throw DataError(Text("`", name_, "` needs labels from 0 to 1; got ", bad, "."));
  }

  std::string name_;
  Area area_;
};

/// The number of pairs (i, j), i < j, with values[i] above values[j], equal ones counting half. Sorts `values`.
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

/// The chance that a positive row is predicted above a negative one, ties counting half. That of each class against the
/// rest is weighted by the class's share (Provost and Domingos 2001).
class Auc : public CurveMetric {
 public:
  explicit Auc(std::string name) : CurveMetric(std::move(name), RocArea) {}

 protected:
  bool WeighsClasses() const override { return true; }

  // Graded labels have no two sides: the chance that of two rows of a group the one with the higher label is predicted
  // higher. Rows of equal label count as pairs in their order, as other programs that report this number have it.
  double OverGroups(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
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
    return MeanOfKnown(shares);
  }
};

auto const kAuc = Register<Metric, Auc>("auc", "Area under the ROC curve.").Elsewhere({"roc_auc"});

// The integral of t / (t + f + h (t - t0)), the precision with t positives and f + h (t - t0) negatives above the
// threshold, as t goes from one threshold's number of positives, t0, to the next's.
double Between(Tally const& above, Tally const& through) {
  double const gained = through.positives - above.positives;
  if (gained <= 0) return 0;
  double const slope = (through.negatives - above.negatives) / gained;
  double const offset = above.negatives - slope * above.positives;
  if (offset == 0) return gained / (1 + slope);
  double const growth = (through.Sum() - above.Sum()) / above.Sum();
  return (gained - offset / (1 + slope) * Log1p(growth)) / (1 + slope);
}

// Between the points of the curve of precision over recall lies the hyperbola that mixing both thresholds gives (Davis
// and Goadrich 2006), not the straight line.
double PrecisionArea(ThresholdSweep const& sweep) { return sweep.Sum(Between) / sweep.Total().positives; }

auto const kAucPr = Register<Metric, CurveMetric>("aucpr", "Area under the precision-recall curve.", PrecisionArea)
                        .Elsewhere({"prauc", "pr_auc"});

double WeightedPrecision(ThresholdSweep const& sweep) {
  double const sum = sweep.Sum([](Tally const& above, Tally const& through) {
    double const gained = through.positives - above.positives;
    return gained > 0 ? gained * through.positives / (through.positives + through.negatives) : 0.0;
  });
  return sum / sweep.Total().positives;
}

auto const kAveragePrecision = Register<Metric, CurveMetric>(
    "average_precision", "Precision at each threshold, weighted by the recall that it gains.", WeightedPrecision);

/// The rows of each class, and their weights unless all are 1.
struct ClassRows {
  std::vector<std::size_t> rows;
  std::vector<float> weights;
};

std::vector<ClassRows> ByClass(Meta const& meta, std::size_t classes) {
  std::vector<ClassRows> out(classes);
  for (std::size_t i = 0; i < meta.labels.rows; ++i) {
    ClassRows& one = out[ClassOf(meta.labels.values[i], classes, "auc_mu")];
    one.rows.push_back(i);
    if (!meta.weights.empty()) one.weights.push_back(meta.weights[i]);
  }
  return out;
}

/// AUC of several classes (Kleiman and Page 2019): the plain mean, over pairs of classes, of the chance that a row of
/// one scores higher on it than on the other by more than a row of the other does. Scores are the margins.
class AucMu : public Metric {
 public:
  bool HigherIsBetter() const override { return true; }
  bool SeesMargins() const override { return true; }

  double Evaluate(MatrixView<float const> margins, Meta const& meta, Context const& ctx) const override {
    auto const& labels = meta.labels;
    Require<DataError>(labels.columns <= 1 && labels.rows == margins.rows(), "`auc_mu` needs one label for each of ",
                       margins.rows(), " rows; got labels for ", labels.rows, " x ", labels.columns, ".");
    Require<DataError>(margins.empty() || margins.columns() > 1,
                       "`auc_mu` needs a prediction for each class; got one a row. With two classes use `auc`.");
    RowWeights(meta, margins.rows(), "auc_mu");
    if (margins.empty() || !AllNumbers(margins.Flat(), ctx)) return kUndefined;
    auto const classes = ByClass(meta, margins.columns());
    double sum = 0;
    for (std::size_t a = 0; a < classes.size(); ++a) {
      for (std::size_t b = a + 1; b < classes.size(); ++b) sum += OfPair(margins, classes, a, b, ctx);
    }
    if (std::isnan(sum)) ctx.Warn("`auc_mu` is NaN: some class has no row or no weight.");
    auto const count = static_cast<double>(classes.size());
    return sum / (count * (count - 1) / 2);
  }

 private:
  static double OfPair(MatrixView<float const> margins, std::vector<ClassRows> const& classes, std::size_t a,
                       std::size_t b, Context const& ctx) {
    std::vector<float> scores, shares, weights;
    for (std::size_t const k : {a, b}) {
      for (std::size_t const row : classes[k].rows) scores.push_back(margins(row, a) - margins(row, b));
      weights.insert(weights.end(), classes[k].weights.begin(), classes[k].weights.end());
      shares.resize(scores.size(), k == a ? 1.0F : 0.0F);
    }
    return RocArea(ThresholdSweep({scores, shares, weights}, ctx));
  }
};

auto const kAucMu =
    Register<Metric, AucMu>("auc_mu", "Mean area under the ROC curves of all pairs of classes.").Elsewhere({"aucmu"});

// Approximate median significance of a discovery (Adam-Bourdarios et al. 2014), sqrt(2 ((s + b) log(1 + s / b) - s)),
// from the weights s of positive and b of negative rows above a threshold, b with a constant of 10 added. The threshold
// leaves a share of the rows above it; where it lies among equal predictions, each of them counts in part.
double Significance(Tally const& above) {
  constexpr double kRegularisation = 10;
  double const background = above.negatives + kRegularisation;
  return std::sqrt(2 * ((above.positives + background) * Log1p(above.positives / background) - above.positives));
}

class Ams : public Metric {
 public:
  bool HigherIsBetter() const override { return true; }

  void SetArgument(std::string const& argument) override {
    bool const good = ParseNumber(argument, &share_) && share_ >= 0 && share_ <= 1;
    Require<ParamError>(good, "`ams@` needs the share of the rows above the threshold, from 0 to 1; got `", argument,
                        "`.");
  }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const& labels = meta.labels;
    bool const fits = labels.rows == predictions.rows() && (predictions.empty() || labels.columns == 1);
    Require<DataError>(fits && predictions.columns() <= 1, "`ams` needs one prediction and one label a row; got ",
                       predictions.rows(), " x ", predictions.columns(), " and ", labels.rows, " x ", labels.columns,
                       ".");
    RowWeights(meta, predictions.rows(), "ams");
    if (!AllNumbers(predictions.Flat(), ctx)) return kUndefined;
    auto const wanted = static_cast<std::size_t>(share_ * static_cast<double>(predictions.rows()));
    if (wanted > 0 && wanted < predictions.rows()) return Significance(Above(wanted, predictions.Flat(), meta));
    std::vector<float> positive(labels.values);
    for (float& label : positive) label = label > 0.5F ? 1.0F : 0.0F;
    // Never with all rows above the threshold.
    return ThresholdSweep({predictions.Flat(), positive, meta.weights}, ctx)
        .Largest([](Tally const& above, Tally const&) { return Significance(above); });
  }

 private:
  static Tally Above(std::size_t wanted, Span<float const> scores, Meta const& meta) {
    std::vector<float> sorted(scores.begin(), scores.end());
    auto const last = sorted.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
    std::nth_element(sorted.begin(), last, sorted.end(), std::greater<>());
    RowWeights const weights(meta, scores.size(), "ams");
    std::array<BufferedSum, 2> above, equal;  // negatives, positives
    std::size_t count_above = 0, count_equal = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (scores[i] < *last) continue;
      ++(scores[i] > *last ? count_above : count_equal);
      (scores[i] > *last ? above : equal)[meta.labels.values[i] > 0.5F ? 1 : 0] += double{weights[i]};
    }
    double const part = static_cast<double>(wanted - count_above) / static_cast<double>(count_equal);
    return {above[1].Value() + equal[1].Value() * part, above[0].Value() + equal[0].Value() * part};
  }

  double share_ = 0;
};

auto const kAms = Register<Metric, Ams>("ams",
                                        "Approximate median significance of the share `k` of rows with the largest "
                                        "predictions in `ams@k`; of the best share without it.");

}  // namespace
}  // namespace xgbl
