// SPDX-License-Identifier: Apache-2.0
// Finds parameters that have no effect, because they belong to an objective, booster, tree method or option that was
// not chosen.
#pragma once

#include <string>

#include "base/params.h"
#include "boost/booster_kind.h"
#include "boost/learner_param.h"
#include "tree/tree_param.h"

namespace xgbl {

/// What is in force.
struct ParamsInForce {
  std::string const& objective;
  ParamMap of_objective;
  BoosterKind const& kind;
  BoostParam const& boost;
  TreeParam const& trees;
};

/// Why a parameter has no effect, as the end of a sentence that begins with its name; empty if it may have one, or if
/// `value` is the default.
std::string WhyUnused(std::string const& name, std::string const& value, ParamsInForce const& in_force);

}  // namespace xgbl
