// SPDX-License-Identifier: Apache-2.0
#include "metric/ranking.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/numbers.h"
#include "data/query_groups.h"
#include "data/rank_order.h"

namespace xgbl {

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
  auto const flat = predictions.Flat();
  if (std::none_of(flat.begin(), flat.end(), [](float value) { return std::isnan(value); })) {
    return Mean(predictions, meta, ctx);
  }
  ctx.Warn(Text("`", name_, "` is NaN: some predictions are."));
  return std::numeric_limits<double>::quiet_NaN();
}

double RankingMetric::Mean(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const {
  QueryGroups const queries(meta, predictions.rows(), name_);
  float const* labels = meta.labels.values.data();
  CheckLabels(meta.labels.values);
  Scorer const scorer = MakeScorer(queries.Largest());
  std::vector<double> sums(queries.Blocks());
  queries.ForBlocks(ctx, [&](std::size_t block, std::size_t begin, std::size_t end) {
    RankOrder order;
    for (std::size_t i = begin; i < end; ++i) {
      double const weight = queries.Weight(i);
      double const score = scorer(queries.Rows(labels, i), order.Of(queries.Rows(predictions.data(), i), ranks_));
      sums[block] += std::isnan(score) ? irrelevant_ * (WeighsIrrelevant() ? weight : 1) : score * weight;
    }
  });
  double sum = 0;
  for (double const part : sums) sum += part;
  if (queries.Count() == 0) return std::numeric_limits<double>::quiet_NaN();
  double const total = queries.TotalWeight();
  return total > 0 ? std::min(1.0, sum / total) : 0;
}

}  // namespace xgbl
