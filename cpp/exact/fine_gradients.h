// SPDX-License-Identifier: Apache-2.0
// The derivatives of a tree's rows as exact split search adds them up: integers on one fine grid for every search, so
// that all agree to the bit. Bounds have them beside those of histograms, which take less memory and are off by a known
// amount.
#pragma once

#include <cstdint>

#include "hist/packed_gradients.h"
#include "parallel/buffer.h"
#include "tree/split_finder.h"

namespace xgbl {

struct FineRow {
  std::int64_t gradient;
  std::int64_t hessian;

  FixedSum Sum() const { return {gradient, hessian}; }
};
static_assert(sizeof(FineRow) == 2 * sizeof(std::int64_t), "rows are written as integers that follow one another");

/// How the gradients of histograms relate to the exact ones.
struct CoarseGradients {
  PackedGradients packed;
  double gradient_unit = 1;  // exact units
  double hessian_unit = 1;
  double gradient_error = 0;  // of a row at most, in exact units
  double hessian_error = 0;
  double most_ratio = 1;  // of a row's exact gradient to its hessian, without its sign
};

struct FineGradients {
  Buffer<FineRow> rows;
  FixedSum sampled;  // the sum of those that the tree is grown on
  CoarseGradients coarse;
};

/// The grid: gradients with all the bits that the number of rows leaves, hessians with 30.
FixedScale FineScale(TreeTask const& task);

/// `scale` is FineScale(); `packed` has the same derivatives.
FineGradients FineGradientsOf(TreeTask const& task, FixedScale const& scale, PackedGradients packed);

}  // namespace xgbl
