// SPDX-License-Identifier: Apache-2.0
// The scan over a histogram: running sums of a feature's bins, the gain of a split after each, and the best of them.

#include "simd/shrink.inl"

inline void RealPacked(std::int64_t const* sums, std::size_t count, double gradient_unit, double hessian_unit,
                       double* gradient, double* hessian) {
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < count; ++i) {
    gradient[i] = static_cast<double>(static_cast<std::int32_t>(sums[i] >> 32)) * gradient_unit;
    hessian[i] = static_cast<double>(static_cast<std::uint32_t>(sums[i])) * hessian_unit;
  }
}

inline void RealWide(std::int64_t const* sums, std::size_t count, double gradient_unit, double hessian_unit,
                     double* gradient, double* hessian) {
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < count; ++i) {
    gradient[i] = static_cast<double>(sums[2 * i]) * gradient_unit;
    hessian[i] = static_cast<double>(sums[2 * i + 1]) * hessian_unit;
  }
}

inline std::int64_t PrefixPacked(std::int64_t const* bins, std::size_t count, double gradient_unit, double hessian_unit,
                                 double* gradient, double* hessian) {
  constexpr std::size_t kBlock = 64;
  std::int64_t sums[kBlock];
  std::int64_t sum = 0;
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    std::size_t const size = count - begin < kBlock ? count - begin : kBlock;
    for (std::size_t i = 0; i < size; ++i) sums[i] = sum += bins[begin + i];
    RealPacked(sums, size, gradient_unit, hessian_unit, gradient + begin, hessian + begin);
  }
  return sum;
}

inline void PrefixWide(std::int64_t const* bins, std::size_t count, double gradient_unit, double hessian_unit,
                       double* gradient, double* hessian, std::int64_t* total) {
  constexpr std::size_t kBlock = 64;
  std::int64_t sums[2 * kBlock];
  std::int64_t gradient_sum = 0, hessian_sum = 0;
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    std::size_t const size = count - begin < kBlock ? count - begin : kBlock;
    for (std::size_t i = 0; i < size; ++i) {
      sums[2 * i] = gradient_sum += bins[2 * (begin + i)];
      sums[2 * i + 1] = hessian_sum += bins[2 * (begin + i) + 1];
    }
    RealWide(sums, size, gradient_unit, hessian_unit, gradient + begin, hessian + begin);
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

// Quantised gradients.
//
// A derivative is brought to fixed point with 16 (gradient) or 15 (hessian) bits behind the point, so many random bits
// are added, and what is behind the point is dropped: it is rounded up with a probability equal to its fraction. The
// random bits are a hash of key and row (two rounds of xor-shift and multiply, constants of C. Wellons's "lowbias32").
// Halves in their place round to nearest.

inline std::uint32_t RandomBits(std::uint64_t key, std::uint32_t row) {
  std::uint32_t x = row ^ static_cast<std::uint32_t>(key);
  x = (x ^ (x >> 16U)) * 0x7FEB352DU + static_cast<std::uint32_t>(key >> 32U);
  x = (x ^ (x >> 15U)) * 0x846CA68BU;
  return x ^ (x >> 16U);
}

// `kStride` 0: that of the task.
template <bool kNearest, bool kOneHessian, std::size_t kStride>
inline void PackRows(PackTask const& task, std::uint32_t begin, std::uint32_t end) {
  constexpr double kGradientPoint = 0x1p16, kHessianPoint = 0x1p15;
  constexpr std::uint32_t kHalves = 0x80004000U;
  float const* const gradient = task.gradient;
  float const* const hessian = task.hessian;
  std::int32_t* const packed = task.packed;
  std::size_t const stride = kStride == 0 ? task.stride : kStride;
  double const gradient_factor = task.gradient_factor * kGradientPoint;
  double const hessian_factor = task.hessian_factor * kHessianPoint;
  std::uint64_t const key = task.key;
  XGBL_INDEPENDENT
  for (std::uint32_t i = begin; i < end; ++i) {
    std::uint32_t const random = kNearest ? kHalves : RandomBits(key, i);
    auto const g = static_cast<std::int32_t>(static_cast<double>(gradient[i * stride]) * gradient_factor);
    std::uint32_t const upper = (static_cast<std::uint32_t>(g) + (random >> 16U)) & 0xFFFF0000U;
    std::uint32_t lower = 1;
    if (!kOneHessian) {
      auto const h = static_cast<std::int32_t>(static_cast<double>(hessian[i * stride]) * hessian_factor);
      lower = (static_cast<std::uint32_t>(h) + (random & 0x7FFFU)) >> 15U;
    }
    packed[i] = static_cast<std::int32_t>(upper | lower);
  }
}

template <bool kNearest>
inline void PackRowsBy(PackTask const& task, std::uint32_t begin, std::uint32_t end) {
  bool const dense = task.stride == 1;
  if (task.hessian == nullptr) {
    return dense ? PackRows<kNearest, true, 1>(task, begin, end) : PackRows<kNearest, true, 0>(task, begin, end);
  }
  dense ? PackRows<kNearest, false, 1>(task, begin, end) : PackRows<kNearest, false, 0>(task, begin, end);
}

inline void PackGradients(PackTask const& task, std::size_t begin, std::size_t end) {
  auto const first = static_cast<std::uint32_t>(begin), last = static_cast<std::uint32_t>(end);
  return task.nearest ? PackRowsBy<true>(task, first, last) : PackRowsBy<false>(task, first, last);
}

// Sums per bin of several outputs side by side.

// All of the sum before a bin is written, so that the additions are one.
inline void AddLane(std::int64_t const* value, std::int64_t* bin) {
  std::int64_t sum[LaneTask::kLanes];
  for (std::size_t k = 0; k < LaneTask::kLanes; ++k) sum[k] = bin[k] + value[k];
  for (std::size_t k = 0; k < LaneTask::kLanes; ++k) bin[k] = sum[k];
}

inline void AddLanes(LaneTask const& task) {
  constexpr std::size_t kLanes = LaneTask::kLanes;
  std::uint8_t const *const first = task.codes[0], *const second = task.codes[1];
  std::int64_t *const first_bins = task.bins[0], *const second_bins = task.bins[1];
  std::int64_t const* const values = task.values;
  std::size_t const count = task.count;
  for (std::size_t i = 0; i < count; ++i) {
    AddLane(values + kLanes * i, first_bins + kLanes * first[i]);
    AddLane(values + kLanes * i, second_bins + kLanes * second[i]);
  }
}

// Rows to the left or to the right by the code that each has.
//
// Without vectors a row is written to both sides, and only one side advances. With vectors, eight rows at a time are
// ordered by a permutation, which a table has for each of their masks. (AVX-512 has an instruction for it, but the
// longer vectors gain nothing; nor do gathers of codes, which is why these come in a row.)

inline std::size_t SplitOneByOne(SplitTask const& task, std::size_t begin, std::size_t left) {
  for (std::size_t i = begin; i < task.count; ++i) {
    std::uint32_t const row = task.rows[i];
    bool const inside = static_cast<std::uint8_t>(task.codes[i] - task.first) <= task.last;
    task.left[left] = row;
    task.right[i - left] = row;
    left += inside == task.inside_left ? 1U : 0U;
  }
  return left;
}

#if XGBL_LEVEL == 0

inline std::size_t SplitRows(SplitTask const& task) { return SplitOneByOne(task, 0, 0); }

#else

// For each mask of eight lanes: the numbers of those that are set, a byte each.
struct LaneTable {
  std::uint64_t lanes[256];

  constexpr LaneTable() : lanes() {
    for (unsigned mask = 0; mask < 256; ++mask) {
      unsigned count = 0;
      for (std::uint64_t lane = 0; lane < 8; ++lane) {
        if ((mask >> lane & 1U) != 0) lanes[mask] |= lane << (8 * count++);
      }
    }
  }
};

constexpr LaneTable kLaneTable;

inline void StoreLanes(__m256i rows, std::uint32_t mask, std::uint32_t* to) {
  auto const lanes = static_cast<long long>(kLaneTable.lanes[mask]);
  __m256i const order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(lanes));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(rows, order));
}

// A bit for each of 32 rows, set if it goes left.
inline std::uint32_t LeftMask(SplitTask const& task, std::size_t i) {
  __m256i const codes = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(task.codes + i));
  __m256i const from_first = _mm256_sub_epi8(codes, _mm256_set1_epi8(static_cast<char>(task.first)));
  __m256i const most = _mm256_min_epu8(from_first, _mm256_set1_epi8(static_cast<char>(task.last)));
  auto const inside = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(most, from_first)));
  return task.inside_left ? inside : ~inside;
}

inline std::size_t SplitRows(SplitTask const& task) {
  std::size_t left = 0, i = 0;
  for (; i + 32 <= task.count; i += 32) {
    std::uint32_t const all = LeftMask(task, i);
    for (std::size_t k = 0; k < 32; k += 8) {
      std::uint32_t const mask = all >> k & 0xFFU;
      __m256i const rows = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(task.rows + i + k));
      StoreLanes(rows, mask, task.left + left);
      StoreLanes(rows, mask ^ 0xFFU, task.right + (i + k - left));
      left += static_cast<std::size_t>(__builtin_popcount(mask));
    }
  }
  return SplitOneByOne(task, i, left);
}

#endif

// Levels of a category.

inline std::size_t TakeOneByOne(std::int64_t const* bins, std::size_t begin, std::size_t end, std::uint32_t* numbers,
                                std::int64_t* taken) {
  std::size_t found = 0;
  for (std::size_t i = begin; i < end; ++i) {
    numbers[found] = static_cast<std::uint32_t>(i);
    taken[found] = bins[i];
    found += bins[i] != 0 ? 1U : 0U;
  }
  return found;
}

#if XGBL_LEVEL == 0

inline std::size_t TakeNonzero(std::int64_t const* bins, std::size_t count, std::uint32_t* numbers,
                               std::int64_t* taken) {
  return TakeOneByOne(bins, 0, count, numbers, taken);
}

#else

// Of four bins; gives how many are not 0. What follows them is overwritten.
inline std::size_t TakeFour(std::int64_t const* bins, std::size_t first, std::uint32_t* numbers, std::int64_t* taken) {
  __m256i const four = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(bins + first));
  __m256i const zero = _mm256_cmpeq_epi64(four, _mm256_setzero_si256());
  // Both halves of each, which then are the mask of eight lanes.
  std::uint32_t const mask = static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(zero))) ^ 0xFFU;
  StoreLanes(four, mask, reinterpret_cast<std::uint32_t*>(taken));
  __m128i const halves = _mm_cvtsi64_si128(static_cast<long long>(kLaneTable.lanes[mask]));
  // The lanes of a bin are 2 k and 2 k + 1.
  __m128i const places = _mm_srli_epi32(_mm_cvtepu16_epi32(halves), 1);
  __m128i const number =
      _mm_add_epi32(_mm_and_si128(places, _mm_set1_epi32(3)), _mm_set1_epi32(static_cast<int>(first)));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(numbers), number);
  return static_cast<std::size_t>(__builtin_popcount(mask)) / 2;
}

inline std::size_t TakeNonzero(std::int64_t const* bins, std::size_t count, std::uint32_t* numbers,
                               std::int64_t* taken) {
  std::size_t found = 0, i = 0;
  for (; i + 4 <= count; i += 4) found += TakeFour(bins, i, numbers + found, taken + found);
  return found + TakeOneByOne(bins, i, count, numbers + found, taken + found);
}

#endif

template <bool kPacked>
inline LowLevels WeighLevels(LevelTask const& task) {
  std::int64_t const* const sums = task.sums;
  float* const weights = task.weights;
  double const gradient_unit = task.gradient_unit, hessian_unit = task.hessian_unit;
  double const lambda = task.lambda, smooth = task.smooth;
  std::int64_t low_packed = 0;
  LowLevels low;
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < task.count; ++i) {
    std::int64_t const first = kPacked ? sums[i] : sums[2 * i], second = kPacked ? first : sums[2 * i + 1];
    double const gradient =
        kPacked ? static_cast<double>(static_cast<std::int32_t>(first >> 32)) : static_cast<double>(first);
    double const hessian =
        kPacked ? static_cast<double>(static_cast<std::uint32_t>(second)) : static_cast<double>(second);
    double const below = hessian * hessian_unit + lambda + smooth;
    double const quotient = -(gradient * gradient_unit) / below;
    auto const weight = static_cast<float>(below > 0 ? quotient : 0.0);
    weights[i] = weight;
    std::int64_t const mask = weight < 0 ? -1 : 0;
    low.count -= static_cast<std::size_t>(mask);
    if (kPacked) {
      low_packed += first & mask;
    } else {
      low.gradient += first & mask;
      low.hessian += second & mask;
    }
  }
  if (kPacked) low.gradient = low_packed >> 32, low.hessian = low_packed & std::int64_t{0xFFFFFFFF};
  return low;
}

inline std::size_t PickOneByOne(float const* values, std::size_t begin, std::size_t end, float least, float most,
                                std::uint32_t* numbers) {
  std::size_t found = 0;
  for (std::size_t i = begin; i < end; ++i) {
    numbers[found] = static_cast<std::uint32_t>(i);
    found += ((values[i] >= least) & (values[i] <= most)) ? 1U : 0U;
  }
  return found;
}

#if XGBL_LEVEL == 0

inline std::size_t PickBetween(float const* values, std::size_t count, float least, float most,
                               std::uint32_t* numbers) {
  return PickOneByOne(values, 0, count, least, most, numbers);
}

#else

inline std::size_t PickBetween(float const* values, std::size_t count, float least, float most,
                               std::uint32_t* numbers) {
  __m256i const lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  __m256 const from = _mm256_set1_ps(least), to = _mm256_set1_ps(most);
  std::size_t found = 0, i = 0;
  for (; i + 8 <= count; i += 8) {
    __m256 const eight = _mm256_loadu_ps(values + i);
    __m256 const inside = _mm256_and_ps(_mm256_cmp_ps(eight, from, _CMP_GE_OQ), _mm256_cmp_ps(eight, to, _CMP_LE_OQ));
    auto const mask = static_cast<std::uint32_t>(_mm256_movemask_ps(inside));
    StoreLanes(_mm256_add_epi32(lanes, _mm256_set1_epi32(static_cast<int>(i))), mask, numbers + found);
    found += static_cast<std::size_t>(__builtin_popcount(mask));
  }
  return found + PickOneByOne(values, i, count, least, most, numbers + found);
}

#endif

// Each goes to the place that as many keys as are less than it leave. Eight are compared with all at once.
inline void SortFew(std::int64_t const* keys, std::size_t count, std::int64_t* sorted) {
  constexpr std::size_t kLanes = 8;
  for (std::size_t i = 0; i < count; i += kLanes) {
    std::size_t const lanes = count - i < kLanes ? count - i : kLanes;
    std::int64_t own[kLanes], less[kLanes] = {};
    for (std::size_t j = 0; j < kLanes; ++j) own[j] = keys[i + j < count ? i + j : i];
    for (std::size_t k = 0; k < count; ++k) {
      std::int64_t const key = keys[k];
      for (std::size_t j = 0; j < kLanes; ++j) less[j] += key < own[j] ? 1 : 0;
    }
    for (std::size_t j = 0; j < lanes; ++j) sorted[less[j]] = own[j];
  }
}

constexpr HistogramKernels kTable = {PackGradients,     SplitRows,          AddLanes,    AddGains,     PrefixPacked,
                                     PrefixWide,        RealPacked,         RealWide,    FirstMaximum, TakeNonzero,
                                     WeighLevels<true>, WeighLevels<false>, PickBetween, SortFew};
