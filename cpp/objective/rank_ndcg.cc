// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include "objective/cumulative_gain.h"
#include "objective/lambdarank.h"

namespace xgbl {
namespace {

class RankNdcg : public LambdaRank {
 public:
  RankNdcg() : LambdaRank("rank:ndcg", "ndcg") {}

 protected:
  void CheckGrades(Span<float const> labels) const override {
    CumulativeGain::CheckLabels(labels, Param().exp_gain, Name());
  }

  // Rows that swap ranks swap discounts.
  Judge MakeJudge(std::size_t largest) const override {
    auto const gains = std::make_shared<CumulativeGain const>(Param().exp_gain, largest);
    return [gains, ranks = Param().Ranks()](RankedQuery* query) {
      for (std::size_t rank = 0; rank < query->Size(); ++rank) {
        query->gain[rank] = static_cast<float>(gains->Gain(query->label[rank]));
        query->SetPlace(rank, gains->Discount(rank), gains->Discount(rank));
      }
      double const ideal = gains->Ideal(query->label, ranks);
      query->scale = ideal == 0 ? 0 : 1 / std::abs(ideal);
    };
  }
};

Registration<Objective> const kRankNdcg{
    "rank:ndcg", {}, "LambdaMART for NDCG: graded labels, the top ranks count most.", SpecsOf<LambdaRankParam>(), [] {
      return std::make_unique<RankNdcg>();
    }};

}  // namespace
}  // namespace xgbl
