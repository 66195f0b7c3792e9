// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "labels/query_groups.h"
#include "metric/metric.h"
#include "objective/cumulative_gain.h"
#include "objective/shared_params.h"
#include "parallel/exact_sum.h"

namespace xgbl {
namespace {

bool HasNan(Span<float const> values) {
  bool some = false;
  for (float const value : values) some = some | (value != value);
  return some;
}

/// Metrics of ranked queries: the weighted mean over queries of a score for the order that predictions give a query's
/// rows. Data without groups are one query. The metric's name ends with the number of ranks that count, 32 by default,
/// and with the score of queries without a relevant row: 1 in `ndcg@10`, 0 in `ndcg@10-` and `ndcg-`. Without rows the
/// mean is NaN. O(rows log rows), in parallel over queries.
class RankingMetric : public Metric {
 public:
  static constexpr std::size_t kRanks = 32;
  static constexpr std::size_t kAllRanks = std::numeric_limits<std::size_t>::max();

  explicit RankingMetric(std::string name, std::size_t ranks = kRanks) : name_(std::move(name)), ranks_(ranks) {}

  void SetArgument(std::string const& argument) override {
    std::string ranks = argument;
    if (!ranks.empty() && ranks.back() == '-') {
      irrelevant_ = 0;
      ranks.pop_back();
      if (ranks.empty()) return;
    }
    std::int64_t count = 0;
    Require<ParamError>(ParseNumber(ranks, &count) && count >= 1, "`", name_,
                        "@` needs the number of ranks that count, at least 1, and perhaps a `-` behind it; got `",
                        argument, "`.");
    ranks_ = static_cast<std::size_t>(count);
  }
  bool HigherIsBetter() const override { return true; }

  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override {
    Require<DataError>(predictions.columns() == 1 || predictions.empty(), "`", name_,
                       "` needs one prediction a row; got ", predictions.columns(), ".");
    QueryGroups const queries(meta, predictions.rows(), name_);
    CheckLabels(meta.labels.values);
    Scorer const scorer = MakeScorer(queries.Largest());
    std::vector<ExactSum> sums(static_cast<std::size_t>(ctx.threads));
    queries.ForBlocks(ctx, [&](std::size_t thread, std::size_t begin, std::size_t end) {
      RankOrder order(ctx);
      BufferedSum terms(ctx.simd);
      for (std::size_t i = begin; i < end; ++i) {
        auto const scores = queries.Rows(predictions.data(), i);
        if (HasNan(scores)) terms += kUndefined;
        double const score = scorer(queries.Rows(meta.labels.values.data(), i), order.Of(scores, ranks_));
        double const weight = queries.Weight(i);
        terms += std::isnan(score) ? irrelevant_ * (WeighsIrrelevant() ? weight : 1) : score * weight;
      }
      sums[thread] += terms.Exact();
    });
    for (std::size_t t = 1; t < sums.size(); ++t) sums[0] += sums[t];
    double const sum = sums[0].Value(), total = queries.TotalWeight();
    if (std::isnan(sum)) ctx.Warn(Text("`", name_, "` is NaN: some predictions are."));
    if (std::isnan(sum) || queries.Count() == 0) return kUndefined;
    return total > 0 ? std::min(1.0, sum / total) : 0;
  }

 protected:
  /// The score of a query from its labels and the rows at its first ranks, of which there are at most `ranks_`; or
  /// kUndefined.
  using Scorer = std::function<double(Span<float const> labels, Span<std::uint32_t const> best)>;
  /// A scorer of queries of up to `largest` rows.
  virtual Scorer MakeScorer(std::size_t largest) const = 0;
  /// Throws DataError if the labels are not what the metric is defined on.
  virtual void CheckLabels(Span<float const> labels) const = 0;
  /// Whether queries without a relevant row count by their weight, or as if it were 1.
  virtual bool WeighsIrrelevant() const { return true; }

  std::string name_;
  std::size_t ranks_;

 private:
  double irrelevant_ = 1;
};

/// What the first ranks of a query hold.
struct Hits {
  double relevant = 0;   // rows of the query
  double found = 0;      // of them at the ranks that count
  double precision = 0;  // sum, over the ranks of those, of the share of relevant rows up to there
  double first = 0;      // 1 / the first of their ranks
  double ranks = 0;      // that count and that the query has
};

Hits CountHits(Span<float const> labels, Span<std::uint32_t const> best) {
  Hits hits;
  hits.relevant = static_cast<double>(std::count_if(labels.begin(), labels.end(), [](float y) { return y > 0; }));
  hits.ranks = static_cast<double>(best.size());
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (!(labels[best[i]] > 0)) continue;
    double const rank = static_cast<double>(i) + 1;
    if (hits.found == 0) hits.first = 1 / rank;
    hits.precision += ++hits.found / rank;
  }
  return hits;
}

using Score = double (*)(Hits const& hits, double ranks);

double MeanPrecision(Hits const& hits, double ranks) { return hits.precision / std::min(hits.relevant, ranks); }
double Precision(Hits const& hits, double /*ranks*/) { return hits.ranks > 0 ? hits.found / hits.ranks : 0; }
double Recall(Hits const& hits, double /*ranks*/) { return hits.found / hits.relevant; }
double ReciprocalRank(Hits const& hits, double /*ranks*/) { return hits.first; }

enum class Grades { kBinary, kAny };

class HitMetric : public RankingMetric {
 public:
  HitMetric(std::string name, Score score, Grades grades, std::size_t ranks = kRanks)
      : RankingMetric(std::move(name), ranks), score_(score), grades_(grades) {}

 protected:
  void CheckLabels(Span<float const> labels) const override {
    if (grades_ == Grades::kAny) return;
    auto const* bad = std::find_if(labels.begin(), labels.end(), [](float y) { return y != 0.0F && y != 1.0F; });
    if (bad == labels.end()) return;
    throw DataError(Text("`", name_, "` can only be used with binary labels, 0 or 1; got ", *bad, " in row ",
                         bad - labels.begin(), ". For graded labels use `ndcg`."));
  }

  Scorer MakeScorer(std::size_t /*largest*/) const override {
    return [score = score_, ranks = static_cast<double>(ranks_)](auto labels, auto best) {
      Hits const hits = CountHits(labels, best);
      bool const undefined = hits.relevant == 0 && score != Precision;
      return undefined ? kUndefined : score(hits, ranks);
    };
  }

 private:
  Score score_;
  Grades grades_;
};

auto const kMap = Register<Metric, HitMetric>("map", "Mean average precision of the first 32 ranks, or `n` in `map@n`.",
                                              MeanPrecision, Grades::kBinary)
                      .Elsewhere({"mean_average_precision"})
                      .Repeats<LambdaRankParam>();

auto const kPre =
    Register<Metric, HitMetric>("pre", "Share of relevant rows among the first 32 ranks, or `n` in `pre@n`.", Precision,
                                Grades::kBinary)
        .Alias({"precision"})
        .Elsewhere({"precisionat"})
        .Repeats<LambdaRankParam>();

auto const kRecall =
    Register<Metric, HitMetric>("recall",
                                "Share of the relevant rows that are among the first 32 ranks, or `n` in `recall@n`.",
                                Recall, Grades::kAny)
        .Elsewhere({"recallat"});

auto const kMrr = Register<Metric, HitMetric>(
    "mrr", "Mean reciprocal rank of the first relevant row, 0 beyond the first `n` ranks in `mrr@n`.", ReciprocalRank,
    Grades::kAny, RankingMetric::kAllRanks);

/// Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002). Queries without a relevant row score 1
/// whatever their weight, as other programs that report this number have it.
class Ndcg : public RankingMetric {
 public:
  Ndcg() : RankingMetric("ndcg") {}
  void Configure(ParamMap const& params) override { param_ = ParamsFrom<LambdaRankParam>(params); }
  /// All ranks count where pairs are made of all.
  void ConfigureDefault(ParamMap const& params) override {
    Configure(params);
    if (!param_.TopK()) ranks_ = kAllRanks;
  }

 protected:
  bool WeighsIrrelevant() const override { return false; }
  void CheckLabels(Span<float const> labels) const override {
    CumulativeGain::CheckLabels(labels, param_.exp_gain, name_);
  }

  Scorer MakeScorer(std::size_t largest) const override {
    auto const gains = std::make_shared<CumulativeGain const>(param_.exp_gain, largest);
    return [gains, ranks = ranks_](Span<float const> labels, Span<std::uint32_t const> best) {
      double const ideal = gains->Ideal(labels, ranks);
      if (ideal <= 0) return kUndefined;
      double sum = 0;
      for (std::size_t rank = 0; rank < best.size(); ++rank) {
        sum += gains->Discount(rank) * gains->Gain(labels[best[rank]]);
      }
      return sum / ideal;
    };
  }

 private:
  LambdaRankParam param_;
};

auto const kNdcg =
    Register<Metric, Ndcg>("ndcg", "Normalised discounted cumulative gain of the first 32 ranks, or `n` in `ndcg@n`.")
        .Elsewhere({"lambdarank", "rank_xendcg", "xendcg"})
        .Repeats<LambdaRankParam>();

}  // namespace
}  // namespace xgbl
