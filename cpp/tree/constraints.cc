// SPDX-License-Identifier: Apache-2.0
#include "tree/constraints.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"

namespace xgbl {

MonotoneConstraints::MonotoneConstraints(TreeParam const& param, std::size_t num_features) {
  auto const& given = param.monotone_constraints;
  Require<ParamError>(given.size() <= num_features, "`monotone_constraints` has ", given.size(),
                      " entries, but the data have ", num_features, " features. Give at most one per feature.");
  for (int const sign : given) {
    Require<ParamError>(sign >= -1 && sign <= 1, "`monotone_constraints` takes 1 (rising), -1 (falling) and 0 (free); ",
                        "got `", sign, "`.");
  }
  bool const any = std::any_of(given.begin(), given.end(), [](int sign) { return sign != 0; });
  if (!any) return;
  signs_ = given;
  signs_.resize(num_features, 0);
}

std::pair<WeightBounds, WeightBounds> MonotoneConstraints::ChildBounds(WeightBounds const& parent, std::size_t feature,
                                                                       double middle) const {
  WeightBounds left = parent, right = parent;
  if (Sign(feature) > 0) left.high = right.low = middle;
  if (Sign(feature) < 0) left.low = right.high = middle;
  return {left, right};
}

InteractionConstraints::InteractionConstraints(TreeParam const& param, std::size_t num_features) {
  for (auto const& given : param.interaction_constraints) {
    std::vector<std::uint32_t> set;
    for (int const feature : given) {
      Require<ParamError>(feature >= 0 && static_cast<std::size_t>(feature) < num_features,
                          "`interaction_constraints` names feature ", feature, ", but the data have features 0 to ",
                          num_features == 0 ? 0 : num_features - 1, ".");
      set.push_back(static_cast<std::uint32_t>(feature));
    }
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    sets_.push_back(std::move(set));
  }
}

std::vector<std::uint32_t> InteractionConstraints::Allowed(std::vector<std::uint32_t> const& used) const {
  if (!Active() || used.empty()) return {};
  std::vector<std::uint32_t> allowed = used;
  for (auto const& set : sets_) {
    if (!std::includes(set.begin(), set.end(), used.begin(), used.end())) continue;
    std::vector<std::uint32_t> joined;
    std::set_union(allowed.begin(), allowed.end(), set.begin(), set.end(), std::back_inserter(joined));
    allowed = std::move(joined);
  }
  return allowed;
}

}  // namespace xgbl
