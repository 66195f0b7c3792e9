// SPDX-License-Identifier: Apache-2.0
// Metrics of ranked queries: the weighted mean over queries of a score for the order that predictions give a query's
// rows. Data without groups are one query. The metric's name ends with the number of ranks that count, 32 by default,
// and with the score of queries without a relevant row: 1 in `ndcg@10`, 0 in `ndcg@10-` and `ndcg-`. Without rows the
// mean is NaN. O(rows log rows), in parallel over queries.
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
  static constexpr std::size_t kRanks = 32;
  static constexpr std::size_t kAllRanks = std::numeric_limits<std::size_t>::max();

  explicit RankingMetric(std::string name, std::size_t ranks = kRanks) : name_(std::move(name)), ranks_(ranks) {}

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
  void SetRanks(std::size_t ranks) { ranks_ = ranks; }

 private:
  std::string name_;
  std::size_t ranks_;
  double irrelevant_ = 1;
};

}  // namespace xgbl
