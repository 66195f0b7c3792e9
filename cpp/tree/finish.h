// SPDX-License-Identifier: Apache-2.0
// Turns a GrowingTree into the final Tree. Nodes are numbered in the order of their commitment. Leaf values come from
// the float gradients, because the integers that choose splits are coarser. Statistics of inner nodes are sums over
// their leaves.
#pragma once

#include "tree/grow.h"

namespace xgbl {

GrownTree FinishTree(TreeTask const& task, GrowingTree const& growing, SplitFinder* finder);

}  // namespace xgbl
