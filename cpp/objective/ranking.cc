// SPDX-License-Identifier: Apache-2.0
#include "objective/ranking.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "labels/row_weights.h"
#include "objective/label_checks.h"

namespace xgbl {

int RankingObjective::Outputs(Meta const& meta) const {
  Require<DataError>(meta.labels.columns <= 1, "`", name_, "` needs one label a row; got ", meta.labels.columns,
                     ". Train a model for each target.");
  return 1;
}

void RankingObjective::CheckLabels(Meta const& meta) const {
  Outputs(meta);
  CheckEachLabel(name_, meta.labels, "finite labels", [](float label) { return std::isfinite(label); });
  auto const& labels = meta.labels.values;
  QueryGroups(meta, labels.size(), name_);
  CheckGrades(labels);
}

std::vector<double> RankingObjective::Intercept(Meta const& meta, Context const& /*ctx*/) const {
  QueryGroups const groups(meta, meta.labels.values.size(), name_);
  RequireSomeWeight(groups.Count() > 0, groups.TotalWeight(), name_);
  return {0.0};
}

Query RankingObjective::QueryOf(QueryGroups const& groups, GradientTask const& task, std::size_t number,
                                Gradients* out) {
  Query query;
  query.first_row = groups.Begin(number);
  query.margins = groups.Rows(task.margins.data(), number);
  query.labels = groups.Rows(task.meta.labels.values.data(), number);
  query.gradient = groups.Rows(out->gradient.values.data(), number);
  query.hessian = groups.Rows(out->hessian.values.data(), number);
  std::fill(query.gradient.begin(), query.gradient.end(), 0.0F);
  std::fill(query.hessian.begin(), query.hessian.end(), 0.0F);
  return query;
}

void RankingObjective::Weigh(Query const& query, float factor) {
  if (factor == 1.0F) return;
  for (float& value : query.gradient) value *= factor;
  for (float& value : query.hessian) value *= factor;
}

}  // namespace xgbl
