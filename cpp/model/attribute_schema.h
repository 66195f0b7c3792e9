// SPDX-License-Identifier: Apache-2.0
// The attributes in a model file. Some are the user's. Others, under names of our own, hold what xgboost's readers
// would refuse as unknown members: parameters that xgboost's objectives have only here, and what the model remembers of
// its training data.
#pragma once

#include <string_view>

#include "model/field.h"
#include "model/model.h"

namespace xgbl {

/// Whether a parameter of this objective is an attribute in a file.
bool IsKeptAsAttribute(std::string_view name, std::string_view objective);

Value SaveAttributes(Model const& model);
/// After LoadObjective().
void LoadAttributes(Field const& object, Model* model);

}  // namespace xgbl
