// SPDX-License-Identifier: Apache-2.0
// All parameters in one place, collected from their declarations, for checking names and for `xgb-like params`.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/params.h"

namespace xgbl {

/// Group ("general", "learner", "boosting", "tree", "booster", "objective") and declaration of every parameter.
std::vector<std::pair<std::string, ParamSpec>> const& ParamTable();

/// The same of one parameter, by its own name.
std::pair<std::string, ParamSpec> const& DeclarationOf(std::string const& name);

/// Names that XGBoost knows and that have no effect here, with the reason.
std::map<std::string, std::string> const& InertParams();

/// The declared name behind a name or alias; empty for one that is inert. A ParamError with the nearest name if nobody
/// knows it.
std::string CanonicalName(std::string const& name);

}  // namespace xgbl
