// SPDX-License-Identifier: Apache-2.0
// The few loops that are worth an instruction set of their own. One source (kernels.inl) is compiled once per level,
// each into its own namespace. The table in use is chosen at run time; XGB_LIKE_SIMD=scalar|avx2|avx512|avx512vbmi
// forces one. All levels give the same bits: no fused multiply-add, no reordered sums, no C library functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/context.h"
#include "simd/heap_tasks.h"
#include "simd/serving_tasks.h"

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

/// Derivatives of one output, to be made integers of a fine grid: the nearest ones, a positive hessian at least 1. They
/// are compared with what histograms have of them.
struct ExactRowTask {
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
struct ExactRowSums {
  std::int64_t gradient = 0;
  std::int64_t hessian = 0;
  double gradient_error = 0;
  double hessian_error = 0;
  double most_ratio = 0;
};

/// Rows with a code in each of two slots, to be added to bins that have a sum for each of eight outputs.
struct LaneTask {
  static constexpr std::size_t kLanes = 8;
  std::uint8_t const* codes[2] = {};
  std::int64_t* bins[2] = {};            // of each slot: by code, its lanes together
  std::int64_t const* values = nullptr;  // by row, its lanes together
  std::size_t count = 0;
};

/// Candidates of one feature, for one output: what lies left of each, and the node's total. The gain of candidate i,
/// G_l^2 / (H_l + lambda) + G_r^2 / (H_r + lambda), is added to gain[i].
struct GainTask {
  double const* left_gradient = nullptr;
  double const* left_hessian = nullptr;
  double gradient_shift = 0;  // added to each of the two above: what is missing goes left
  double hessian_shift = 0;
  std::size_t count = 0;
  double gradient = 0;  // of the node
  double hessian = 0;
  double lambda = 0;
  double alpha = 0;
  double least_hessian = 0;
  double otherwise = 0;  // the gain where a side has less than least_hessian
  double* gain = nullptr;
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

/// Bins of one feature. bound[i] becomes no less than the score, G_l^2 / (H_l + lambda) + G_r^2 / (H_r + lambda), of
/// any split within bin i or at its borders that leaves both sides the least hessian; it may be left as it is if none
/// of these is above the bar.
struct BoundTask {
  double const* left_gradient = nullptr;  // count + 1: below each bin, and below and in the last
  double const* left_hessian = nullptr;
  double gradient_shift = 0;  // added to each of the two above
  double hessian_shift = 0;
  double const* rise = nullptr;  // sums of the bin's positive gradients
  std::size_t count = 0;
  double const* error_rows = nullptr;  // by bin: of so many rows the errors add up to how far the sums are off
  double rows = 0;                     // of the node: errors of no more than these add up
  double gradient_error = 0;           // of a row
  double hessian_error = 0;
  double most_ratio = 0;  // of a row's gradient to its hessian, without its sign; positive and finite
  double gradient = 0;    // of the node
  double hessian = 0;
  double lambda = 0;
  double alpha = 0;
  double least_hessian = 0;  // above 0
  double bar = -1;           // below all scores: every bin is bounded
  double* bound = nullptr;
};

/// Candidates of one feature whose left sums are known up to errors.
struct BeatTask {
  double const* left_gradient = nullptr;
  double const* left_hessian = nullptr;
  double gradient_shift = 0;  // added to each of the two above
  double hessian_shift = 0;
  std::size_t count = 0;
  double gradient_error = 0;  // of each left sum at most
  double hessian_error = 0;
  double gradient = 0;  // of the node
  double hessian = 0;
  double lambda = 0;
  double alpha = 0;
  double least_hessian = 0;  // of a side
  double bar = 0;
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

/// Rows of one margin for each class, at most kMostClassRows of them.
struct ClassTask {
  float const* margins = nullptr;
  std::size_t rows = 0;
  std::size_t classes = 0;
  float const* labels = nullptr;   // the class of each row; for gradients, as are weights
  float const* weights = nullptr;  // of each row
};

constexpr std::size_t kMostClassRows = 4096;
/// Rows of a query in the order of their scores, best first, whose pairs get logistic gradients. A pair of the rows at
/// ranks i < j is worth |above[i] - below[j]| * (gain_base + gain_slope * |gain[i] - gain[j]|) * scale over
/// distance_base + distance_slope * (score[i] - score[j]); 0 where both gain the same. The arrays go on for kLanes - 1
/// more items behind the last row, which are read and, in those that are written, keep or lose their values.
struct PairTask {
  static constexpr std::size_t kLanes = 16;
  float const* score = nullptr;
  float const* gain = nullptr;   // rises with the label
  float const* above = nullptr;  // with what float32 loses of it in above_rest: differences of near values count
  float const* above_rest = nullptr;
  float const* below = nullptr;
  float const* below_rest = nullptr;
  float gain_base = 0;
  float gain_slope = 1;
  float scale = 1;
  float distance_base = 1;
  float distance_slope = 0;
  float* gradient = nullptr;  // of the rows; added to
  float* hessian = nullptr;
  // Unless `worth` is nullptr, a pair's gradient has the factor high_factor of its row that gains more times low_factor
  // of the other, if that is above 0; and `worth` at the lower rank gets what the pair is worth without it.
  float const* high_factor = nullptr;
  float const* low_factor = nullptr;
  float* worth = nullptr;
};

/// What pairs add to the row at their upper rank.
struct PairSums {
  double gradient = 0;
  double hessian = 0;
  double size = 0;  // sum of the absolute gradients
};

/// The most values that `ranks_of` takes; a multiple of the lanes of all sets.
constexpr std::size_t kMostRanked = 256;

/// A step of a walk over a tree that adds up Shapley values; explain/shap_plan.h says what the walk computes.
struct ShapStep {
  enum class Kind : std::uint8_t {
    kDown,    // to the child on side `left`, which is no leaf
    kUp,      // back from it
    kLeaves,  // the node's children that are leaves
  };
  Kind kind = Kind::kDown;
  bool left = true;
  bool first = true;        // the sums of the node are set, not added to
  bool remembers = false;   // a node further down splits on the feature again
  std::uint32_t level = 0;  // of the node
  std::uint32_t cell = 0;   // what goes left is below the threshold there
  float threshold = 0;
  std::uint32_t feature = 0;    // its row in `sums`
  std::uint32_t alive = 0;      // the level below the last node on the path that split on the feature; 0: there is none
  std::uint32_t constants = 0;  // where its own begin, counted in points
  std::uint32_t pair_begin = 0, pair_end = 0;
};

/// A feature that the path above a node has: the level below its last split, and where its sums with the node's stand.
struct ShapPair {
  std::uint32_t level = 0;
  std::uint32_t slot = 0;
};

/// A walk of kRows rows side by side. An array `by level` has, for each level of the tree, `points` times kRows values.
struct ShapTask {
  static constexpr std::size_t kRows = 32;
  static constexpr std::size_t kMostPoints = 4;
  ShapStep const* steps = nullptr;
  std::size_t count = 0;
  std::size_t points = 1;
  double const* constants = nullptr;
  float const* cells = nullptr;     // cells x kRows
  double* inside = nullptr;         // levels x kRows: whether the row goes along; level 0 is 1
  double* before = nullptr;         // by level: the product of the path; level 0 is 1
  double* below = nullptr;          // by level: the sum over the leaves
  double* sums = nullptr;           // features x kRows, added to
  ShapPair const* pairs = nullptr;  // nullptr: no interactions, and the rest is not used
  double* shares = nullptr;         // by level
  double* terms = nullptr;          // points x kRows
  double* pair_sums = nullptr;      // pairs x kRows, added to
};

struct Kernels {
  /// out[i] = 1 / (1 + exp(-x[i])); `out` may be `x`.
  void (*sigmoid)(float const* x, float* out, std::size_t n);
  /// out[i] = exp(x[i]); `out` may be `x`.
  void (*exp)(float const* x, float* out, std::size_t n);
  /// out[i] = log(x[i]); `out` may be `x`.
  void (*log)(float const* x, float* out, std::size_t n);
  /// bin[i] = how many of the rising `upper` are <= x[i], at most bins - 1; `bins` if x[i] is NaN.
  void (*bins_of)(float const* x, std::size_t n, float const* upper, std::size_t bins, std::uint16_t* bin);
  /// Rows [begin, end) of a task; rows are below 2^32.
  void (*pack_gradients)(PackTask const& task, std::size_t begin, std::size_t end);
  /// Rows [begin, end) of a task.
  ExactRowSums (*make_exact_rows)(ExactRowTask const& task, std::size_t begin, std::size_t end);
  /// Writes the rows of both sides in their order; how many went left. What follows them may be overwritten.
  std::size_t (*split_rows)(SplitTask const& task);
  void (*add_lanes)(LaneTask const& task);
  void (*add_gains)(GainTask const& task);
  void (*sum_signs)(SignTask const& task);
  void (*bin_bounds)(BoundTask const& task);
  /// Whether any candidate may score above the bar.
  bool (*any_beats)(BeatTask const& task);
  /// Running sums of bins that are (gradient << 32) + hessian, up to and with each, in real units; gives the sum of
  /// all.
  std::int64_t (*prefix_packed)(std::int64_t const* bins, std::size_t count, double gradient_unit, double hessian_unit,
                                double* gradient, double* hessian);
  /// The same of bins that are a gradient and a hessian, one after the other, and so is `total`.
  void (*prefix_wide)(std::int64_t const* bins, std::size_t count, double gradient_unit, double hessian_unit,
                      double* gradient, double* hessian, std::int64_t* total);
  /// The first index of the largest of `count` > 0 values; any index where one is NaN.
  std::size_t (*first_maximum)(double const* values, std::size_t count);
  /// Probabilities of the classes, row by row: exponentials over their sum. `probability` may be the margins.
  void (*softmax)(ClassTask const& task, float* probability);
  /// The gradient of the cross-entropy and twice the diagonal of its hessian.
  void (*softmax_gradients)(ClassTask const& task, float* gradient, float* hessian);
  /// The pairs of the row at rank `upper` with those at ranks [first, end), all below it.
  PairSums (*add_pairs)(PairTask const& task, std::size_t upper, std::size_t first, std::size_t end);
  /// rank[i] = how many of the values are larger than values[i], or equal and before it; NaN is less than all.
  void (*ranks_of)(float const* values, std::size_t count, std::uint32_t* rank);
  /// Adds the Shapley values that a tree gives, and half its interactions if the task has pairs.
  void (*add_shap)(ShapTask const& task);
  void (*code_rows)(CodeTask const& task);
  void (*add_code_set)(CodeSetTask const& task);
  void (*compare_cell)(CompareTask const& task);
  /// Adds the leaf of every row in every tree, tree after tree.
  void (*add_trees)(PlaneTask const& task);
  /// The number of the leaf of each row, block after block.
  void (*leaves_of)(PlaneTree const& tree, std::uint64_t const* planes, std::size_t blocks, std::uint8_t* leaf);
  void (*code_row)(RowCodeTask const& task);
  /// Adds the leaf of each of a few rows in every tree, tree after tree.
  void (*add_heaps)(HeapTask const& task);
};

Kernels const& Simd(Context const& ctx);

/// The levels that this machine has, lowest first.
std::vector<SimdLevel> AvailableSimd();
/// The level to use: XGB_LIKE_SIMD if set (ParamError for an unknown or unavailable one), else the highest available.
SimdLevel DefaultSimd();
std::string SimdName(SimdLevel level);

}  // namespace xgbl
