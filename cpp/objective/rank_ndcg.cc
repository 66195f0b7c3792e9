// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

  Judge MakeJudge(std::size_t largest) const override {
    auto const gains = std::make_shared<CumulativeGain const>(Param().exp_gain, largest);
    return [gains, ranks = Param().Ranks()](RankedQuery* query) { JudgeNdcg(*gains, ranks, query); };
  }

 private:
  // Rows that swap ranks swap discounts. Gains are brought near to 1 by a power of two, which loses nothing, so that
  // neither huge nor tiny ones leave the range of float32.
  static void JudgeNdcg(CumulativeGain const& gains, std::size_t ranks, RankedQuery* query) {
    double largest = 0;
    for (float const label : query->label) largest = std::max(largest, std::fabs(gains.Gain(label)));
    int exponent = 0;
    std::frexp(largest, &exponent);
    double const unit = std::ldexp(1.0, -exponent), ideal = std::fabs(gains.Ideal(query->label, ranks)) * unit;
    for (std::size_t rank = 0; rank < query->Size(); ++rank) {
      query->gain[rank] = static_cast<float>(gains.Gain(query->label[rank]) * unit);
      query->SetPlace(rank, gains.Discount(rank), gains.Discount(rank));
    }
    constexpr double kLeastIdeal = 1e-30;  // positive and negative gains may nearly cancel
    query->scale = ideal == 0 ? 0 : 1 / std::max(ideal, kLeastIdeal);
  }
};

auto const kRankNdcg =
    Register<Objective, RankNdcg>("rank:ndcg", "LambdaMART for NDCG: graded labels, the top ranks count most.")
        .Params<LambdaRankParam>()
        .Elsewhere({"lambdarank", "lambdamart"})
        .OnlyInFiles<OldRankParam>();

}  // namespace
}  // namespace xgbl
