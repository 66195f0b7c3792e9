// SPDX-License-Identifier: Apache-2.0
// The derivatives of a tree's rows as exact split search adds them up: integers on one grid for every search, so that
// all agree to the bit.
#pragma once

#include "exact/cell_gather.h"
#include "parallel/buffer.h"
#include "tree/split_finder.h"

namespace xgbl {

/// The grid: gradients with all the bits that the number of rows leaves, hessians with 30.
FixedScale ExactScale(TreeTask const& task);

/// By row; the slot is 0 where the tree is grown on the row, else kNotSampled.
Buffer<ScanRow> QuantisedRows(TreeTask const& task, FixedScale const& scale);

FixedSum SumOfSampled(Span<ScanRow const> rows, Context const& ctx);

}  // namespace xgbl
