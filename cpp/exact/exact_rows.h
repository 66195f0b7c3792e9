// SPDX-License-Identifier: Apache-2.0
// The derivatives of a tree's rows for code that looks at lists of rows. They come in two forms: as exact search adds
// them up (quantised_rows.h), but without slots, so that a row can be added to a sum as it is; and as histograms do,
// which is faster and off by a known amount.
#pragma once

#include <cstdint>

#include "hist/packed_gradients.h"
#include "parallel/buffer.h"
#include "tree/split_finder.h"

namespace xgbl {

struct ExactRow {
  std::int64_t gradient;
  std::int64_t hessian;

  FixedSum Sum() const { return {gradient, hessian}; }
};
static_assert(sizeof(ExactRow) == 2 * sizeof(std::int64_t), "rows are written as integers that follow one another");

/// How the gradients of histograms relate to the exact ones.
struct CoarseGradients {
  PackedGradients packed;
  double gradient_unit = 1;  // exact units
  double hessian_unit = 1;
  double gradient_error = 0;  // of a row at most, in exact units
  double hessian_error = 0;
  double most_ratio = 1;  // of a row's exact gradient to its hessian, without its sign
};

struct ExactRows {
  Buffer<ExactRow> rows;
  FixedSum sampled;  // the sum of those that the tree is grown on
  CoarseGradients coarse;
};

/// `scale` is ExactScale(); `packed` has the same derivatives.
ExactRows ExactRowsOf(TreeTask const& task, FixedScale const& scale, PackedGradients packed);

}  // namespace xgbl
