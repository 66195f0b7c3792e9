// SPDX-License-Identifier: Apache-2.0
// Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002). Queries without a relevant row score 1 whatever
// their weight, as other programs that report this number have it.
#include <memory>

#include "metric/ranking.h"
#include "objective/cumulative_gain.h"
#include "objective/shared_params.h"
namespace xgbl {
namespace {

class Ndcg : public RankingMetric {
 public:
  Ndcg() : RankingMetric("ndcg") {}
  void Configure(ParamMap const& params) override { param_ = ParamsFrom<LambdaRankParam>(params); }
  /// All ranks count where pairs are made of all.
  void ConfigureDefault(ParamMap const& params) override {
    Configure(params);
    if (!param_.TopK()) SetRanks(kAllRanks);
  }

 protected:
  bool WeighsIrrelevant() const override { return false; }
  void CheckLabels(Span<float const> labels) const override {
    CumulativeGain::CheckLabels(labels, param_.exp_gain, Name());
  }

  Scorer MakeScorer(std::size_t largest) const override {
    auto const gains = std::make_shared<CumulativeGain const>(param_.exp_gain, largest);
    return [gains, ranks = Ranks()](Span<float const> labels, Span<std::uint32_t const> best) {
      double const ideal = gains->Ideal(labels, ranks);
      if (ideal <= 0) return kNothingRelevant;
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
