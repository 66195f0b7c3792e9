// SPDX-License-Identifier: Apache-2.0
// Gradients of pairs of ranked rows. Included by kernels.inl, once per instruction set.

// Sums in fixed lanes: every instruction set adds in the same order.
inline void AddInLanes(float* values, std::size_t count, double* sum, double* size) {
  constexpr std::size_t kLanes = 16;
  while (count % kLanes != 0) values[count++] = 0;
  float lanes[kLanes] = {}, sizes[kLanes] = {};
  for (std::size_t i = 0; i < count; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      float const value = values[i + k];
      lanes[k] += value;
      sizes[k] += value < 0 ? -value : value;
    }
  }
  for (std::size_t k = 0; k < kLanes; ++k) {
    *sum += static_cast<double>(lanes[k]);
    *size += static_cast<double>(sizes[k]);
  }
}

template <bool kBiased>
inline PairSums AddPairsWith(PairTask const& task, std::size_t upper, std::size_t first, std::size_t end) {
  constexpr std::size_t kBlock = 256;
  constexpr float kLeastHessian = 1e-16F;  // of a pair that the model is certain of
  float gradients[kBlock], hessians[kBlock];
  PairTask const t = task;
  float const score = t.score[upper], gain = t.gain[upper];
  float const above = t.above[upper], above_rest = t.above_rest[upper];
  float const high_factor = kBiased ? t.high_factor[upper] : 1, low_factor = kBiased ? t.low_factor[upper] : 1;
  PairSums sums;
  double hessian_size = 0;
  for (std::size_t begin = first; begin < end; begin += kBlock) {
    std::size_t const size = end - begin < kBlock ? end - begin : kBlock;
    XGBL_INDEPENDENT
    for (std::size_t k = 0; k < size; ++k) {
      std::size_t const lower = begin + k;
      float const distance = score - t.score[lower];
      float const more = gain - t.gain[lower];
      float const change = (above - t.below[lower]) + (above_rest - t.below_rest[lower]);
      float const stakes = more == 0 ? 0 : t.gain_base + t.gain_slope * (more < 0 ? -more : more);
      float const worth =
          (change < 0 ? -change : change) * stakes * t.scale / (t.distance_base + t.distance_slope * distance);
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
      float const pull = (more > 0 ? -wrong : right) * factor;
      float const hessian = 2 * curvature * factor;
      gradients[k] = pull;
      hessians[k] = hessian;
      t.gradient[lower] -= pull;
      t.hessian[lower] += hessian;
    }
    AddInLanes(gradients, size, &sums.gradient, &sums.size);
    AddInLanes(hessians, size, &sums.hessian, &hessian_size);
  }
  return sums;
}

inline PairSums AddPairs(PairTask const& task, std::size_t upper, std::size_t first, std::size_t end) {
  return task.worth != nullptr ? AddPairsWith<true>(task, upper, first, end)
                               : AddPairsWith<false>(task, upper, first, end);
}
