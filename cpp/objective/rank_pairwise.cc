// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "objective/lambdarank.h"

namespace xgbl {
namespace {

// All pairs of different labels are worth the same.
void JudgePairs(RankedQuery* query) {
  std::copy(query->label.begin(), query->label.end(), query->gain.begin());
  query->gain_base = 1;
  query->gain_slope = 0;
  for (std::size_t rank = 0; rank < query->Size(); ++rank) query->SetPlace(rank, 1, 0);
}

class RankPairwise : public LambdaRank {
 public:
  RankPairwise() : LambdaRank("rank:pairwise", "ndcg") {}

 protected:
  void CheckGrades(Span<float const> /*labels*/) const override {}
  Judge MakeJudge(std::size_t /*largest*/) const override { return JudgePairs; }
};

auto const kRankPairwise =
    Register<Objective, RankPairwise>("rank:pairwise", "RankNet: the logistic loss of pairs of rows of a query.")
        .Params<LambdaRankParam>()
        .Elsewhere({"pairlogit", "pairlogitpairwise"})
        .OnlyInFiles<OldRankParam>();

}  // namespace
}  // namespace xgbl
