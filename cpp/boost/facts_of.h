// SPDX-License-Identifier: Apache-2.0
// What a model should remember of the data that it was trained on.
#pragma once

#include "base/context.h"
#include "data/dmatrix.h"
#include "model/model.h"

namespace xgbl {

/// One pass, by all threads, over the features that are categories without labels; other values than codes are left
/// out.
TrainingFacts FactsOf(DMatrix const& train, Context const& ctx);

/// Adds what a round was trained on, before the round itself: codes are known only if they are of all rounds.
void Remember(TrainingFacts const& facts, Model* model);

}  // namespace xgbl
