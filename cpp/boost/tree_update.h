// SPDX-License-Identifier: Apache-2.0
// process_type=update: round r takes the trees of round r of the initial model, changes them by the steps of `updater`,
// and adds them to the new model. Derivatives are taken at the margins of the rounds that are already done.
#pragma once

#include <memory>

#include "boost/booster_kind.h"

namespace xgbl {

std::unique_ptr<BoosterKind> MakeTreeUpdate();

}  // namespace xgbl
