// SPDX-License-Identifier: Apache-2.0
// Finds the bin of a value. The first steps of a binary search compare with few edges. These stay in registers, where a
// permutation picks each value's edge, so many values proceed together without a branch. The last steps are one
// comparison of a value with a window of neighbouring edges. They are a separate loop, because they would otherwise
// wait for what was just stored. (Gathers of single edges take several times as long.)

// A plain search, several values at a time.
inline void FewBinsOf(float const* x, std::size_t n, float const* upper, std::size_t bins, std::uint16_t* bin) {
  constexpr std::size_t kTogether = 8;
  for (std::size_t i = 0; i < n; i += kTogether) {
    float value[kTogether];
    std::uint32_t at[kTogether] = {};
    std::size_t const count = n - i < kTogether ? n - i : kTogether;
    for (std::size_t k = 0; k < kTogether; ++k) value[k] = x[i + (k < count ? k : 0)];
    for (std::size_t left = bins - 1; left > 0;) {
      auto const half = static_cast<std::uint32_t>((left + 1) / 2);
      for (std::size_t k = 0; k < kTogether; ++k) at[k] += upper[at[k] + half - 1] <= value[k] ? half : 0;
      left -= half;
    }
    for (std::size_t k = 0; k < count; ++k) {
      bin[i + k] = static_cast<std::uint16_t>(value[k] != value[k] ? bins : at[k]);
    }
  }
}

#if XGBL_LEVEL > 0

constexpr std::size_t kWorthLoading = 96;  // so many values repay filling the registers with edges

// Of every how many edges one must be taken so that no more than `most` are.
inline std::size_t StrideFor(std::size_t count, std::size_t most) {
  std::size_t stride = 1;
  while ((most + 1) * stride <= count) stride *= 2;
  return stride;
}

#endif

#if XGBL_LEVEL == 2

constexpr std::size_t kWindow = 16;  // at most

// How many of the edges in a window are at most x.
template <std::size_t kEdges>
inline std::size_t CountAtMost(float const* edges, float x) {
  if (kEdges == 8) {
    return static_cast<std::size_t>(
        __builtin_popcount(_mm256_cmp_ps_mask(_mm256_loadu_ps(edges), _mm256_set1_ps(x), _CMP_LE_OQ)));
  }
  return static_cast<std::size_t>(
      __builtin_popcount(_mm512_cmp_ps_mask(_mm512_loadu_ps(edges), _mm512_set1_ps(x), _CMP_LE_OQ)));
}

// The edges of a tree of depth eight over every `stride`-th of `count`: sixteen groups of fifteen, and what parts the
// groups. NaN stands for what is not there: no value lies above it.
struct EdgeRegisters {
  __m512 group[4];    // group[k][i]: the edge with which a search at group i goes on that has k steps to go
  __m512 within[15];  // within[j][i]: edge j of group i
};

inline __m512 EveryEdge(float const* edges, std::size_t count, std::size_t first, std::size_t stride) {
  __m512i const lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __m512i const at = _mm512_add_epi32(_mm512_mullo_epi32(lane, _mm512_set1_epi32(static_cast<int>(stride))),
                                      _mm512_set1_epi32(static_cast<int>(first)));
  __mmask16 const there = _mm512_cmplt_epi32_mask(at, _mm512_set1_epi32(static_cast<int>(count)));
  return _mm512_mask_i32gather_ps(_mm512_set1_ps(__builtin_nanf("")), there, at, edges, 4);
}

inline EdgeRegisters LoadEdges(float const* edges, std::size_t count, std::size_t stride) {
  EdgeRegisters out;
  for (std::size_t k = 0; k < 4; ++k) {
    out.group[k] = EveryEdge(edges, count, (std::size_t{16} << k) * stride - 1, 16 * stride);
  }
  for (std::size_t j = 0; j < 15; ++j) out.within[j] = EveryEdge(edges, count, (j + 1) * stride - 1, 16 * stride);
  return out;
}

inline __mmask16 AtLeast(__m512 x, __m512 edge) { return _mm512_cmp_ps_mask(edge, x, _CMP_LE_OQ); }

inline __m512i AddWhere(__m512i index, __mmask16 where, int step) {
  return _mm512_mask_add_epi32(index, where, index, _mm512_set1_epi32(step));
}

inline __m512i SearchGroup(EdgeRegisters const& edges, __m512 x) {
  __m512i group = _mm512_setzero_si512();
  group = AddWhere(group, AtLeast(x, _mm512_permutexvar_ps(group, edges.group[3])), 8);
  group = AddWhere(group, AtLeast(x, _mm512_permutexvar_ps(group, edges.group[2])), 4);
  group = AddWhere(group, AtLeast(x, _mm512_permutexvar_ps(group, edges.group[1])), 2);
  return AddWhere(group, AtLeast(x, _mm512_permutexvar_ps(group, edges.group[0])), 1);
}

inline __m512i SearchWithin(EdgeRegisters const& edges, __m512 x, __m512i group) {
  __m512 const* const w = edges.within;
  __mmask16 const b8 = AtLeast(x, _mm512_permutexvar_ps(group, w[7]));
  __m512i const i8 = AddWhere(group, b8, 16);
  __mmask16 const b4 = AtLeast(x, _mm512_permutex2var_ps(w[3], i8, w[11]));
  __m512i const i4 = AddWhere(group, b4, 16);
  __m512 const e2 =
      _mm512_mask_blend_ps(b8, _mm512_permutex2var_ps(w[1], i4, w[5]), _mm512_permutex2var_ps(w[9], i4, w[13]));
  __mmask16 const b2 = AtLeast(x, e2);
  __m512i const i2 = AddWhere(group, b2, 16);
  __m512 const low =
      _mm512_mask_blend_ps(b4, _mm512_permutex2var_ps(w[0], i2, w[2]), _mm512_permutex2var_ps(w[4], i2, w[6]));
  __m512 const high =
      _mm512_mask_blend_ps(b4, _mm512_permutex2var_ps(w[8], i2, w[10]), _mm512_permutex2var_ps(w[12], i2, w[14]));
  __mmask16 const b1 = AtLeast(x, _mm512_mask_blend_ps(b8, low, high));
  __m512i bin = _mm512_slli_epi32(group, 4);
  bin = AddWhere(bin, b8, 8);
  bin = AddWhere(bin, b4, 4);
  bin = AddWhere(bin, b2, 2);
  return AddWhere(bin, b1, 1);
}

inline void StoreBins(__m512 x, __m512i found, std::size_t bins, __mmask16 lanes, std::uint16_t* bin) {
  __mmask16 const missing = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
  found = _mm512_mask_mov_epi32(found, missing, _mm512_set1_epi32(static_cast<int>(bins)));
  _mm512_mask_cvtepi32_storeu_epi16(bin, lanes, found);
}

// The steps of a search that are taken in registers: the bins if `stride` is 1, else groups of `stride` bins.
inline void SearchRegisters(float const* x, std::size_t n, float const* upper, std::size_t bins, std::size_t stride,
                            std::uint16_t* bin) {
  bool const few = bins <= 16;
  EdgeRegisters edges;
  if (few) {
    for (std::size_t k = 0; k < 4; ++k) edges.group[k] = EveryEdge(upper, bins - 1, (std::size_t{1} << k) - 1, 1);
  } else {
    edges = LoadEdges(upper, bins - 1, stride);
  }
  for (std::size_t i = 0; i < n; i += 16) {
    auto const lanes = static_cast<__mmask16>(n - i < 16 ? 0xFFFFU >> (16 - (n - i)) : 0xFFFFU);
    __m512 const value = _mm512_maskz_loadu_ps(lanes, x + i);
    __m512i at = SearchGroup(edges, value);
    if (!few) at = SearchWithin(edges, value, at);
    StoreBins(value, at, bins, lanes, bin + i);
  }
}

constexpr std::size_t kMostInRegisters = 255;

#elif XGBL_LEVEL == 1

constexpr std::size_t kWindow = 8;

// How many of the edges in a window are at most x.
template <std::size_t kEdges>
inline std::size_t CountAtMost(float const* edges, float x) {
  __m256 const below = _mm256_cmp_ps(_mm256_loadu_ps(edges), _mm256_set1_ps(x), _CMP_LE_OQ);
  return static_cast<std::size_t>(__builtin_popcount(static_cast<unsigned>(_mm256_movemask_ps(below))));
}

// The edges of a tree of depth five over every `stride`-th of `count`, by the step of the search that uses them. NaN
// stands for what is not there: no value lies above it.
struct EdgeRegisters {
  __m256 step[4];
  __m256 last[2];
};

inline EdgeRegisters LoadEdges(float const* edges, std::size_t count, std::size_t stride) {
  EdgeRegisters out;
  for (std::size_t step = 0; step < 5; ++step) {
    float own[16];
    for (std::size_t k = 0; k < 16; ++k) {
      std::size_t const edge = (((2 * k + 1) << (4 - step)) * stride) - 1;
      own[k] = k >> step == 0 && edge < count ? edges[edge] : __builtin_nanf("");
    }
    if (step < 4) out.step[step] = _mm256_loadu_ps(own);
    if (step == 4) out.last[0] = _mm256_loadu_ps(own);
    if (step == 4) out.last[1] = _mm256_loadu_ps(own + 8);
  }
  return out;
}

inline __m256i AtLeast(__m256 x, __m256 edge) { return _mm256_castps_si256(_mm256_cmp_ps(edge, x, _CMP_LE_OQ)); }

// Which of 32 groups of edges each value lies in.
inline __m256i SearchGroup(EdgeRegisters const& edges, __m256 x) {
  __m256i const first = AtLeast(x, _mm256_permutevar8x32_ps(edges.step[0], _mm256_setzero_si256()));
  __m256i group = _mm256_sub_epi32(_mm256_setzero_si256(), first);  // true is -1
  for (std::size_t step = 1; step < 4; ++step) {
    __m256i const above = AtLeast(x, _mm256_permutevar8x32_ps(edges.step[step], group));
    group = _mm256_sub_epi32(_mm256_add_epi32(group, group), above);
  }
  __m256 const last = _mm256_blendv_ps(_mm256_permutevar8x32_ps(edges.last[0], group),
                                       _mm256_permutevar8x32_ps(edges.last[1], group), _mm256_castsi256_ps(first));
  return _mm256_sub_epi32(_mm256_add_epi32(group, group), AtLeast(x, last));
}

inline void SearchRegisters(float const* x, std::size_t n, float const* upper, std::size_t bins, std::size_t stride,
                            std::uint16_t* bin) {
  EdgeRegisters const edges = LoadEdges(upper, bins - 1, stride);
  std::size_t const whole = n - n % 8;
  for (std::size_t i = 0; i < whole; i += 8) {
    __m256 const value = _mm256_loadu_ps(x + i);
    __m256i const missing = _mm256_castps_si256(_mm256_cmp_ps(value, value, _CMP_UNORD_Q));
    __m256i const found =
        _mm256_blendv_epi8(SearchGroup(edges, value), _mm256_set1_epi32(static_cast<int>(bins)), missing);
    __m128i const packed = _mm_packus_epi32(_mm256_castsi256_si128(found), _mm256_extracti128_si256(found, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bin + i), packed);
  }
  if (whole == n) return;
  float value[8] = {};
  std::uint16_t found[8];
  for (std::size_t i = whole; i < n; ++i) value[i - whole] = x[i];
  SearchRegisters(value, 8, upper, bins, stride, found);
  for (std::size_t i = whole; i < n; ++i) bin[i] = found[i - whole];
}

constexpr std::size_t kMostInRegisters = 31;

#endif

#if XGBL_LEVEL > 0

// Goes on with searches that have found groups of `stride` bins: halves them until a window is left.
template <std::size_t kEdges>
inline void SearchMemory(float const* x, std::size_t n, float const* upper, std::size_t bins, std::size_t stride,
                         std::uint16_t* bin) {
  std::size_t const count = bins - 1;
  for (std::size_t i = 0; i < n; ++i) {
    float const value = x[i];
    std::size_t at = bin[i] * stride;
    for (std::size_t step = stride / 2; step >= kEdges; step /= 2) {
      // Behind the last edge, that one is asked: if it is at most the value, so are all.
      std::size_t const edge = at + step - 1 < count ? at + step - 1 : count - 1;
      at += step * static_cast<std::size_t>(upper[edge] <= value);  // a product, lest it become a branch
    }
    at = at < count - kEdges ? at : count - kEdges;
    at += CountAtMost<kEdges>(upper + at, value);
    bin[i] = static_cast<std::uint16_t>(at);
  }
  auto const missing = static_cast<std::uint16_t>(bins);
  for (std::size_t i = 0; i < n; ++i) bin[i] = x[i] != x[i] ? missing : bin[i];
}

inline void BinsOf(float const* x, std::size_t n, float const* upper, std::size_t bins, std::uint16_t* bin) {
  if (bins > 16 && n < kWorthLoading) return FewBinsOf(x, n, upper, bins, bin);
  std::size_t const stride = StrideFor(bins - 1, kMostInRegisters);
  SearchRegisters(x, n, upper, bins, stride, bin);
  if (stride > 8) {
    SearchMemory<kWindow>(x, n, upper, bins, stride, bin);
  } else if (stride > 1) {
    SearchMemory<8>(x, n, upper, bins, stride, bin);
  }
}

#else

inline void BinsOf(float const* x, std::size_t n, float const* upper, std::size_t bins, std::uint16_t* bin) {
  FewBinsOf(x, n, upper, bins, bin);
}

#endif
