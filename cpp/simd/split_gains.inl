// SPDX-License-Identifier: Apache-2.0
// The scan over a histogram: running sums of a feature's bins, the gain of a split after each, and the best of them.
// Included by kernels.inl, once per instruction set.

inline std::int64_t PrefixPacked(std::int64_t const* bins, std::size_t count, double gradient_unit, double hessian_unit,
                                 double* gradient, double* hessian) {
  constexpr std::size_t kBlock = 64;
  std::int64_t sums[kBlock];
  std::int64_t sum = 0;
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    std::size_t const size = count - begin < kBlock ? count - begin : kBlock;
    for (std::size_t i = 0; i < size; ++i) sums[i] = sum += bins[begin + i];
    XGBL_INDEPENDENT
    for (std::size_t i = 0; i < size; ++i) {
      gradient[begin + i] = static_cast<double>(static_cast<std::int32_t>(sums[i] >> 32)) * gradient_unit;
      hessian[begin + i] = static_cast<double>(static_cast<std::uint32_t>(sums[i])) * hessian_unit;
    }
  }
  return sum;
}

inline void PrefixWide(std::int64_t const* bins, std::size_t count, double gradient_unit, double hessian_unit,
                       double* gradient, double* hessian, std::int64_t* total) {
  constexpr std::size_t kBlock = 64;
  std::int64_t gradients[kBlock], hessians[kBlock];
  std::int64_t gradient_sum = 0, hessian_sum = 0;
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    std::size_t const size = count - begin < kBlock ? count - begin : kBlock;
    for (std::size_t i = 0; i < size; ++i) {
      gradients[i] = gradient_sum += bins[2 * (begin + i)];
      hessians[i] = hessian_sum += bins[2 * (begin + i) + 1];
    }
    XGBL_INDEPENDENT
    for (std::size_t i = 0; i < size; ++i) {
      gradient[begin + i] = static_cast<double>(gradients[i]) * gradient_unit;
      hessian[begin + i] = static_cast<double>(hessians[i]) * hessian_unit;
    }
  }
  total[0] = gradient_sum;
  total[1] = hessian_sum;
}

inline double Shrunk(double gradient, double alpha) {
  double const size = (gradient < 0 ? -gradient : gradient) - alpha;
  return size > 0 ? size : 0;
}

// One division for both sides: a / b + c / d = (a d + c b) / (b d).
template <bool kHasAlpha>
inline void AddGainsWith(GainTask const& task) {
  double const lambda = task.lambda, alpha = task.alpha, least = task.least_hessian;
  double const otherwise = task.otherwise, node_gradient = task.gradient, node_hessian = task.hessian;
  double const gradient_shift = task.gradient_shift, hessian_shift = task.hessian_shift;
  double const* const left_gradient = task.left_gradient;
  double const* const left_hessian = task.left_hessian;
  double* const gain = task.gain;
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < task.count; ++i) {
    double const left_h = left_hessian[i] + hessian_shift, right_h = node_hessian - left_h;
    double left_g = left_gradient[i] + gradient_shift, right_g = node_gradient - left_g;
    if constexpr (kHasAlpha) {
      left_g = Shrunk(left_g, alpha);
      right_g = Shrunk(right_g, alpha);
    }
    double const left = left_h + lambda, right = right_h + lambda;
    double const both = left_g * left_g * right + right_g * right_g * left;
    double const score = both / (left * right);
    gain[i] += ((left_h >= least) & (right_h >= least)) ? score : otherwise;
  }
}

inline void AddGains(GainTask const& task) { task.alpha > 0 ? AddGainsWith<true>(task) : AddGainsWith<false>(task); }

// Each lane keeps the first of its largest values; of those the first is looked for at the end.
inline std::size_t FirstMaximum(double const* values, std::size_t count) {
  constexpr std::size_t kLanes = 16;
  std::size_t const whole = count / kLanes * kLanes;
  double best = values[0];
  std::size_t first = 0;
  if (whole > 0) {
    double lanes[kLanes];
    std::size_t places[kLanes];
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = values[k];
    for (std::size_t k = 0; k < kLanes; ++k) places[k] = k;
    for (std::size_t i = kLanes; i < whole; i += kLanes) {
      for (std::size_t k = 0; k < kLanes; ++k) {
        bool const larger = values[i + k] > lanes[k];
        lanes[k] = larger ? values[i + k] : lanes[k];
        places[k] = larger ? i + k : places[k];
      }
    }
    for (std::size_t k = 0; k < kLanes; ++k) {
      bool const better = lanes[k] > best || (lanes[k] == best && places[k] < first);
      best = better ? lanes[k] : best;
      first = better ? places[k] : first;
    }
  }
  for (std::size_t i = whole; i < count; ++i) {
    first = values[i] > best ? i : first;
    best = values[first];
  }
  return first;
}
