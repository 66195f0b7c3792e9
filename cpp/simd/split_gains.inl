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
    double const gradient = left_gradient[i] + gradient_shift;
    double const left_g = Shrink<kHasAlpha>(gradient, alpha),
                 right_g = Shrink<kHasAlpha>(node_gradient - gradient, alpha);
    double const left = left_h + lambda, right = right_h + lambda;
    double const both = left_g * left_g * right + right_g * right_g * left;
    double const score = both / (left * right);
    gain[i] += ((left_h >= least) & (right_h >= least)) ? score : otherwise;
  }
}

inline void AddGains(GainTask const& task) { task.alpha > 0 ? AddGainsWith<true>(task) : AddGainsWith<false>(task); }

constexpr std::size_t kMaximumBlock = 16;  // values

#if XGBL_LEVEL == 0

inline double MaximumOfBlocks(double const* values, std::size_t count) {
  double best = values[0];
  for (std::size_t i = 1; i < count; ++i) best = values[i] > best ? values[i] : best;
  return best;
}

inline bool BlockHas(double const* values, double value) {
  bool has = false;
  for (std::size_t i = 0; i < kMaximumBlock; ++i) has |= values[i] == value;
  return has;
}

#else

// Compilers make no vector code of it, as they would have to know that no value is NaN.
inline double MaximumOfBlocks(double const* values, std::size_t count) {
  __m256d most[4];
  for (std::size_t k = 0; k < 4; ++k) most[k] = _mm256_loadu_pd(values + 4 * k);
  for (std::size_t i = kMaximumBlock; i < count; i += kMaximumBlock) {
    for (std::size_t k = 0; k < 4; ++k) most[k] = _mm256_max_pd(most[k], _mm256_loadu_pd(values + i + 4 * k));
  }
  double lanes[4];
  _mm256_storeu_pd(lanes, _mm256_max_pd(_mm256_max_pd(most[0], most[1]), _mm256_max_pd(most[2], most[3])));
  double const low = lanes[0] > lanes[1] ? lanes[0] : lanes[1], high = lanes[2] > lanes[3] ? lanes[2] : lanes[3];
  return low > high ? low : high;
}

inline bool BlockHas(double const* values, double value) {
  __m256d const wanted = _mm256_set1_pd(value);
  __m256d equal[4];
  for (std::size_t k = 0; k < 4; ++k) {
    equal[k] = _mm256_cmp_pd(_mm256_loadu_pd(values + 4 * k), wanted, _CMP_EQ_OQ);
  }
  return _mm256_movemask_pd(_mm256_or_pd(_mm256_or_pd(equal[0], equal[1]), _mm256_or_pd(equal[2], equal[3]))) != 0;
}

#endif

inline std::size_t FirstMaximum(double const* values, std::size_t count) {
  std::size_t const whole = count / kMaximumBlock * kMaximumBlock;
  double best = whole > 0 ? MaximumOfBlocks(values, whole) : values[0];
  for (std::size_t i = whole; i < count; ++i) best = values[i] > best ? values[i] : best;
  std::size_t first = 0;
  while (first < whole && !BlockHas(values + first, best)) first += kMaximumBlock;
  while (first + 1 < count && !(values[first] == best)) ++first;
  return first;
}
