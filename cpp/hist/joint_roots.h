// SPDX-License-Identifier: Apache-2.0
// Trees of a round with one output each, such as those of classes, all begin with all rows. The histograms of their
// roots are built in one pass, in which one vector addition serves a row's code in up to eight trees. The integers are
// those that each tree would get alone.
#pragma once

#include <vector>

#include "base/context.h"
#include "bins/binned_matrix.h"
#include "hist/histogram.h"
#include "hist/packed_gradients.h"

namespace xgbl {

/// What a tree begins with.
struct TreeRoot {
  std::vector<PackedGradients> gradients;  // by output
  Histogram histogram;                     // of all rows; empty: not built
};

/// Builds the histograms of trees of one output that are all grown on all rows. They stay empty where one by one is as
/// well: for wide gradients or codes, sparse rows, few rows or few trees.
void BuildRoots(BinnedMatrix const& bins, Context const& ctx, std::vector<TreeRoot>* roots);

}  // namespace xgbl
