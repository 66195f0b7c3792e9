// SPDX-License-Identifier: Apache-2.0
// Cuts::BinOf for loops over single cells: inline, and free of branches on the value, which would be unpredictable.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/span.h"
#include "cuts/cuts.h"

namespace xgbl {

/// How many of the rising edges are <= value.
inline std::size_t CountNotAbove(float const* edges, std::size_t count, float value) {
  std::size_t below = 0;
  while (count > 0) {
    std::size_t const half = (count + 1) / 2;
    std::size_t const right = edges[below + half - 1] <= value ? 1 : 0;
    below += half & (0 - right);  // a mask: compilers make a branch of a choice
    count -= half;
  }
  return below;
}

inline std::uint32_t FindBin(Cuts const& cuts, std::size_t feature, float value) {
  std::uint32_t const first = cuts.begin[feature], bins = cuts.begin[feature + 1] - first;
  if (cuts.categorical[feature] != 0 || bins == 0) return cuts.BinOf(feature, value);
  return static_cast<std::uint32_t>(CountNotAbove(cuts.upper.data() + first, bins - 1, value));
}

}  // namespace xgbl
