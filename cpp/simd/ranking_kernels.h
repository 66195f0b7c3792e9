// SPDX-License-Identifier: Apache-2.0
// Kernels of ranking: gradients of pairs, and ranks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/context.h"

namespace xgbl {

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

struct RankingKernels {
  static RankingKernels const& Of(SimdLevel level);

  /// The pairs of the row at rank `upper` with those at ranks [first, end), all below it.
  PairSums (*add_pairs)(PairTask const& task, std::size_t upper, std::size_t first, std::size_t end);
  /// rank[i] = how many of the values are larger than values[i], or equal and before it; NaN is less than all.
  void (*ranks_of)(float const* values, std::size_t count, std::uint32_t* rank);
};

}  // namespace xgbl
