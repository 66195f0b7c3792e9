// SPDX-License-Identifier: Apache-2.0
// Monotone and interaction constraints: what a node inherits from the splits above it.
// Monotone: after a split on a constrained feature, the midpoint of the children's weights bounds both subtrees from
// the inside, so no leaf on one side can overtake one on the other. In a vector leaf each output is bounded separately.
// If a split suits only some outputs, the others get the same weight in both children.
// Interaction: below a path that used the features U, the allowed features are U itself and every declared set that
// contains all of U.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tree/gain.h"
#include "tree/split.h"
#include "tree/tree_param.h"

namespace xgbl {

class MonotoneConstraints {
 public:
  MonotoneConstraints(TreeParam const& param, std::size_t num_features);

  int Sign(std::size_t feature) const { return signs_.empty() ? 0 : signs_[feature]; }
  /// Whether children of these weights may be made by a split on the feature.
  bool Allows(std::size_t feature, double left_weight, double right_weight) const {
    int const sign = Sign(feature);
    return sign == 0 || (sign > 0 ? left_weight <= right_weight : left_weight >= right_weight);
  }
  /// The bounds of the left and of the right child, which meet at `middle`.
  std::pair<WeightBounds, WeightBounds> ChildBounds(WeightBounds const& parent, std::size_t feature,
                                                    double middle) const;

 private:
  std::vector<int> signs_;
};

class InteractionConstraints {
 public:
  InteractionConstraints(TreeParam const& param, std::size_t num_features);

  bool Active() const { return !sets_.empty(); }
  /// The features that may be split on below a path that used `used` (rising); empty means all.
  std::vector<std::uint32_t> Allowed(std::vector<std::uint32_t> const& used) const;

 private:
  std::vector<std::vector<std::uint32_t>> sets_;  // each rising
};

}  // namespace xgbl
