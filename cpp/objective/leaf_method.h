// SPDX-License-Identifier: Apache-2.0
// How to choose splits and leaf values where derivatives say little about the size of a residual. Absolute and quantile
// error are such losses: they have only slopes, with a hessian of 1. A smoothed loss, whose derivatives tell nearly
// right rows from others, chooses better splits. The loss itself gives better leaves. By default each is used for what
// it does best.
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
      .OneOf({kAutoLeaves, kExactLeaves, "newton", kSmoothLeaves})
      .Own();
}

inline bool SmoothsLoss(std::string const& method) { return method == kAutoLeaves || method == kSmoothLeaves; }
inline bool FitsLeavesBy(std::string const& method) { return method == kAutoLeaves || method == kExactLeaves; }

}  // namespace xgbl
