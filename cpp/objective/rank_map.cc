// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "base/error.h"
#include "objective/lambdarank.h"

namespace xgbl {
namespace {

// The average precision of R relevant rows is the sum, over their ranks r from 1, of n(r) / r over R, n(r) of them
// being at r or above. A relevant row that swaps ranks h < l with another changes it by |u(h) - v(l)| / R, where, with
// s(r) the sum of 1 / rank over the relevant rows at r or above,
//   v(l) = n(l) / l - s(l - 1),  u(h) = n(h) / h - s(h), or (n(h) + 1) / h - s(h) if the relevant one comes up to h.
void JudgeMap(RankedQuery* query) {
  double relevant = 0, sum = 0;
  for (std::size_t i = 0; i < query->Size(); ++i) {
    double const rank = static_cast<double>(i) + 1, label = query->label[i], before = sum;
    query->gain[i] = query->label[i];
    relevant += label;
    sum += label / rank;
    query->SetPlace(i, (relevant + (1 - label)) / rank - sum, relevant / rank - before);
  }
  query->scale = relevant > 0 ? 1 / relevant : 0;
}

class RankMap : public LambdaRank {
 public:
  RankMap() : LambdaRank("rank:map", "map") {}

 protected:
  void CheckGrades(Span<float const> labels) const override {
    auto const* bad = std::find_if(labels.begin(), labels.end(), [](float y) { return y != 0.0F && y != 1.0F; });
    if (bad == labels.end()) return;
    throw DataError(Text("`", Name(), "` needs labels that are 0 or 1; got ", *bad, " in row ", bad - labels.begin(),
                         ". For graded labels use `rank:ndcg`."));
  }
  Judge MakeJudge(std::size_t /*largest*/) const override { return JudgeMap; }
};

auto const kRankMap = Register<Objective, RankMap>("rank:map", "LambdaMART for mean average precision: labels 0 and 1.")
                          .Params<LambdaRankParam>()
                          .OnlyInFiles<OldRankParam>();

}  // namespace
}  // namespace xgbl
