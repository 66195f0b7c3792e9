// SPDX-License-Identifier: Apache-2.0
// Reads models in LightGBM's text format, versions v3 and v4. Predictions are the same for every float32 value:
// LightGBM asks whether a value is at most a double, this engine whether it is below a float32, and the least float32
// above that double separates values in the same way. What the engine cannot express is refused: linear trees, links
// that no objective here has, and splits that treat zero as missing where one threshold cannot do so.
#pragma once

#include <string_view>

#include "model/model.h"

namespace xgbl {

/// Whether bytes begin as such a file does.
bool LooksLikeLightgbm(std::string_view bytes);

/// ModelError if the file is damaged or says what the engine cannot.
Model ReadLightgbm(std::string_view bytes);

}  // namespace xgbl
