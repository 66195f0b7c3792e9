// SPDX-License-Identifier: Apache-2.0
// Kernels of training on histograms: gradients, rows that part, and the scan over the bins of a node.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/context.h"

namespace xgbl {

/// Gradients of one output, to be rounded to 16 bits each: up or down at random without bias, or to nearest.
struct PackTask {
  float const* gradient = nullptr;
  float const* hessian = nullptr;  // >= 0; nullptr: each is one unit
  std::size_t stride = 1;          // from row to row in both
  double gradient_factor = 1;      // turns gradients into units, at most 32,766 either way
  double hessian_factor = 1;       // turns hessians into units, at most 65,534
  std::uint64_t key = 0;           // of the random numbers
  bool nearest = false;            // without any
  std::int32_t* packed = nullptr;  // by row: the gradient in the upper 16 bits, the hessian in the lower ones
};

/// Rows with a code in each of two slots, to be added to bins that have a sum for each of eight outputs.
struct LaneTask {
  static constexpr std::size_t kLanes = 8;
  std::uint8_t const* codes[2] = {};
  std::int64_t* bins[2] = {};            // of each slot: by code, its lanes together
  std::int64_t const* values = nullptr;  // by row, its lanes together
  std::size_t count = 0;
};

/// Candidates for one output: what lies left of each, and the node's total.
struct Candidates {
  double const* left_gradient = nullptr;
  double const* left_hessian = nullptr;
  double gradient_shift = 0;  // added to each of the two above: what is missing goes left
  double hessian_shift = 0;
  std::size_t count = 0;
  double gradient = 0;  // of the node
  double hessian = 0;
  double lambda = 0;
  double alpha = 0;
  double least_hessian = 0;  // of a side
};

/// The gain of candidate i, G_l^2 / (H_l + lambda) + G_r^2 / (H_r + lambda), is added to gain[i].
struct GainTask : Candidates {
  double otherwise = 0;  // the gain where a side has less than least_hessian
  double* gain = nullptr;
};

/// Rows that are to go left or right: left if their code is one of [first, first + last], or if it is not.
struct SplitTask {
  std::uint8_t const* codes = nullptr;
  std::uint32_t const* rows = nullptr;
  std::size_t count = 0;
  std::uint8_t first = 0;
  std::uint8_t last = 0;
  bool inside_left = true;
  std::uint32_t* left = nullptr;   // may be `rows`
  std::uint32_t* right = nullptr;  // both have room for all
};

/// Levels of a category, for one output. Each has the weight -gradient / hessian, or 0 if the hessian is not above 0.
struct LevelTask {
  std::int64_t const* sums = nullptr;  // packed as bins are, or of each a gradient and a hessian
  std::size_t count = 0;
  double gradient_unit = 1;
  double hessian_unit = 1;
  double lambda = 0;  // added to the hessian, and then
  double smooth = 0;
  float* weights = nullptr;
};

/// Those whose weight is below 0.
struct LowLevels {
  std::size_t count = 0;
  std::int64_t gradient = 0;
  std::int64_t hessian = 0;
};

struct HistogramKernels {
  static HistogramKernels const& Of(SimdLevel level);

  /// Rows [begin, end) of a task; rows are below 2^32.
  void (*pack_gradients)(PackTask const& task, std::size_t begin, std::size_t end);
  /// Writes the rows of both sides in their order; how many went left. What follows them may be overwritten.
  std::size_t (*split_rows)(SplitTask const& task);
  void (*add_lanes)(LaneTask const& task);
  void (*add_gains)(GainTask const& task);
  /// Running sums of bins that are (gradient << 32) + hessian, up to and with each, in real units; gives the sum of
  /// all.
  std::int64_t (*prefix_packed)(std::int64_t const* bins, std::size_t count, double gradient_unit, double hessian_unit,
                                double* gradient, double* hessian);
  /// The same of bins that are a gradient and a hessian, one after the other, and so is `total`.
  void (*prefix_wide)(std::int64_t const* bins, std::size_t count, double gradient_unit, double hessian_unit,
                      double* gradient, double* hessian, std::int64_t* total);
  /// Sums of the one or of the other form in real units.
  void (*real_packed)(std::int64_t const* sums, std::size_t count, double gradient_unit, double hessian_unit,
                      double* gradient, double* hessian);
  void (*real_wide)(std::int64_t const* sums, std::size_t count, double gradient_unit, double hessian_unit,
                    double* gradient, double* hessian);
  /// The first index of the largest of `count` > 0 values; any index where one is NaN.
  std::size_t (*first_maximum)(double const* values, std::size_t count);
  /// Writes the bins that are not 0, and their numbers, and gives how many there are; there is room for all.
  std::size_t (*take_nonzero)(std::int64_t const* bins, std::size_t count, std::uint32_t* numbers, std::int64_t* taken);
  LowLevels (*weigh_packed)(LevelTask const& task);
  LowLevels (*weigh_wide)(LevelTask const& task);
  /// Writes the numbers of values from `least` to `most`, and gives how many there are; there is room for all.
  std::size_t (*pick_between)(float const* values, std::size_t count, float least, float most, std::uint32_t* numbers);
  /// Writes `count` < 2^32 different keys in order. Takes a time of count^2.
  void (*sort_few)(std::int64_t const* keys, std::size_t count, std::int64_t* sorted);
};

}  // namespace xgbl
