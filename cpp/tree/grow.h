// SPDX-License-Identifier: Apache-2.0
// Growing one tree: the loop that all tree methods and growth policies share.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/split_finder.h"
#include "tree/tree.h"

namespace xgbl {

/// A new tree, and the leaf that each row of the training data is in.
struct GrownTree {
  Tree tree;
  std::vector<NodeId> leaf_of_row;
};

/// `prune`: splits that gain less than min_split_loss are taken back from below, where growth does not stop early.
GrownTree GrowTree(TreeTask const& task, TreeMethod const& method, bool prune);

}  // namespace xgbl
