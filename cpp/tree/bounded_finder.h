// SPDX-License-Identifier: Apache-2.0
// Exact splits by branch and bound over bins (bounded_search.h). Sums over bins rule out nearly all values, so a tree
// costs little more than one of histograms. Gives the trees of column_finder.h to the bit.
#pragma once

#include <memory>

#include "tree/split_finder.h"

namespace xgbl {

/// Whether it may be worth its making: dense tables of enough rows, no hessian below zero (bounds need sums that rise),
/// no regularisation that is out of all proportion.
bool SuitsBounds(TreeTask const& task);

/// nullptr if the table turns out to be nearly empty in places (bin_order.h).
std::unique_ptr<SplitFinder> MakeBoundedFinder(TreeTask const& task, ColumnSampler const& columns);

}  // namespace xgbl
