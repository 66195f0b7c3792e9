// SPDX-License-Identifier: Apache-2.0
// Metrics of ranked queries that only ask which rows are relevant.
#include <algorithm>
#include <memory>

#include "base/error.h"
#include "metric/ranking.h"
#include "objective/shared_params.h"
namespace xgbl {
namespace {

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
    throw DataError(Text("`", Name(), "` can only be used with binary labels, 0 or 1; got ", *bad, " in row ",
                         bad - labels.begin(), ". For graded labels use `ndcg`."));
  }

  Scorer MakeScorer(std::size_t /*largest*/) const override {
    return [score = score_, ranks = static_cast<double>(Ranks())](auto labels, auto best) {
      Hits const hits = CountHits(labels, best);
      bool const undefined = hits.relevant == 0 && score != Precision;
      return undefined ? kNothingRelevant : score(hits, ranks);
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

}  // namespace
}  // namespace xgbl
