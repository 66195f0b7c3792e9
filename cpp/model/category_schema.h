// SPDX-License-Identifier: Apache-2.0
// The categories of the training data as the object `cats` of a model file.
#pragma once

#include <vector>

#include "labels/meta.h"
#include "model/field.h"

namespace xgbl {

Value SaveCategories(std::vector<Categories> const& features);
std::vector<Categories> LoadCategories(Field const& object);

}  // namespace xgbl
