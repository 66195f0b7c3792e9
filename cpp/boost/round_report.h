// SPDX-License-Identifier: Apache-2.0
// What training reports at `verbosity` 2 or 3.
#pragma once

#include <cstddef>

#include "boost/round.h"
#include "model/model.h"

namespace xgbl {

/// Level 2, when a booster begins to train on a matrix: by which method, on how much, with how many threads. Makes what
/// all trees on the matrix share, if it is not there, and says how long that took.
void ReportStart(RoundInput const& task, bool grows_trees);

/// Level 3, after a round: the size of each of its trees.
void ReportTrees(Model const& model, std::size_t round, Context const& ctx);

}  // namespace xgbl
