// SPDX-License-Identifier: Apache-2.0
// The thresholds of exact splits: between two neighbouring values of a node, or outside all of them, where only
// presence matters.
#pragma once

#include <cmath>

namespace xgbl {

/// Between two neighbours, so that the lower one goes left and the upper one right: their midpoint, unless rounding or
/// overflow moved it onto the lower value or out of range.
inline float Between(float lower, float upper) {
  float const middle = (lower + upper) * 0.5F;
  return middle > lower && middle <= upper ? middle : upper;
}

constexpr float kEdgeGap = 1e-6F;
inline float Before(float first) { return first - (std::fabs(first) + kEdgeGap); }
inline float After(float last) { return last + (std::fabs(last) + kEdgeGap); }

}  // namespace xgbl
