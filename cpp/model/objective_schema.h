// SPDX-License-Identifier: Apache-2.0
// The objective as an object of a model file: its name, and its parameters in groups that xgboost names. In a Model
// they are flat; a parameter of an unknown group is called "group/name". Arrays next to the groups are what the
// objective learned in addition to the trees. attribute_schema.h has the parameters that are kept elsewhere.
#pragma once

#include "model/field.h"
#include "model/model.h"

namespace xgbl {

Value SaveObjective(Model const& model);
void LoadObjective(Field const& object, Model* model);

}  // namespace xgbl
