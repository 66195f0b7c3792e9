// SPDX-License-Identifier: Apache-2.0
// From a GrowingTree to the final Tree: nodes numbered in the order of their commitment, leaf values from the float
// gradients (the integers that choose splits are coarser), statistics of inner nodes as sums over their leaves.
#pragma once

#include "tree/grow.h"

namespace xgbl {

GrownTree FinishTree(TreeTask const& task, GrowingTree const& growing, SplitFinder* finder);

}  // namespace xgbl
