// SPDX-License-Identifier: Apache-2.0
// Orders a query's rows by score: best first, ties in the order of the rows, NaN last. Keeps its buffers. O(n log n);
// short queries use a kernel in O(n^2), which is faster there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "simd/ranking_kernels.h"

namespace xgbl {

class RankOrder {
 public:
  explicit RankOrder(Context const& ctx) : kernels_(&RankingKernels::Of(ctx.simd)) {}

  /// The rows at the first `top` ranks, all if there are fewer. Valid until the next call.
  Span<std::uint32_t const> Of(Span<float const> scores, std::size_t top);
  Span<std::uint32_t const> Of(Span<float const> scores) { return Of(scores, scores.size()); }

 private:
  void Count(Span<float const> scores);
  void Sort(Span<float const> scores, std::size_t top);

  RankingKernels const* kernels_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> ranks_, rows_;
};

}  // namespace xgbl
