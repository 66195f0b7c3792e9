// SPDX-License-Identifier: Apache-2.0
// Gradients of pairs of ranked rows. Loops run over whole vectors, with nothing in the lanes behind the last row, and
// sums in fixed lanes, so that every set adds in the same order.

#include "base/math_functions.inl"

// `count` is a multiple of the lanes.
inline double SumInLanes(float const* values, std::size_t count) {
  constexpr std::size_t kLanes = PairTask::kLanes;
  float lanes[kLanes] = {};
  for (std::size_t i = 0; i < count; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += values[i + k];
  }
  for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::size_t k = 0; k < width; ++k) lanes[k] += lanes[k + width];
  }
  return static_cast<double>(lanes[0]);
}

template <bool kBiased>
inline PairSums AddPairsWith(PairTask const& task, std::size_t upper, std::size_t first, std::size_t end) {
  constexpr std::size_t kBlock = 32 * PairTask::kLanes;  // so that sums in float are short
  constexpr float kLeastHessian = 1e-16F;                // of a pair that the model is certain of
  float gradients[kBlock], hessians[kBlock], sizes[kBlock];
  PairTask const t = task;
  float const score = t.score[upper], gain = t.gain[upper];
  float const above = t.above[upper], above_rest = t.above_rest[upper];
  float const high_factor = kBiased ? t.high_factor[upper] : 1, low_factor = kBiased ? t.low_factor[upper] : 1;
  PairSums sums;
  for (std::size_t begin = first; begin < end; begin += kBlock) {
    std::size_t const size = end - begin < kBlock ? end - begin : kBlock;
    std::size_t const whole = (size + PairTask::kLanes - 1) / PairTask::kLanes * PairTask::kLanes;
    auto const count = static_cast<std::int32_t>(size);
    XGBL_INDEPENDENT
    for (std::size_t k = 0; k < whole; ++k) {
      std::size_t const lower = begin + k;
      bool const counts = static_cast<std::int32_t>(k) < count;
      float const ahead = score - t.score[lower];
      float const distance = counts ? ahead : 0;
      float const more = gain - t.gain[lower];
      float const change = (above - t.below[lower]) + (above_rest - t.below_rest[lower]);
      float const stakes = more == 0 ? 0 : t.gain_base + t.gain_slope * (more < 0 ? -more : more);
      float worth =
          (change < 0 ? -change : change) * stakes * t.scale / (t.distance_base + t.distance_slope * distance);
      worth = counts ? worth : 0;
      float const odds = Exp(-distance);
      float const right = 1 / (1 + odds), wrong = odds * right;
      float curvature = right * wrong;
      curvature = curvature > kLeastHessian ? curvature : kLeastHessian;
      float factor = worth;
      if constexpr (kBiased) {
        float const bias = more > 0 ? high_factor * t.low_factor[lower] : low_factor * t.high_factor[lower];
        factor = bias > 0 ? worth * bias : worth;
        t.worth[lower] = worth;
      }
      float const share = more > 0 ? -wrong : right;
      gradients[k] = share * factor;
      hessians[k] = 2 * curvature * factor;
      t.gradient[lower] -= gradients[k];
      t.hessian[lower] += hessians[k];
      sizes[k] = (share < 0 ? -share : share) * factor;
    }
    sums.gradient += SumInLanes(gradients, whole);
    sums.hessian += SumInLanes(hessians, whole);
    sums.size += SumInLanes(sizes, whole);
  }
  return sums;
}

inline PairSums AddPairs(PairTask const& task, std::size_t upper, std::size_t first, std::size_t end) {
  return task.worth != nullptr ? AddPairsWith<true>(task, upper, first, end)
                               : AddPairsWith<false>(task, upper, first, end);
}

// Ranks by counting. Comparing all pairs has no branches to be mispredicted and is faster than sorting up to some
// hundreds of values.

// Integers in the reverse order of the floats; both zeros are one, and NaN is last.
inline std::int32_t FallingKey(float value) {
  auto const bits = static_cast<std::int32_t>(ToBits(value + 0.0F));
  std::int32_t const key = bits < 0 ? bits ^ std::numeric_limits<std::int32_t>::min() : ~bits;
  return value == value ? key : std::numeric_limits<std::int32_t>::max();
}

inline void RanksOf(float const* values, std::size_t count, std::uint32_t* rank) {
  constexpr std::size_t kLanes = 16;
  constexpr std::int32_t kTogether = 4;  // rows that the others are compared with in one go
  std::int32_t keys[kMostRanked], before[kMostRanked];
  auto const whole = static_cast<std::int32_t>((count + kLanes - 1) / kLanes * kLanes);
  for (std::size_t i = 0; i < count; ++i) keys[i] = FallingKey(values[i]);
  for (std::int32_t i = static_cast<std::int32_t>(count); i < whole; ++i) {
    keys[i] = std::numeric_limits<std::int32_t>::max();
  }
  for (std::int32_t i = 0; i < whole; ++i) before[i] = 0;
  for (std::int32_t i = 0; i < whole; i += kTogether) {
    std::int32_t const a = keys[i], b = keys[i + 1], c = keys[i + 2], d = keys[i + 3];
    XGBL_INDEPENDENT
    for (std::int32_t k = 0; k < whole; ++k) {
      // Less, or equal and earlier: keys are integers and above the least one.
      std::int32_t const own = keys[k];
      std::int32_t const first = a - (k > i ? 1 : 0) < own ? 1 : 0, second = b - (k > i + 1 ? 1 : 0) < own ? 1 : 0;
      std::int32_t const third = c - (k > i + 2 ? 1 : 0) < own ? 1 : 0, last = d - (k > i + 3 ? 1 : 0) < own ? 1 : 0;
      before[k] += (first + second) + (third + last);
    }
  }
  for (std::size_t i = 0; i < count; ++i) rank[i] = static_cast<std::uint32_t>(before[i]);
}

constexpr RankingKernels kTable = {AddPairs, RanksOf};
