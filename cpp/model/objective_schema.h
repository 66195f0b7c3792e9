// SPDX-License-Identifier: Apache-2.0
// The objective as an object of a model file: its name, and its parameters in groups that xgboost has names for. In a
// Model they are flat. Parameters that no group is known for keep theirs: "group/name". Arrays beside the groups are
// what the objective learned beside the trees. What it keeps elsewhere is in attribute_schema.h.
#pragma once

#include "model/field.h"
#include "model/model.h"

namespace xgbl {

Value SaveObjective(Model const& model);
void LoadObjective(Field const& object, Model* model);

}  // namespace xgbl
