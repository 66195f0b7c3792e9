// SPDX-License-Identifier: Apache-2.0
// Makes models from models without training: merged, refitted to other data, shortened, or with a leaf set by hand.
#pragma once

#include <cstddef>
#include <vector>

#include "base/context.h"
#include "boost/learner.h"
#include "data/dmatrix.h"
#include "model/model.h"

namespace xgbl {

/// The model whose margins are those of both added up: the rounds of `first`, then those of `second`, or the sums of
/// linear weights. The intercept of `second` becomes part of its first trees, or counts for nothing unless
/// `add_intercept`. ParamError if they differ in objective, outputs or features.
Model Merged(Learner const& first, Learner const& second, bool add_intercept);

/// The model with the same trees and, round after round, leaf values decay * old + (1 - decay) * new, where new is what
/// a leaf would get if the tree had been grown on `data` at the margins of the rounds before.
Model Refitted(Learner const& learner, DMatrix const& data, double decay, Context const& ctx);

/// Takes back the last round, and what the objective learned in it if the round was trained since the model was made
/// or loaded. ParamError if it cannot be known: in linear models, and where trees have weights.
void RollBack(Model* model);

/// Sets the value of one leaf, one number for each of the tree's outputs.
void SetLeaf(Model* model, std::size_t tree, NodeId leaf, std::vector<float> const& values);

}  // namespace xgbl
