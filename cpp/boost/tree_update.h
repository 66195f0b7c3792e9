// SPDX-License-Identifier: Apache-2.0
// process_type=update: round r takes the trees of round r of the model that was there at first, lets the steps of
// `updater` change them, and adds them to the new model. Derivatives are taken at the margins of the rounds that are
// done already.
#pragma once

#include <memory>

#include "boost/booster_kind.h"

namespace xgbl {

std::unique_ptr<BoosterKind> MakeTreeUpdate();

}  // namespace xgbl
