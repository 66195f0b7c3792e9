// SPDX-License-Identifier: Apache-2.0
// Metrics of times until an event.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "base/bits.h"
#include "base/math.h"
#include "labels/meta.h"
#include "metric/elementwise.h"
#include "objective/aft_loss.h"
#include "objective/risk_sets.h"
#include "parallel/radix_sort.h"

namespace xgbl {
namespace {

/// What metrics of accelerated failure time get. Predictions are logarithms of times; `label_lower_bound` and
/// `label_upper_bound` hold the truth. Each is a weighted mean over rows; without rows, or with all weights 0, it is 0.
struct Scored {
  std::string name;
  MatrixView<float const> predictions;
  Meta const& meta;
  Context const& ctx;
};

/// The mean of `loss(bounds, prediction)`.
template <class Loss>
double MeanOverBounds(Scored const& scored, Loss const& loss) {
  auto const predictions = scored.predictions;
  Require<DataError>(predictions.empty() || predictions.columns() == 1, "`", scored.name,
                     "` needs one prediction a row; got ", predictions.columns(), ".");
  LabelBounds const bounds(scored.meta, predictions.rows(), scored.name);
  RowWeights const weights(scored.meta, predictions.rows(), scored.name);
  auto const of_row = [&](std::size_t i) { return loss(bounds[i], predictions(i, 0)); };
  return SumLosses(scored.ctx, weights, predictions.rows(), 1, of_row).MeanOrZero();
}

class AftLogLikelihood : public Metric {
 public:
  void Configure(ParamMap const& params) override { param_ = ParamsFrom<AftParam>(params); }
  bool NeedsLabels() const override { return false; }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    return WithNoise(param_.aft_loss_distribution, [&](auto noise) {
      return MeanOverBounds({"aft-nloglik", predictions, meta, ctx},
                            [scale = param_.Scale()](auto bounds, float prediction) {
                              return aft::Loss<decltype(noise)>(bounds, double{prediction}, scale);
                            });
    });
  }

 private:
  AftParam param_;
};

class IntervalAccuracy : public Metric {
 public:
  bool HigherIsBetter() const override { return true; }
  bool NeedsLabels() const override { return false; }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    return MeanOverBounds({"interval-regression-accuracy", predictions, meta, ctx}, [](auto bounds, float prediction) {
      double const time = Exp(double{prediction});
      return time >= double{bounds.lower} && time <= double{bounds.upper} ? 1.0 : 0.0;
    });
  }
};

auto const kAft =
    Register<Metric, AftLogLikelihood>("aft-nloglik", "Negative log-likelihood of accelerated failure time.")
        .Elsewhere({"aft", "survivalaft"})
        .Repeats<AftParam>();

auto const kIntervalAccuracy = Register<Metric, IntervalAccuracy>(
    "interval-regression-accuracy", "Share of rows whose predicted time is within the bounds of the label.");

constexpr char kCoxName[] = "cox-nloglik";

/// Minus the log of the partial likelihood of proportional hazards (Cox 1972; ties after Breslow 1974), per event.
/// Predictions are relative hazards. As in xgboost, weights do not count.
class CoxLogLikelihood : public Metric {
 public:
  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    auto const& labels = meta.labels;
    bool const fits =
        labels.rows == predictions.rows() && (predictions.empty() || predictions.columns() == 1) && labels.columns <= 1;
    Require<DataError>(fits, "`", kCoxName, "` needs one label and one prediction a row; got labels for ", labels.rows,
                       " x ", labels.columns, " and ", predictions.rows(), " x ", predictions.columns(),
                       " predictions.");
    RowWeights(meta, predictions.rows(), kCoxName);
    RiskSets const sets = SortedByTime(labels.values);
    std::vector<double> hazards(sets.rows.size());
    for (std::size_t i = 0; i < hazards.size(); ++i) hazards[i] = double{predictions(sets.rows[i], 0)};
    std::vector<double> const at_risk = HazardsAtRisk(sets.times, hazards);
    auto const is_event = [&](std::size_t i) { return labels.values[sets.rows[i]] > 0.0F; };
    double const events = SumRows(ctx, hazards.size(), [&](std::size_t i) { return is_event(i) ? 1.0 : 0.0; });
    if (events == 0) {
      ctx.Warn("`cox-nloglik` is NaN: no label is positive, an event.");
      return kUndefined;
    }
    double const loss = SumRows(ctx, hazards.size(),
                                [&](std::size_t i) { return is_event(i) ? Log(at_risk[i]) - Log(hazards[i]) : 0.0; });
    return loss / events;
  }
};

auto const kCox = Register<Metric, CoxLogLikelihood>(
                      "cox-nloglik", "Negative partial log-likelihood of proportional hazards, per event.")
                      .Elsewhere({"cox"});

constexpr char kIndexName[] = "cindex";

/// Weights by rank, and sums over all ranks below one; in whole numbers, so that no order of adding matters.
class RankWeights {
 public:
  explicit RankWeights(std::size_t ranks) : own_(ranks), sums_(ranks + 1) {}

  void Add(std::size_t rank, std::int64_t weight) {
    own_[rank] += weight;
    total_ += weight;
    for (std::size_t i = rank + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] += weight;
  }
  void Fetch(std::size_t rank) const {
    Prefetch(&own_[rank]);
    Prefetch(&sums_[rank + 1]);
  }
  std::int64_t At(std::size_t rank) const { return own_[rank]; }
  std::int64_t Total() const { return total_; }
  std::int64_t Below(std::size_t rank) const {
    std::int64_t sum = 0;
    for (std::size_t i = rank; i > 0; i &= i - 1) sum += sums_[i];
    return sum;
  }

 private:
  std::vector<std::int64_t> own_;
  std::vector<std::int64_t> sums_;
  std::int64_t total_ = 0;
};

/// Some rows in the rising order of a value.
struct Sorted {
  std::vector<float> values;
  std::vector<std::uint32_t> rows;

  void Add(float value, std::size_t row) {
    values.push_back(value);
    rows.push_back(static_cast<std::uint32_t>(row));
  }
  void Sort() { ColumnSorter().Sort(values, rows); }
};

/// Ranks from 0, equal values sharing one. No value is NaN.
std::vector<std::uint32_t> Ranks(MatrixView<float const> column) {
  Sorted sorted;
  for (std::size_t i = 0; i < column.rows(); ++i) sorted.Add(column(i, 0), i);
  sorted.Sort();
  std::vector<std::uint32_t> ranks(column.rows());
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (i > 0 && sorted.values[i] != sorted.values[i - 1]) ++rank;
    ranks[sorted.rows[i]] = rank;
  }
  return ranks;
}

/// The ends of the rows' times: what a pair's order depends on.
struct Ends {
  Sorted latest;    // upper bounds that are finite
  Sorted events;    // lower bounds that are upper ones too
  Sorted earliest;  // other lower bounds

  void Add(LabelBounds::Interval bounds, std::size_t row) {
    if (bounds.HasUpper()) latest.Add(bounds.upper, row);
    (bounds.IsEvent() ? events : earliest).Add(bounds.lower, row);
  }
  void Sort() {
    for (Sorted* sorted : {&latest, &events, &earliest}) sorted->Sort();
  }
};

/// Weights of pairs: those with the later row predicted above, and all.
struct Pairs {
  double rising = 0;
  double all = 0;
};

Pairs CountPairs(Ends const& ends, std::vector<std::uint32_t> const& ranks, RowWeights const& weights) {
  constexpr int kBits = 62;
  constexpr std::size_t kAhead = 16;
  double const total = SumRows({}, ranks.size(), [&](std::size_t row) { return double{weights[row]}; });
  double const unit = total > 0 ? std::ldexp(1.0, std::ilogb(total) + 1 - kBits) : 1.0;  // of weights
  double const per_unit = 1 / unit;
  RankWeights later(ranks.size());
  std::size_t events = ends.events.rows.size(), earliest = ends.earliest.rows.size();
  auto const add = [&](std::uint32_t row) {
    later.Add(ranks[row], static_cast<std::int64_t>(double{weights[row]} * per_unit));
  };
  BufferedSum rising, all;
  for (std::size_t i = ends.latest.rows.size(); i-- > 0;) {
    if (i >= kAhead) later.Fetch(ranks[ends.latest.rows[i - kAhead]]);
    float const time = ends.latest.values[i];
    std::uint32_t const row = ends.latest.rows[i];
    for (; events > 0 && ends.events.values[events - 1] > time; --events) add(ends.events.rows[events - 1]);
    for (; earliest > 0 && ends.earliest.values[earliest - 1] >= time; --earliest) {
      add(ends.earliest.rows[earliest - 1]);
    }
    std::int64_t const tied = later.At(ranks[row]), above = later.Total() - later.Below(ranks[row]) - tied;
    rising += double{weights[row]} * (static_cast<double>(2 * above + tied) * unit / 2);
    all += double{weights[row]} * (static_cast<double>(later.Total()) * unit);
  }
  return {rising.Value(), all.Value()};
}

/// Concordance index (Harrell et al. 1982): of the pairs of rows of which one certainly met its event before the other,
/// the share that predictions put into that order, equal predictions counting half; a pair weighs the product of its
/// rows' weights. Row i comes before row j if i's upper bound is below j's lower bound, or equal to it and j is no
/// event: a row last seen at a time met its event later. O(n log n): times are walked from the last to the first, and
/// the weights of the rows behind are kept in a tree of partial sums over ranks of predictions (Fenwick 1994).
///
/// Under `survival:cox` predictions are risks and labels say what happened; else predictions are times, and the bounds
/// of labels say it if there are any. `cindex@risk` and `cindex@time` tell what predictions are.
class Concordance : public Metric {
 public:
  void Configure(ParamMap const& params) override {
    auto const objective = params.find("objective");
    is_cox_ = objective != params.end() && objective->second == "survival:cox";
    of_risks_ = is_cox_;
  }
  void SetArgument(std::string const& argument) override {
    Require<ParamError>(argument == "risk" || argument == "time", "`cindex@` needs what predictions are, `risk` or ",
                        "`time`; got `", argument, "`.");
    of_risks_ = argument == "risk";
  }
  bool HigherIsBetter() const override { return true; }
  bool NeedsLabels() const override { return false; }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    Require<DataError>(predictions.empty() || predictions.columns() == 1, "`", kIndexName,
                       "` needs one prediction a row; got ", predictions.columns(), ".");
    RowWeights const weights(meta, predictions.rows(), kIndexName);
    Ends ends = EndsOf(meta, predictions.rows());
    auto const flat = predictions.Flat();
    if (std::any_of(flat.begin(), flat.end(), [](float value) { return std::isnan(value); })) {
      ctx.Warn("`cindex` is NaN: some predictions are.");
      return kUndefined;
    }
    ends.Sort();
    Pairs const pairs = CountPairs(ends, Ranks(predictions), weights);
    if (pairs.all == 0) {
      ctx.Warn("`cindex` is NaN: of no two rows is it known whose event came first.");
      return kUndefined;
    }
    return (of_risks_ ? pairs.all - pairs.rising : pairs.rising) / pairs.all;
  }

 private:
  Ends EndsOf(Meta const& meta, std::size_t rows) const {
    Ends ends;
    if (!is_cox_ && !meta.label_lower.empty()) {
      LabelBounds const bounds(meta, rows, kIndexName);
      for (std::size_t i = 0; i < rows; ++i) ends.Add(bounds[i], i);
      return ends;
    }
    auto const& labels = meta.labels;
    Require<DataError>(labels.rows == rows && labels.columns <= 1, "`", kIndexName, "` needs one label a row: ", rows,
                       "; got ", labels.rows, " x ", labels.columns, ". Set `label` to the times of events, minus the ",
                       "time where a row was last seen without one",
                       is_cox_ ? "." : "; or set `label_lower_bound` and `label_upper_bound`.");
    for (std::size_t i = 0; i < rows; ++i) {
      float const label = labels.values[i], time = std::fabs(label);
      ends.Add({time, label > 0.0F ? time : std::numeric_limits<float>::infinity()}, i);
    }
    return ends;
  }

  bool is_cox_ = false;
  bool of_risks_ = false;
};

auto const kConcordance = Register<Metric, Concordance>(
    kIndexName, "Concordance index: share of pairs with a known order of events that are predicted in that order.");

}  // namespace
}  // namespace xgbl
