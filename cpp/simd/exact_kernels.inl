// SPDX-License-Identifier: Apache-2.0
// What splits within a bin may score: a bound before its rows are examined, and then whether any place in it may win.
//
// The left sums of a split within a bin lie in a hexagon: two of its corners are the sums below and above the bin; at
// the largest and at the least gradient the hessian is at least what the gradients that were taken need, and at most
// what those that were left allow. Errors make it larger, and the least hessian of a side cuts off what is outside of a
// strip, which moves a corner that is there along the two edges that meet in it. The score is convex: the corners
// bound it.

#include "base/math_functions.inl"
#include "simd/shrink.inl"

// The best of a few scores, as a fraction: one division for all of them.
template <bool kHasAlpha>
struct ScoreBound {
  double total, node, lambda, alpha;
  double above = -1, below = 1;

  XGBL_ALWAYS_INLINE void Add(double gradient, double hessian) {
    double const left = Shrink<kHasAlpha>(gradient, alpha), right = Shrink<kHasAlpha>(node - gradient, alpha);
    double const left_h = hessian + lambda, right_h = total - hessian + lambda;
    double const score = left * left * right_h + right * right * left_h, both = left_h * right_h;
    bool const better = score * below > above * both;
    above = better ? score : above;
    below = better ? both : below;
  }
};

// The task is a copy, so that a compiler knows that bounds are not written into it.
struct BoundsOf {
  BoundTask task;
  double slope, row_h;

  explicit BoundsOf(BoundTask const& of)
      : task(of), slope(1 / of.most_ratio), row_h(of.hessian_error + of.gradient_error * slope) {}
};

// The gradients and hessians that left sums of splits within a bin may have: errors and the least hessian count.
struct BinBox {
  double error_gradient, g, next_g, h, next_h;
  double top, bottom, low, high;

  XGBL_ALWAYS_INLINE BinBox(BoundsOf const& of, std::size_t i) {
    BoundTask const& task = of.task;
    double const rows = Least(task.error_rows[i], task.rows), rise = task.rise[i];
    error_gradient = rows * task.gradient_error;
    g = task.gradient_shift + task.left_gradient[i];
    next_g = task.gradient_shift + task.left_gradient[i + 1];
    h = task.hessian_shift + task.left_hessian[i] - rows * of.row_h;
    next_h = task.hessian_shift + task.left_hessian[i + 1] + rows * of.row_h;
    top = g + rise + error_gradient;
    bottom = next_g - rise - error_gradient;
    low = Most(h, task.least_hessian);
    high = Least(next_h, task.hessian - task.least_hessian);
  }
};

// Whether a corner of some bin's box scores above the bar, multiplied out. The box holds the hexagon and takes a
// fraction of the time. Nothing is written.
template <bool kHasAlpha>
XGBL_ALWAYS_INLINE bool AnyBoxBeats(BoundsOf const& of, std::size_t begin, std::size_t end) {
  BoundTask const& task = of.task;
  double const node = task.gradient, total = task.hessian, lambda = task.lambda, alpha = task.alpha, bar = task.bar;
  std::uint64_t beats = 0;
  XGBL_INDEPENDENT
  for (std::size_t i = begin; i < end; ++i) {
    BinBox const box(of, i);
    double const top_l = Shrink<kHasAlpha>(box.top, alpha), top_r = Shrink<kHasAlpha>(node - box.top, alpha);
    double const bottom_l = Shrink<kHasAlpha>(box.bottom, alpha);
    double const bottom_r = Shrink<kHasAlpha>(node - box.bottom, alpha);
    double const low_l = box.low + lambda, low_r = total - box.low + lambda;
    double const high_l = box.high + lambda, high_r = total - box.high + lambda;
    double const low =
        Most(top_l * top_l * low_r + top_r * top_r * low_l, bottom_l * bottom_l * low_r + bottom_r * bottom_r * low_l);
    double const high = Most(top_l * top_l * high_r + top_r * top_r * high_l,
                             bottom_l * bottom_l * high_r + bottom_r * bottom_r * high_l);
    beats |= low > bar * (low_l * low_r) ? std::uint64_t{1} : std::uint64_t{0};
    beats |= high > bar * (high_l * high_r) ? std::uint64_t{1} : std::uint64_t{0};
  }
  return beats != 0;
}

template <bool kHasAlpha>
XGBL_ALWAYS_INLINE void BoundBins(BoundsOf const& of, std::size_t begin, std::size_t end) {
  BoundTask const& task = of.task;
  double const ratio = task.most_ratio, slope = of.slope, least = task.least_hessian, most = task.hessian - least;
  double* const bound = task.bound;
  XGBL_INDEPENDENT
  for (std::size_t i = begin; i < end; ++i) {
    BinBox const box(of, i);
    double const rise = task.rise[i], fall = rise - (box.next_g - box.g);
    double const under = box.error_gradient + Most(least - box.h, 0) * ratio;
    double const over = box.error_gradient + Most(box.next_h - most, 0) * ratio;
    ScoreBound<kHasAlpha> score{task.hessian, task.gradient, task.lambda, task.alpha};
    score.Add(box.top, Least(Most(box.h + rise * slope, box.low), box.high));
    score.Add(box.top, Most(Least(box.next_h - fall * slope, box.high), box.low));
    score.Add(box.bottom, Least(Most(box.h + fall * slope, box.low), box.high));
    score.Add(box.bottom, Most(Least(box.next_h - rise * slope, box.high), box.low));
    score.Add(Least(box.g + under, box.top), box.low);
    score.Add(Most(box.g - under, box.bottom), box.low);
    score.Add(Least(box.next_g + over, box.top), box.high);
    score.Add(Most(box.next_g - over, box.bottom), box.high);
    double const largest = box.low <= box.high ? score.above / score.below : -1;
    bound[i] = largest > bound[i] ? largest : bound[i];
  }
}

template <bool kHasAlpha>
inline void BoundAll(BoundsOf const of) {
  constexpr std::size_t kAtOnce = 8;  // a loop of known length has no ends
  std::size_t begin = 0;
  for (; begin + kAtOnce <= of.task.count; begin += kAtOnce) {
    if (AnyBoxBeats<kHasAlpha>(of, begin, begin + kAtOnce)) BoundBins<kHasAlpha>(of, begin, begin + kAtOnce);
  }
  std::size_t const end = of.task.count;
  if (begin < end && AnyBoxBeats<kHasAlpha>(of, begin, end)) BoundBins<kHasAlpha>(of, begin, end);
}

inline void BinBounds(BoundTask const& task) {
  task.alpha > 0 ? BoundAll<true>(BoundsOf(task)) : BoundAll<false>(BoundsOf(task));
}

// Whether left sums that are known up to errors may belong to a split that scores above the bar. The score is
// multiplied out, so that nothing is divided; errors count in favour of both sides.
inline bool AnyBeats(BeatTask const& task) {
  double const node = task.gradient, all = task.hessian, least = task.least_hessian, bar = task.bar;
  double const lambda = task.lambda, error_g = task.gradient_error - task.alpha, error_h = task.hessian_error;
  double const first_g = task.gradient_shift, first_h = task.hessian_shift;
  double const* const left_gradient = task.left_gradient;
  double const* const left_hessian = task.left_hessian;
  std::uint64_t beats = 0;
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < task.count; ++i) {
    double const gradient = first_g + left_gradient[i], hessian = first_h + left_hessian[i], rest = node - gradient;
    double const left_g = Most((gradient < 0 ? -gradient : gradient) + error_g, 0);
    double const right_g = Most((rest < 0 ? -rest : rest) + error_g, 0);
    double const left_h = Most(hessian - error_h, least) + lambda;
    double const right_h = Most(all - hessian - error_h, least) + lambda;
    double const score = left_g * left_g * right_h + right_g * right_g * left_h;
    beats |= score > bar * (left_h * right_h) ? std::uint64_t{1} : std::uint64_t{0};
  }
  return beats != 0;
}

// Derivatives as integers of a fine grid, beside what histograms have of them.

// The bits of magnitudes are ordered as these are; of integers compilers find the largest in vectors.
XGBL_ALWAYS_INLINE std::int64_t Larger(std::int64_t bits, double value) {
  auto const own = static_cast<std::int64_t>(ToBits(value) & ~(std::uint64_t{1} << 63U));
  return own > bits ? own : bits;
}

// What histograms have of a row: both halves of one integer, or two integers.
struct NarrowRows {
  std::int32_t const* pairs;
  std::int32_t Gradient(std::size_t i) const { return pairs[i] >> 16; }
  std::int32_t Hessian(std::size_t i) const { return pairs[i] & 0xFFFF; }
};
struct WideRows {
  std::int32_t const* pairs;
  std::int32_t Gradient(std::size_t i) const { return pairs[2 * i]; }
  std::int32_t Hessian(std::size_t i) const { return pairs[2 * i + 1]; }
};

// `kStride` 0: that of the task.
template <std::size_t kStride, class Coarse>
inline FineRowSums FineRowsBeside(FineRowTask const& task, Coarse coarse, std::size_t begin, std::size_t end) {
  float const* const gradients = task.gradient;
  float const* const hessians = task.hessian;
  std::size_t const stride = kStride == 0 ? task.stride : kStride;
  double const gradient_factor = task.gradient_factor, hessian_factor = task.hessian_factor;
  double const gradient_unit = task.coarse_gradient_unit, hessian_unit = task.coarse_hessian_unit;
  constexpr double kNoHessian = 1e-250;  // the ratio of any gradient to it is as good as infinite
  std::int64_t* const rows = task.rows;
  std::int64_t gradient_sum = 0, hessian_sum = 0;
  std::int64_t gradient_off = 0, hessian_off = 0, ratio = 0;
  XGBL_INDEPENDENT
  for (std::size_t i = begin; i < end; ++i) {
    auto const g = static_cast<double>(gradients[i * stride]), h = static_cast<double>(hessians[i * stride]);
    std::int64_t const gradient = NearestInteger(g * gradient_factor), nearest = NearestInteger(h * hessian_factor);
    std::int64_t const hessian = nearest + (((nearest == 0) & (h > 0)) ? 1 : 0);
    rows[2 * i] = gradient;
    rows[2 * i + 1] = hessian;
    gradient_sum += gradient;
    hessian_sum += hessian;
    auto const exact_g = static_cast<double>(gradient), exact_h = static_cast<double>(hessian);
    double const off_g = static_cast<double>(coarse.Gradient(i)) * gradient_unit - exact_g;
    double const off_h = static_cast<double>(coarse.Hessian(i)) * hessian_unit - exact_h;
    gradient_off = Larger(gradient_off, off_g);
    hessian_off = Larger(hessian_off, off_h);
    ratio = Larger(ratio, exact_g / (hessian > 0 ? exact_h : kNoHessian));
  }
  FineRowSums out;
  out.gradient = gradient_sum;
  out.hessian = hessian_sum;
  out.gradient_error = FromBits<double>(static_cast<std::uint64_t>(gradient_off));
  out.hessian_error = FromBits<double>(static_cast<std::uint64_t>(hessian_off));
  out.most_ratio = FromBits<double>(static_cast<std::uint64_t>(ratio));
  return out;
}

template <class Coarse>
inline FineRowSums FineRowsOf(FineRowTask const& task, Coarse coarse, std::size_t begin, std::size_t end) {
  return task.stride == 1 ? FineRowsBeside<1>(task, coarse, begin, end) : FineRowsBeside<0>(task, coarse, begin, end);
}

inline FineRowSums MakeFineRows(FineRowTask const& task, std::size_t begin, std::size_t end) {
  return task.coarse_is_wide ? FineRowsOf(task, WideRows{task.coarse}, begin, end)
                             : FineRowsOf(task, NarrowRows{task.coarse}, begin, end);
}

// Sums over the bins of a histogram that tells rows by the sign of their gradient.

// Rising and falling gradients of so many bins, each a word, side by side.
struct SignSum {
  std::int64_t rising = 0, falling = 0;
};

inline SignSum SumOneByOne(std::int64_t const* words, std::size_t bins) {
  SignSum sum;
  for (std::size_t b = 0; b < bins; ++b) {
    sum.rising += words[2 * b];
    sum.falling += words[2 * b + 1];
  }
  return sum;
}

#if XGBL_LEVEL == 0

inline SignSum SumOfGroup(std::int64_t const* words) { return SumOneByOne(words, SignTask::kGroupBins); }

#else

inline SignSum SumOfGroup(std::int64_t const* words) {
  __m256i four[4];
  for (std::size_t k = 0; k < 4; ++k) four[k] = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(words + 4 * k));
  __m256i const all = _mm256_add_epi64(_mm256_add_epi64(four[0], four[1]), _mm256_add_epi64(four[2], four[3]));
  __m128i const both = _mm_add_epi64(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
  return {_mm_cvtsi128_si64(both), _mm_extract_epi64(both, 1)};
}

#endif

inline void PutRun(SignTask const& task, std::size_t k, SignSum sum) {
  task.sums[k] = sum.rising + sum.falling;
  task.rise[k] = static_cast<double>(static_cast<std::int32_t>(sum.rising >> 32)) * task.gradient_unit;
}

inline void SumSigns(SignTask const& task) {
  std::int64_t const* const words = task.words;
  if (task.groups) {
    std::size_t const whole = task.bins / SignTask::kGroupBins, rest = task.bins % SignTask::kGroupBins;
    for (std::size_t k = 0; k < whole; ++k) PutRun(task, k, SumOfGroup(words + 2 * k * SignTask::kGroupBins));
    if (rest > 0) PutRun(task, whole, SumOneByOne(words + 2 * whole * SignTask::kGroupBins, rest));
    return;
  }
  SignTask const own = task;  // a copy, so that a compiler knows that nothing is written into it
  XGBL_INDEPENDENT
  for (std::size_t k = 0; k < own.bins; ++k) PutRun(own, k, {words[2 * k], words[2 * k + 1]});
}

constexpr ExactKernels kTable = {MakeFineRows, SumSigns, BinBounds, AnyBeats};
