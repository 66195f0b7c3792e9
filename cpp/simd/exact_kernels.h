// SPDX-License-Identifier: Apache-2.0
// Kernels of the exact search: fine gradients, and bounds of what splits within bins may score.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/context.h"
#include "simd/histogram_kernels.h"

namespace xgbl {

/// Derivatives of one output, to be made integers of a fine grid: the nearest ones, a positive hessian at least 1. They
/// are compared with what histograms have of them.
struct FineRowTask {
  float const* gradient = nullptr;
  float const* hessian = nullptr;
  std::size_t stride = 1;      // from row to row in both
  double gradient_factor = 1;  // powers of two, that turn them into units
  double hessian_factor = 1;
  std::int32_t const* coarse = nullptr;  // by row: as PackTask has them, or a gradient and a hessian of 32 bits each
  bool coarse_is_wide = false;
  double coarse_gradient_unit = 1;  // in units of the fine grid
  double coarse_hessian_unit = 1;
  std::int64_t* rows = nullptr;  // a gradient and a hessian each
};

/// Of some rows: sums; how far the coarse ones of a row are off at most; and the largest gradient of a row as compared
/// with its hessian, without its sign. All in units of the fine grid.
struct FineRowSums {
  std::int64_t gradient = 0;
  std::int64_t hessian = 0;
  double gradient_error = 0;
  double hessian_error = 0;
  double most_ratio = 0;

  /// Of errors and ratios the larger.
  FineRowSums& operator+=(FineRowSums const& other) {
    gradient += other.gradient;
    hessian += other.hessian;
    gradient_error = std::max(gradient_error, other.gradient_error);
    hessian_error = std::max(hessian_error, other.hessian_error);
    most_ratio = std::max(most_ratio, other.most_ratio);
    return *this;
  }
};

/// Bins of a histogram by sign, each two words: (gradient << 32) + hessian of the rows whose gradient is not below 0,
/// and of the others. Of each bin, or of groups of neighbours, the sum of all rows, and what rises, in real units.
struct SignTask {
  static constexpr std::size_t kGroupBins = 8;
  std::int64_t const* words = nullptr;
  std::size_t bins = 0;
  bool groups = false;  // the last one may be smaller
  double gradient_unit = 1;
  std::int64_t* sums = nullptr;
  double* rise = nullptr;
};

/// Bins of one feature: left sums are those below each bin, and below and in the last. bound[i] becomes no less than
/// the score, G_l^2 / (H_l + lambda) + G_r^2 / (H_r + lambda), of any split within bin i or at its borders that leaves
/// both sides the least hessian, which is above 0; it may be left as it is if none of these is above the bar.
struct BoundTask : Candidates {
  double const* rise = nullptr;        // sums of the bin's positive gradients
  double const* error_rows = nullptr;  // by bin: of so many rows the errors add up to how far the sums are off
  double rows = 0;                     // of the node: errors of no more than these add up
  double gradient_error = 0;           // of a row
  double hessian_error = 0;
  double most_ratio = 0;  // of a row's gradient to its hessian, without its sign; positive and finite
  double bar = -1;        // below all scores: every bin is bounded
  double* bound = nullptr;
};

/// Candidates whose left sums are known up to errors.
struct BeatTask : Candidates {
  double gradient_error = 0;  // of each left sum at most
  double hessian_error = 0;
  double bar = 0;
};

struct ExactKernels {
  static ExactKernels const& Of(SimdLevel level);

  /// Rows [begin, end) of a task.
  FineRowSums (*make_fine_rows)(FineRowTask const& task, std::size_t begin, std::size_t end);
  void (*sum_signs)(SignTask const& task);
  void (*bin_bounds)(BoundTask const& task);
  /// Whether any candidate may score above the bar.
  bool (*any_beats)(BeatTask const& task);
};

}  // namespace xgbl
