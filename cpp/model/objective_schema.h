// SPDX-License-Identifier: Apache-2.0
// The objective as an object of a model file: its name, and its parameters in groups that xgboost has names for. In a
// Model they are flat. Parameters that no group is known for keep theirs: "group/name". Arrays beside the groups are
// what the objective learned beside the trees. Parameters that objectives of xgboost have here alone are attributes in
// a file, as programs that read its files refuse members that they do not know.
#pragma once

#include "model/field.h"
#include "model/model.h"

namespace xgbl {

Value SaveObjective(Model const& model);
void LoadObjective(Field const& object, Model* model);

/// The model's attributes, such parameters, and what it remembers of its training data.
Value SaveAttributes(Model const& model);
/// After LoadObjective().
void LoadAttributes(Field const& object, Model* model);

}  // namespace xgbl
