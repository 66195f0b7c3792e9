// SPDX-License-Identifier: Apache-2.0
// The attributes in a model file: those of the user, and under names of our own what programs that read xgboost's files
// would refuse as members they do not know: parameters that objectives of xgboost have here alone, and what the model
// remembers of its training data.
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
