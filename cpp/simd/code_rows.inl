// SPDX-License-Identifier: Apache-2.0
// Values to codes of a byte. After bin_search.inl.

#if XGBL_LEVEL < 2

inline void StoreCode(CodeTask const& task, std::size_t row, bool missing, std::uint16_t code) {
  std::size_t const at = row / kCodeRows * task.block_bytes + row % kCodeRows;
  if (task.low != nullptr) task.low[at] = static_cast<std::uint8_t>(missing ? 0 : code);
  if (task.high != nullptr) task.high[at] = static_cast<std::uint8_t>(missing ? kMostEdges : code);
}

inline std::size_t EdgesAtMost(RowColumn const& column, float value) {
  std::size_t at = 0;
  for (std::size_t left = column.count; left > 0;) {
    std::size_t const half = (left + 1) / 2;
    at += column.edges[at + half - 1] <= value ? half : 0;
    left -= half;
  }
  return at;
}

inline void CodeRows(CodeTask const& task) {
  constexpr std::size_t kTogether = 4 * kCodeRows;
  float values[kTogether];
  std::uint16_t bins[kTogether];
  std::size_t const missing = task.count + 1;
  for (std::size_t begin = 0; begin < task.rows; begin += kTogether) {
    std::size_t const rows = task.rows - begin < kTogether ? task.rows - begin : kTogether;
    for (std::size_t i = 0; i < rows; ++i) {
      float const value = task.values[begin + i];
      values[i] = value == task.missing ? std::numeric_limits<float>::quiet_NaN() : value;
    }
    BinsOf(values, rows, task.edges, task.count + 1, bins);
    for (std::size_t i = 0; i < rows; ++i) StoreCode(task, begin + i, bins[i] == missing, bins[i]);
  }
}

#else

inline void StoreCodes(CodeTask const& task, std::size_t row, __m512 x, __m512i code) {
  __mmask16 const missing =
      _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q) | _mm512_cmp_ps_mask(x, _mm512_set1_ps(task.missing), _CMP_EQ_OQ);
  std::size_t const at = row / kCodeRows * task.block_bytes + row % kCodeRows;
  if (task.low != nullptr) {
    __m128i const low = _mm512_maskz_cvtepi32_epi8(static_cast<__mmask16>(~missing), code);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(task.low + at), low);
  }
  if (task.high != nullptr) {
    __m128i const high = _mm512_mask_cvtepi32_epi8(_mm_set1_epi8(-1), static_cast<__mmask16>(~missing), code);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(task.high + at), high);
  }
}

template <bool kFew>
inline void CodeInRegisters(CodeTask const& task) {
  EdgeRegisters edges;
  for (std::size_t k = 0; k < 4; ++k) edges.group[k] = _mm512_loadu_ps(task.table + k * 16);
  for (std::size_t j = 0; !kFew && j < 15; ++j) edges.within[j] = _mm512_loadu_ps(task.table + (4 + j) * 16);
  for (std::size_t row = 0; row < task.rows; row += 16) {
    std::size_t const left = task.rows - row;
    auto const lanes = static_cast<__mmask16>(left < 16 ? 0xFFFFU >> (16 - left) : 0xFFFFU);
    __m512 const x = _mm512_maskz_loadu_ps(lanes, task.values + row);
    __m512i code = SearchGroup(edges, x);
    if (!kFew) code = SearchWithin(edges, x, code);
    StoreCodes(task, row, x, code);
  }
}

// Which sixteen edges a value lies among, and how many of these are at most the value.
inline std::size_t EdgesAtMost(RowColumn const& column, float value) {
  __m512 const x = _mm512_set1_ps(value);
  std::size_t first = 0;
  if (column.count > kFewEdges) {
    first = 16U * static_cast<unsigned>(__builtin_popcount(AtLeast(x, _mm512_loadu_ps(column.every_16th))));
  }
  std::size_t const left = column.count - first;
  auto const lanes = static_cast<__mmask16>(left < 16 ? 0xFFFFU >> (16 - left) : 0xFFFFU);
  __m512 const edges = _mm512_maskz_loadu_ps(lanes, column.edges + first);
  return first + static_cast<unsigned>(__builtin_popcount(AtLeast(x, edges) & lanes));
}

inline void CodeRows(CodeTask const& task) {
  task.count <= kFewEdges ? CodeInRegisters<true>(task) : CodeInRegisters<false>(task);
}

#endif

inline void CodeRow(RowCodeTask const& task) {
  for (std::size_t i = 0; i < task.count; ++i) {
    RowColumn const& column = task.columns[i];
    float const value = task.values[column.used];
    bool const missing = value != value;
    auto const code = static_cast<std::uint8_t>(EdgesAtMost(column, value));
    task.codes[column.low] = missing ? 0 : code;
    task.codes[column.high] = missing ? kMostEdges : code;
  }
}

#if XGBL_LEVEL > 0

// Codes pick a byte of the set by their upper five bits, and a bit of it by their lower three.
inline void AddCodeSet(CodeSetTask const& task) {
  __m256i const ones = _mm256_set1_epi8(1);
  __m256i const bit_of = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16,
                                          32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  auto const* const bits = reinterpret_cast<__m128i const*>(task.bits);
  __m256i const lower = _mm256_broadcastsi128_si256(_mm_loadu_si128(bits));
  __m256i const upper = _mm256_broadcastsi128_si256(_mm_loadu_si128(bits + 1));
  for (std::size_t i = 0; i < kCodeRows; i += 32) {
    __m256i const code = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(task.codes + i));
    __m256i const byte = _mm256_and_si256(_mm256_srli_epi16(code, 3), _mm256_set1_epi8(15));
    __m256i const found = _mm256_blendv_epi8(_mm256_shuffle_epi8(lower, byte), _mm256_shuffle_epi8(upper, byte), code);
    __m256i const bit = _mm256_shuffle_epi8(bit_of, _mm256_and_si256(code, _mm256_set1_epi8(7)));
    __m256i const inside = _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_and_si256(found, bit), bit), ones);
    auto* const cell = reinterpret_cast<__m256i*>(task.cell + i);
    _mm256_storeu_si256(cell, _mm256_or_si256(_mm256_loadu_si256(cell), inside));
  }
}

#else

inline void AddCodeSet(CodeSetTask const& task) {
  for (std::size_t i = 0; i < kCodeRows; ++i) {
    unsigned const code = task.codes[i];
    task.cell[i] = static_cast<std::uint8_t>(task.cell[i] | (task.bits[code / 8] >> code % 8 & 1U));
  }
}

#endif
