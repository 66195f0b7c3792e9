// SPDX-License-Identifier: Apache-2.0
// Rows grouped by query, for ranking. Data without groups are one query. A view: the Meta must outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "labels/meta.h"
#include "parallel/parallel_for.h"
#include "simd/ranking_kernels.h"

namespace xgbl {

class QueryGroups {
 public:
  /// Throws DataError unless there is one label for each of `rows`, and one weight for each query or none. `user` is
  /// the objective or metric that a message names.
  QueryGroups(Meta const& meta, std::size_t rows, std::string const& user);

  std::size_t Count() const { return begin_.size() - 1; }
  std::size_t Begin(std::size_t query) const { return begin_[query]; }
  std::size_t Size(std::size_t query) const { return begin_[query + 1] - begin_[query]; }
  std::size_t Largest() const { return largest_; }
  float Weight(std::size_t query) const { return weights_.empty() ? 1.0F : weights_[query]; }
  double TotalWeight() const;
  template <class T>
  Span<T> Rows(T* values, std::size_t query) const {
    return {values + Begin(query), Size(query)};
  }

  /// Calls `body(thread, begin, end)` for blocks of queries of about equal work.
  template <class Body>
  void ForBlocks(Context const& ctx, Body&& body) const {
    ParallelTasks(ctx, blocks_.size() - 1, [&](std::size_t block, int thread) {
      body(static_cast<std::size_t>(thread), blocks_[block], blocks_[block + 1]);
    });
  }

 private:
  void MakeBlocks();

  std::vector<std::size_t> begin_;
  std::vector<float> const& weights_;
  std::vector<std::size_t> blocks_{0};  // first query of each, then the number of queries
  std::size_t largest_ = 0;
};

/// Orders a query's rows by score: best first, ties in the order of the rows, NaN last. Keeps its buffers. O(n log n);
/// short queries use a kernel in O(n^2), which is faster there.
class RankOrder {
 public:
  explicit RankOrder(Context const& ctx) : kernels_(&RankingKernels::Of(ctx.simd)) {}

  /// The rows at the first `top` ranks, all if there are fewer. Valid until the next call.
  Span<std::uint32_t const> Of(Span<float const> scores, std::size_t top = static_cast<std::size_t>(-1));

 private:
  void Sort(Span<float const> scores, std::size_t top);

  RankingKernels const* kernels_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> ranks_, rows_;
};

}  // namespace xgbl
