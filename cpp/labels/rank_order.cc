// SPDX-License-Identifier: Apache-2.0
#include "labels/rank_order.h"

#include <algorithm>

#include "base/falling_key.h"

namespace xgbl {
Span<std::uint32_t const> RankOrder::Of(Span<float const> scores, std::size_t top) {
  top = std::min(top, scores.size());
  rows_.resize(scores.size());
  if (scores.size() <= kMostRanked) {
    Count(scores);
  } else {
    Sort(scores, top);
  }
  return {rows_.data(), top};
}

void RankOrder::Count(Span<float const> scores) {
  ranks_.resize(scores.size());
  kernels_->ranks_of(scores.data(), scores.size(), ranks_.data());
  for (std::size_t row = 0; row < scores.size(); ++row) rows_[ranks_[row]] = static_cast<std::uint32_t>(row);
}

void RankOrder::Sort(Span<float const> scores, std::size_t top) {
  keys_.resize(scores.size());
  // The key above the row: one sort of plain integers.
  for (std::size_t i = 0; i < scores.size(); ++i) keys_[i] = (std::uint64_t{FallingKey(scores[i])} << 32U) | i;
  auto const middle = keys_.begin() + static_cast<std::ptrdiff_t>(top);
  if (middle != keys_.end()) std::nth_element(keys_.begin(), middle, keys_.end());
  std::sort(keys_.begin(), middle);
  std::transform(keys_.begin(), middle, rows_.begin(),
                 [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
}

}  // namespace xgbl
