// SPDX-License-Identifier: Apache-2.0
// Shared by all ranking objectives: one margin and one label per row, rows in queries, weights by query. Only
// differences of margins within a query count, so models start from 0. A ranking fills in the gradients of one query at
// a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "labels/query_groups.h"
#include "labels/row_weights.h"
#include "objective/cells.h"
#include "objective/objective.h"

namespace xgbl {

/// The rows of a query in a round, and where their derivatives go: all 0 at first, to be added to.
struct Query {
  std::size_t first_row = 0;
  Span<float const> margins;
  Span<float const> labels;
  Span<float> gradient;
  Span<float> hessian;

  std::size_t Rows() const { return margins.size(); }
};

class RankingObjective : public Objective {
 public:
  explicit RankingObjective(std::string name) : name_(std::move(name)) {}

  int Outputs(Meta const& meta) const override {
    Require<DataError>(meta.labels.columns <= 1, "`", name_, "` needs one label a row; got ", meta.labels.columns,
                       ". Train a model for each target.");
    return 1;
  }
  void CheckLabels(Meta const& meta) const override {
    Outputs(meta);
    CheckEachLabel(name_, meta.labels, "finite labels", [](float label) { return std::isfinite(label); });
    auto const& labels = meta.labels.values;
    QueryGroups(meta, labels.size(), name_);
    CheckGrades(labels);
  }
  std::vector<double> Intercept(Meta const& meta, Context const& /*ctx*/) const override {
    QueryGroups const groups(meta, meta.labels.values.size(), name_);
    RequireSomeWeight(groups.Count() > 0, groups.TotalWeight(), name_);
    return {0.0};
  }
  void Transform(MatrixView<float> /*margins*/, Context const& /*ctx*/) const override {}
  std::string Link() const override { return "identity"; }

 protected:
  std::string const& Name() const { return name_; }
  /// Throws DataError if the labels are not what the objective is defined on; all are finite.
  virtual void CheckGrades(Span<float const> labels) const = 0;

  /// Calls `body(query, work)` for each query, in parallel, and weighs what it gives. The queries of a thread share a
  /// copy of `work`; all copies are handed back.
  template <class Work, class Body>
  std::vector<Work> ForQueries(GradientTask const& task, QueryGroups const& groups, Work const& work, Gradients* out,
                               Body&& body) const {
    out->Resize(task.margins.rows(), 1);
    double const total = groups.TotalWeight();
    double const mean_weight = total > 0 ? total / static_cast<double>(groups.Count()) : 1;
    std::vector<Work> works(static_cast<std::size_t>(task.ctx.threads), work);
    groups.ForBlocks(task.ctx, [&](std::size_t thread, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Query const query = QueryOf(groups, task, i, out);
        body(query, &works[thread]);
        Weigh(query, static_cast<float>(double{groups.Weight(i)} / mean_weight));
      }
    });
    return works;
  }

 private:
  static Query QueryOf(QueryGroups const& groups, GradientTask const& task, std::size_t number, Gradients* out) {
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

  static void Weigh(Query const& query, float factor) {
    if (factor == 1.0F) return;
    for (float& value : query.gradient) value *= factor;
    for (float& value : query.hessian) value *= factor;
  }

  std::string name_;
};

}  // namespace xgbl
