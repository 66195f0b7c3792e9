// SPDX-License-Identifier: Apache-2.0
#include "data/rank_order.h"

#include <algorithm>

#include "base/math.h"

namespace xgbl {
namespace {

// Unsigned integers in the reverse order of the floats; both zeros are one, and NaN is last.
std::uint32_t FallingKey(float value) {
  std::uint32_t const bits = ToBits(value + 0.0F);
  std::uint32_t const key = (bits & 0x80000000U) != 0 ? bits : ~bits & 0x7fffffffU;
  return value == value ? key : 0xffffffffU;
}

}  // namespace

Span<std::uint32_t const> RankOrder::Of(Span<float const> scores, std::size_t top) {
  top = std::min(top, scores.size());
  keys_.resize(scores.size());
  rows_.resize(top);
  // The key above the row: one sort of plain integers.
  for (std::size_t i = 0; i < scores.size(); ++i) keys_[i] = (std::uint64_t{FallingKey(scores[i])} << 32U) | i;
  auto const middle = keys_.begin() + static_cast<std::ptrdiff_t>(top);
  if (middle != keys_.end()) std::nth_element(keys_.begin(), middle, keys_.end());
  std::sort(keys_.begin(), middle);
  std::transform(keys_.begin(), middle, rows_.begin(),
                 [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
  return {rows_.data(), rows_.size()};
}

}  // namespace xgbl
