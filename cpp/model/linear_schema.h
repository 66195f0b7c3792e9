// SPDX-License-Identifier: Apache-2.0
// Linear models in a file: the member `gradient_booster` of a model whose booster is gblinear.
#pragma once

#include "model/field.h"
#include "model/model.h"

namespace xgbl {

Value SaveLinear(LinearModel const& linear);
LinearModel LoadLinear(Field const& booster, std::size_t num_features, std::size_t num_outputs);

}  // namespace xgbl
