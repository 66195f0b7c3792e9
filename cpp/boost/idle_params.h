// SPDX-License-Identifier: Apache-2.0
// Tree parameters that have no effect beside the others in force.
#pragma once

#include <string>

#include "tree/tree_param.h"

namespace xgbl {

/// Why the tree parameter of that name changes nothing with that tree method; empty if it may.
std::string WhyIdle(std::string const& name, TreeParam const& param, std::string const& method);

}  // namespace xgbl
