// SPDX-License-Identifier: Apache-2.0
// Sums over the bins of a histogram that tells rows by the sign of their gradient. Included by kernels.inl, once per
// instruction set.

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
