// SPDX-License-Identifier: Apache-2.0
// Exact splits by branch and bound over bins (bounded_search.h): nearly all values are ruled out by sums over bins, so
// that a tree costs little more than one of histograms. Gives the trees of column_finder.h to the bit.
#pragma once

#include <memory>

#include "tree/split_finder.h"

namespace xgbl {

/// Whether bins are worth their making: dense tables of enough rows, no hessian below zero (bounds need sums that
/// rise), and no column that is nearly empty, as walking its few cells is cheap.
bool SuitsBounds(TreeTask const& task);

/// nullptr if the bins turn out to be laid out in a way that it cannot read: sparse rows, or bundles.
std::unique_ptr<SplitFinder> MakeBoundedFinder(TreeTask const& task, ColumnSampler const& columns);

}  // namespace xgbl
