// SPDX-License-Identifier: Apache-2.0
#include "metric/ranking.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/numbers.h"
#include "labels/query_groups.h"
#include "parallel/exact_sum.h"

namespace xgbl {
namespace {

bool HasNan(Span<float const> values) {
  bool some = false;
  for (float const value : values) some = some | (value != value);
  return some;
}

}  // namespace

void RankingMetric::SetArgument(std::string const& argument) {
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

double RankingMetric::Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
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
      if (HasNan(scores)) terms += std::numeric_limits<double>::quiet_NaN();
      double const score = scorer(queries.Rows(meta.labels.values.data(), i), order.Of(scores, ranks_));
      double const weight = queries.Weight(i);
      terms += std::isnan(score) ? irrelevant_ * (WeighsIrrelevant() ? weight : 1) : score * weight;
    }
    sums[thread] += terms.Exact();
  });
  for (std::size_t t = 1; t < sums.size(); ++t) sums[0] += sums[t];
  double const sum = sums[0].Value(), total = queries.TotalWeight();
  if (std::isnan(sum)) ctx.Warn(Text("`", name_, "` is NaN: some predictions are."));
  if (std::isnan(sum) || queries.Count() == 0) return std::numeric_limits<double>::quiet_NaN();
  return total > 0 ? std::min(1.0, sum / total) : 0;
}

}  // namespace xgbl
