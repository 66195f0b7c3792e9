// SPDX-License-Identifier: Apache-2.0
// Metrics of ranked queries: the mean over queries, weighted, of a score of the order that predictions put a query's
// rows in; data without groups are one query. Behind the name stand the ranks that count and how queries without a
// relevant row do: `ndcg@10` has them score 1, `ndcg@10-` and `ndcg-` 0. Without rows the mean is NaN.
// O(rows log rows), in parallel over queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "metric/metric.h"

namespace xgbl {

class RankingMetric : public Metric {
 public:
  explicit RankingMetric(std::string name) : name_(std::move(name)) {}

  void SetArgument(std::string const& argument) override;
  double Evaluate(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const override;
  bool HigherIsBetter() const override { return true; }

 protected:
  static constexpr double kNothingRelevant = std::numeric_limits<double>::quiet_NaN();

  /// The score of a query from its labels and the rows at its first ranks, of which there are at most Ranks(); or
  /// kNothingRelevant.
  using Scorer = std::function<double(Span<float const> labels, Span<std::uint32_t const> best)>;
  /// A scorer of queries of up to `largest` rows.
  virtual Scorer MakeScorer(std::size_t largest) const = 0;
  /// Throws DataError if the labels are not what the metric is defined on.
  virtual void CheckLabels(Span<float const> labels) const = 0;
  /// Whether queries without a relevant row count by their weight, or as if it were 1.
  virtual bool WeighsIrrelevant() const { return true; }

  std::string const& Name() const { return name_; }
  std::size_t Ranks() const { return ranks_; }

 private:
  double Mean(MatrixView<float const> predictions, Meta const& meta, Context const& ctx) const;

  std::string name_;
  std::size_t ranks_ = std::numeric_limits<std::size_t>::max();
  double irrelevant_ = 1;
};

}  // namespace xgbl
