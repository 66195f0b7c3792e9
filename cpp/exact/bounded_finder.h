// SPDX-License-Identifier: Apache-2.0
// Exact splits by branch and bound over bins (bounded_search.h). Sums over bins rule out nearly all values, so a tree
// costs little more than one of histograms. Gives the trees of column_finder.h to the bit.
#pragma once

#include <memory>

#include "tree/split_finder.h"

namespace xgbl {

/// Whether it may be worth its making, if a table in the order of its values (bin_order.h) is: dense tables of enough
/// rows, no hessian below zero (bounds need sums that rise), no regularisation that is out of all proportion.
bool SuitsBounds(TreeTask const& task);

/// The task has that order.
std::unique_ptr<SplitFinder> MakeBoundedFinder(TreeTask const& task, ColumnSampler const& columns);

}  // namespace xgbl
