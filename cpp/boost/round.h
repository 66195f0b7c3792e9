// SPDX-License-Identifier: Apache-2.0
// The input and output of one round. All trees of a round are grown on the same gradients: one tree per output and
// parallel tree, or one per parallel tree with a leaf value for every output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "boost/learner_param.h"
#include "data/dmatrix.h"
#include "model/model.h"
#include "objective/objective.h"
#include "tree/grow.h"
#include "tree/tree.h"
#include "tree/tree_param.h"

namespace xgbl {

/// What a round is made from.
struct RoundInput {
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
  Model const* model = nullptr;           // before the round
  Model const* source = nullptr;          // where trees that are only updated come from
};

/// What stays of a round for the next ones on the same data.
struct RoundMemory {
  std::shared_ptr<void const> kept;  // what the kind of booster made of the features
  Matrix<float> spare;               // memory of margins, for those after a round
  Gradients gradients;               // of the last round, for the memory as well
};

/// What a round makes.
struct Round {
  std::vector<std::shared_ptr<Tree const>> trees;
  std::vector<std::int32_t> outputs;  // the output that each tree adds to, the first one of vector leaves
  Matrix<float> margins;              // of the training rows, the new trees added; empty: to be predicted
  std::vector<float> tree_weights;    // of all trees, the new ones last; empty: old ones keep theirs
  std::shared_ptr<LinearModel const> linear;
  bool starts_over = false;      // all trees of the model go
  bool changes_earlier = false;  // margins that were known before the round do not hold any more
};

/// `adjust` changes the leaves of a tree before they are added to the margins.
Round GrowRoundOfTrees(RoundInput const& input, RoundMemory* memory,
                       std::function<void(GrownTree*)> const& adjust = {});

/// The derivatives of the outputs first, first + 1, … as they stand in the matrices.
std::vector<OutputGradients> ColumnsOf(GradientView const& gradients, std::size_t first, int count);

/// Adds a round to a model.
void AddRound(Round round, Model* model);

/// What a model should remember of the data that it was trained on. One pass, by all threads, over the features that
/// are categories without labels; other values than codes are left out.
TrainingFacts FactsOf(DMatrix const& train, Context const& ctx);

/// Adds what a round was trained on, before the round itself: codes are known only if they are of all rounds.
void Remember(TrainingFacts const& facts, Model* model);

/// What training reports at `verbosity` 2, when a booster begins to train on a matrix: by which method, on how much,
/// with how many threads. Makes what all trees on the matrix share, if it is not there, and says how long that took.
void ReportStart(RoundInput const& task, bool grows_trees);

/// At `verbosity` 3, after a round: the size of each of its trees.
void ReportTrees(Model const& model, std::size_t round, Context const& ctx);

}  // namespace xgbl
