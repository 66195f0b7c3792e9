// SPDX-License-Identifier: Apache-2.0
// The two ways to find exact splits, for numeric features and one output. They agree to the bit.
#pragma once

#include <memory>

#include "tree/split_finder.h"

namespace xgbl {

/// Scans sorted columns, one pass over each for all open nodes of a batch. Threads share the columns, the longest
/// first. Which thread takes which does not matter, because the order of splits is total. Works on every shape of data.
std::unique_ptr<SplitFinder> MakeColumnFinder(TreeTask const& task, ColumnSampler const& columns);

/// Branch and bound over bins (bounded_search.h). Sums over bins rule out nearly all values, so a tree costs little
/// more than one of histograms. The task has a table in the order of its values (bin_order.h).
std::unique_ptr<SplitFinder> MakeBoundedFinder(TreeTask const& task, ColumnSampler const& columns);
/// Whether such a table may be worth its making: dense tables of enough rows, no hessian below zero (bounds need sums
/// that rise), no regularisation that is out of all proportion.
bool SuitsBounds(TreeTask const& task);

}  // namespace xgbl
