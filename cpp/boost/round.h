// SPDX-License-Identifier: Apache-2.0
// The trees of one round, all grown on the same gradients: one per output and parallel tree, or one per parallel tree
// with a leaf value for every output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "boost/learner_param.h"
#include "data/dmatrix.h"
#include "objective/objective.h"
#include "tree/tree.h"
#include "tree/tree_param.h"

namespace xgbl {

struct RoundTask {
  Context const& ctx;
  DMatrix const& data;
  TreeParam tree;
  BoostParam const& boost;
  GradientView gradients;
  Matrix<float> const& margins;           // before the round
  std::size_t round;                      // counted from the model's first
  bool vector_leaves;                     // one tree for all outputs
  Objective const* objective = nullptr;   // nullptr if the derivatives come from outside
  ObjectiveState const* state = nullptr;  // as the derivatives of this round left it
  GradientView split_gradients{};         // of vector leaves: if not empty, what splits are chosen by
};

struct Round {
  std::vector<std::shared_ptr<Tree const>> trees;
  std::vector<std::int32_t> outputs;  // the output that each tree adds to, the first one of vector leaves
  Matrix<float> margins;              // of the training rows, the new trees added
};

Round GrowRoundOfTrees(RoundTask const& task);

/// Throws ParamError unless `updater` is a sequence that grows trees.
void CheckUpdaters(BoostParam const& param);

}  // namespace xgbl
