// SPDX-License-Identifier: Apache-2.0
// How objectives whose derivatives say little of the size of a residual (absolute and quantile error: slopes, with a
// hessian of 1) choose splits, and get their leaf values. Splits are better by a smoothed loss, whose derivatives tell
// rows that are nearly right from others, and leaves by the loss itself: each does what it does best by default.
#pragma once

#include <string>

#include "base/params.h"

namespace xgbl {

constexpr char kAutoLeaves[] = "auto";
constexpr char kExactLeaves[] = "exact";
constexpr char kSmoothLeaves[] = "smooth";

/// Declares the member of `P` that has the method.
template <class P, class F>
void DescribeLeafMethod(F& field, std::string P::* member) {
  field("leaf_estimation_method", member,
        "Of absolute and quantile error. auto: splits are chosen by a smoothed loss, and leaves get the median or "
        "quantile of what is left of their rows' labels (min_child_weight and covers count hessians of the smoothed "
        "loss); smooth: they get a Newton step of the smoothed loss, as in "
        "XGBoost since 3.4; exact: splits are chosen by the slopes of the loss, and leaves are as with auto, as in "
        "XGBoost up to 3.3; newton: the slopes, and a Newton step, as XGBoost up to 3.3 did with tree_method "
        "exact.")
      .OneOf({kAutoLeaves, kExactLeaves, "newton", kSmoothLeaves});
}

inline bool SmoothsLoss(std::string const& method) { return method == kAutoLeaves || method == kSmoothLeaves; }
inline bool FitsLeavesBy(std::string const& method) { return method == kAutoLeaves || method == kExactLeaves; }

}  // namespace xgbl
