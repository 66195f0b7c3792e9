// SPDX-License-Identifier: Apache-2.0
// Cuts for who needs bins of about equal numbers of rows, but not certain ones: quantiles of a sample. A value of many
// rows has a bin of its own, as good as surely.
#pragma once

#include "base/context.h"
#include "data/cuts.h"
#include "data/feature_matrix.h"

namespace xgbl {

/// At most `max_bin` bins of each column of a table whose columns have no gaps and whose missing cells are NaN. The
/// last bin of a column takes all that is above, the first one all that is below.
Cuts RoughCuts(DenseTable const& columns, int max_bin, Context const& ctx);

}  // namespace xgbl
