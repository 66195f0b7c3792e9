// SPDX-License-Identifier: Apache-2.0
// Names that LightGBM, CatBoost and scikit-learn use for parameters, as the declarations say, and arguments of Python
// functions that are mistaken for parameters. Used in messages only.
#pragma once

#include <string>
#include <vector>

namespace xgbl {

/// A sentence that says what to use for `name`; empty if other libraries do not know it, either.
std::string AdviceOn(std::string const& name);

/// Arguments that a misspelt name may mean.
std::vector<std::string> const& NamesOfArguments();

}  // namespace xgbl
