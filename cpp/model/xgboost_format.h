// SPDX-License-Identifier: Apache-2.0
// Models as files in XGBoost's own schema, JSON or UBJSON. xgboost reads what we write; we read what its versions 1.0
// to 3.x write. Equal models give equal bytes: keys in alphabetical order, shortest float32 text. Reading trusts
// nothing: every length, index and link is checked, and a ModelError says what is wrong.
#pragma once

#include <string>
#include <string_view>

#include "model/model.h"

namespace xgbl {

enum class FileFormat { kJson, kUbjson };

std::string WriteModel(Model const& model, FileFormat format);
/// JSON, UBJSON or LightGBM's text (model/lightgbm.h), told apart by the first bytes.
Model ReadModel(std::string_view bytes);

}  // namespace xgbl
