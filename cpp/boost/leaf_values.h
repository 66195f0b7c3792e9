// SPDX-License-Identifier: Apache-2.0
// Computes leaf values again once a tree is grown, from the rows that it was grown on. Inner nodes stay as they are.
// There are two ways. Either the objective fits each leaf itself (medians, quantiles; Friedman 2001, LAD and M
// TreeBoost). Or further Newton steps are taken: the loss at margins with the unshrunk leaves added is approximated by
// G d + H d^2 / 2, and a leaf's weight w becomes that of a leaf with gradient G - H w and hessian H, so that each
// regularisation counts once.
// Newton's method alone diverges. Where few rows are positive, the first step of a logistic loss ends where the loss is
// nearly straight, and the next one overshoots. So the sign of the slope decides: every objective knows it, although
// not all know their loss, and it tells on which side of a weight the minimum lies. A step that went too far is
// followed by half the way back. This closes in on the minimum of any convex loss. Either way max_delta_step and
// monotone constraints hold. One step costs a gradient and a pass over the rows.
#pragma once

#include <cstddef>
#include <functional>

#include "base/context.h"
#include "labels/meta.h"
#include "objective/objective.h"
#include "tree/grow.h"
#include "tree/sampling.h"
#include "tree/tree_param.h"

namespace xgbl {

/// What leaf values of a round depend on.
struct LeafValueTask {
  Context const& ctx;
  Meta const& meta;
  TreeParam const& param;
  Objective const* objective;  // nullptr: derivatives come from outside
  Matrix<float> const& margins;
  std::size_t round;
  ObjectiveState const* state;
};

/// Sets the leaves of a tree for the outputs from `first`.
using LeafValues = std::function<void(RowSample const& sample, std::size_t first, GrownTree* grown)>;

/// None if leaves stay as grown. Throws ParamError if more Newton steps are asked for than can be taken.
LeafValues MakeLeafValues(LeafValueTask const& task);

/// Leaf values of a tree that was there before, where the objective fits them itself; else they stay. `rows` stand by
/// its leaves, `first` is its first output.
void FitLeavesAnew(LeafValueTask const& task, LeafRows rows, std::size_t first, Tree* tree);

}  // namespace xgbl
