// SPDX-License-Identifier: Apache-2.0
// A tree as an object of a model file. Reads what every version of xgboost since 1.0 wrote; the resulting tree has
// passed CheckTree. Writes what the newest version writes.
#pragma once

#include <cstddef>

#include "model/field.h"
#include "tree/tree.h"

namespace xgbl {

Value SaveTree(Tree const& tree, std::size_t index, std::size_t num_features);
Tree LoadTree(Field const& object, std::size_t num_features);

}  // namespace xgbl
