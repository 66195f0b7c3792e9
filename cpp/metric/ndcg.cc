// SPDX-License-Identifier: Apache-2.0
// Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002). Queries without a relevant row score 1 whatever
// their weight, as other programs that report this number have it.
#include <memory>

#include "metric/ranking.h"
#include "objective/cumulative_gain.h"

namespace xgbl {
namespace {

struct GainParam {
  bool exponential = true;

  template <class F>
  static void Describe(F& field) {
    field("ndcg_exp_gain", &GainParam::exponential, "Whether a row gains 2^label - 1 in NDCG, or its label.");
  }
};

class Ndcg : public RankingMetric {
 public:
  Ndcg() : RankingMetric("ndcg") {}
  void Configure(ParamMap const& params) override { param_ = ParamsFrom<GainParam>(params); }

 protected:
  bool WeighsIrrelevant() const override { return false; }
  void CheckLabels(Span<float const> labels) const override {
    CumulativeGain::CheckLabels(labels, param_.exponential, Name());
  }

  Scorer MakeScorer(std::size_t largest) const override {
    auto const gains = std::make_shared<CumulativeGain const>(param_.exponential, largest);
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
  GainParam param_;
};

Registration<Metric> const kNdcg{
    "ndcg", {}, "Normalised discounted cumulative gain, of the first `n` ranks in `ndcg@n`.", {}, [] {
      return std::make_unique<Ndcg>();
    }};

}  // namespace
}  // namespace xgbl
