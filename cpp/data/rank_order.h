// SPDX-License-Identifier: Apache-2.0
// The order of a query's rows by their scores: best first, equal scores in the order of the rows, NaN last. O(n log n).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"

namespace xgbl {

class RankOrder {
 public:
  /// The rows at the first `top` ranks, all if there are fewer. Valid until the next call.
  Span<std::uint32_t const> Of(Span<float const> scores, std::size_t top);
  Span<std::uint32_t const> Of(Span<float const> scores) { return Of(scores, scores.size()); }

 private:
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace xgbl
