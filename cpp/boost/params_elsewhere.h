// SPDX-License-Identifier: Apache-2.0
// What LightGBM, CatBoost and scikit-learn call parameters, and arguments of Python functions that are taken for
// parameters: for messages. They are not accepted, as their ranges and meanings may differ.
#pragma once

#include <string>
#include <vector>

namespace xgbl {

/// A sentence that says what to use for `name`; empty if it is not known elsewhere, either.
std::string AdviceOn(std::string const& name);

/// Arguments that are near enough to be meant when a name is misspelt.
std::vector<std::string> const& NamesOfArguments();

}  // namespace xgbl
