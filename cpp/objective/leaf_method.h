// SPDX-License-Identifier: Apache-2.0
// How objectives whose derivatives say little of the size of a residual (absolute and quantile error: signs, with a
// hessian of 1) get their leaf values.
#pragma once

#include <string>

#include "base/params.h"

namespace xgbl {

constexpr char kExactLeaves[] = "exact";
constexpr char kSmoothLeaves[] = "smooth";

/// Declares the member of `P` that has the method.
template <class P, class F>
void DescribeLeafMethod(F& field, std::string P::* member) {
  field(
      "leaf_estimation_method", member,
      "Of absolute and quantile error. exact: leaves get the median or quantile of what is left of their rows' labels; "
      "newton: a Newton step; smooth: a Newton step of a smoothed loss, as XGBoost does since 3.4; auto: exact, but "
      "newton with tree_method exact, as XGBoost did up to 3.3.")
      .OneOf({"auto", kExactLeaves, "newton", kSmoothLeaves});
}

inline bool LeafMethodFits(std::string const& method, std::string const& tree_method) {
  return method == kExactLeaves || (method == "auto" && tree_method != "exact");
}

}  // namespace xgbl
