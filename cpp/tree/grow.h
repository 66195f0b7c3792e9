// SPDX-License-Identifier: Apache-2.0
// Grows one tree: the loop that all tree methods and growth policies share.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/gain.h"
#include "tree/split_finder.h"
#include "tree/tree.h"

namespace xgbl {

/// A new tree, which rows of the training data are in which leaf, and the interval that monotone constraints leave to
/// each weight, in the order of Tree::weight.
struct GrownTree {
  Tree tree;
  TreeRows rows;
  std::vector<WeightBounds> bounds;
};

/// A task that the method has prepared. `prune`: splits that gain less than min_split_loss are taken back from below.
GrownTree GrowTree(TreeTask task, TreeMethod const& method, bool prune);

}  // namespace xgbl
