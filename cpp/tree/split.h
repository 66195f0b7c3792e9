// SPDX-License-Identifier: Apache-2.0
// A split of a node, and the order of splits. The larger gain wins. Among equal gains the lower feature wins, then
// "missing goes right", then the lower threshold. The order is total, so a node's best split does not depend on the
// order in which candidates are seen.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "tree/fixed_point.h"

namespace xgbl {

struct Split {
  /// Gains up to this are noise: nothing is split for them.
  static constexpr double kLeastGain = 1e-6;

  double gain = 0;
  std::uint32_t feature = 0;
  bool missing_left = false;
  float threshold = 0;
  // Of a method that bins: the threshold is the upper edge of this bin, or lies below all bins.
  static constexpr std::uint32_t kNoBin = 0xFFFFFFFFU;
  std::uint32_t last_left_bin = 0;
  std::vector<std::int32_t> right_categories;  // rising; of a categorical feature: those that go right
  FixedSums left;                              // one per output
  FixedSums right;

  bool Valid() const { return gain > kLeastGain; }
  bool BetterThan(Split const& other) const {
    if (gain != other.gain) return gain > other.gain;
    return std::tie(feature, missing_left, threshold) < std::tie(other.feature, other.missing_left, other.threshold);
  }
};

}  // namespace xgbl
