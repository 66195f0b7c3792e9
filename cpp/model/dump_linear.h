// SPDX-License-Identifier: Apache-2.0
// A linear model as text: biases first, then the weights feature by feature, all outputs of a feature side by side.
#pragma once

#include <cstddef>
#include <string>

#include "model/dump.h"
#include "model/model.h"

namespace xgbl {

/// ParamError for dot.
std::string DumpLinear(LinearModel const& linear, std::size_t outputs, DumpFormat format);

}  // namespace xgbl
