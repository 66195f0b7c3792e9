// SPDX-License-Identifier: Apache-2.0
// Exact splits by scanning sorted columns, one pass over each for all open nodes of a batch. Threads share the columns,
// the longest first. Which thread takes which does not matter, because the order of splits is total. Works on every
// shape of data; bounded_finder.h must agree with it to the bit.
#pragma once

#include <memory>

#include "tree/split_finder.h"

namespace xgbl {

/// For numeric features and one output.
std::unique_ptr<SplitFinder> MakeColumnFinder(TreeTask const& task, ColumnSampler const& columns);

}  // namespace xgbl
