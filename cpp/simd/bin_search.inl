// SPDX-License-Identifier: Apache-2.0
// Which bin a value is in. The first steps of a binary search compare with few edges: these stay in registers, where a
// permutation picks each value its own, so that many values go on together without a branch. The last steps are one
// comparison of a value with a window of neighbouring edges. (Gathers of single edges take several times as long.)
// Included by kernels.inl, once per instruction set.

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

// Narrows a search down to `window` edges: of `count`, those from `at` on, of which x lies above none or some. There are
// at least `window` edges. Where the halves would reach beyond the last edge, that one tells that all lie below x.
template <std::size_t kWindow>
inline std::size_t WindowBegin(float const* edges, std::size_t count, std::size_t stride, float x, std::size_t at) {
  for (std::size_t step = stride / 2; step >= kWindow; step /= 2) {
    std::size_t const edge = at + step - 1 < count ? at + step - 1 : count - 1;
    at += step * static_cast<std::size_t>(edges[edge] <= x);  // a product, lest it become a branch
  }
  return at < count - kWindow ? at : count - kWindow;
}

// Of every how many edges one must be taken so that no more than `most` are.
inline std::size_t StrideFor(std::size_t count, std::size_t most) {
  std::size_t stride = 1;
  while ((most + 1) * stride <= count) stride *= 2;
  return stride;
}

#endif

#if XGBL_LEVEL == 2

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
  __m512 const e2 = _mm512_mask_blend_ps(b8, _mm512_permutex2var_ps(w[1], i4, w[5]),
                                         _mm512_permutex2var_ps(w[9], i4, w[13]));
  __mmask16 const b2 = AtLeast(x, e2);
  __m512i const i2 = AddWhere(group, b2, 16);
  __m512 const low = _mm512_mask_blend_ps(b4, _mm512_permutex2var_ps(w[0], i2, w[2]),
                                          _mm512_permutex2var_ps(w[4], i2, w[6]));
  __m512 const high = _mm512_mask_blend_ps(b4, _mm512_permutex2var_ps(w[8], i2, w[10]),
                                           _mm512_permutex2var_ps(w[12], i2, w[14]));
  __mmask16 const b1 = AtLeast(x, _mm512_mask_blend_ps(b8, low, high));
  __m512i bin = _mm512_slli_epi32(group, 4);
  bin = AddWhere(bin, b8, 8);
  bin = AddWhere(bin, b4, 4);
  bin = AddWhere(bin, b2, 2);
  return AddWhere(bin, b1, 1);
}

// The steps that are left where an edge in registers stands for `stride` edges in memory.
inline void SearchMemory(float const* edges, std::size_t bins, std::size_t stride, __m512 x, __m512i group,
                         std::size_t lanes, std::uint16_t* bin) {
  constexpr std::size_t kWindow = 16;
  alignas(64) std::uint32_t at[16];
  alignas(64) float value[16];
  _mm512_store_si512(at, group);
  _mm512_store_ps(value, x);
  for (std::size_t k = 0; k < lanes; ++k) {
    std::size_t const begin = WindowBegin<kWindow>(edges, bins - 1, stride, value[k], at[k] * stride);
    __mmask16 const below = AtLeast(_mm512_set1_ps(value[k]), _mm512_loadu_ps(edges + begin));
    std::size_t const found = begin + static_cast<std::size_t>(__builtin_popcount(below));
    bin[k] = static_cast<std::uint16_t>(value[k] != value[k] ? bins : found);
  }
}

inline void StoreBins(__m512 x, __m512i found, std::size_t bins, __mmask16 lanes, std::uint16_t* bin) {
  __mmask16 const missing = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
  found = _mm512_mask_mov_epi32(found, missing, _mm512_set1_epi32(static_cast<int>(bins)));
  _mm512_mask_cvtepi32_storeu_epi16(bin, lanes, found);
}

inline void BinsOf(float const* x, std::size_t n, float const* upper, std::size_t bins, std::uint16_t* bin) {
  std::size_t const count = bins - 1;
  bool const few = count < 16;
  if (!few && n < kWorthLoading) return FewBinsOf(x, n, upper, bins, bin);
  std::size_t const stride = StrideFor(count, 255);
  EdgeRegisters edges;
  if (few) {
    for (std::size_t k = 0; k < 4; ++k) edges.group[k] = EveryEdge(upper, count, (std::size_t{1} << k) - 1, 1);
  } else {
    edges = LoadEdges(upper, count, stride);
  }
  for (std::size_t i = 0; i < n; i += 16) {
    std::size_t const left = n - i < 16 ? n - i : 16;
    auto const lanes = static_cast<__mmask16>(0xFFFFU >> (16 - left));
    __m512 const value = _mm512_maskz_loadu_ps(lanes, x + i);
    __m512i at = SearchGroup(edges, value);
    if (!few) at = SearchWithin(edges, value, at);
    if (stride == 1) {
      StoreBins(value, at, bins, lanes, bin + i);
    } else {
      SearchMemory(upper, bins, stride, value, at, left, bin + i);
    }
  }
}

#elif XGBL_LEVEL == 1

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
  __m256 const last =
      _mm256_blendv_ps(_mm256_permutevar8x32_ps(edges.last[0], group), _mm256_permutevar8x32_ps(edges.last[1], group),
                       _mm256_castsi256_ps(first));
  return _mm256_sub_epi32(_mm256_add_epi32(group, group), AtLeast(x, last));
}

inline void BinsOf(float const* x, std::size_t n, float const* upper, std::size_t bins, std::uint16_t* bin) {
  constexpr std::size_t kWindow = 8;
  std::size_t const count = bins - 1, stride = StrideFor(count, 31);
  if (n < kWorthLoading) return FewBinsOf(x, n, upper, bins, bin);
  EdgeRegisters const edges = LoadEdges(upper, count, stride);
  for (std::size_t i = 0; i < n; i += 8) {
    alignas(32) float value[8] = {};
    alignas(32) std::uint32_t at[8];
    std::size_t const lanes = n - i < 8 ? n - i : 8;
    if (lanes == 8) _mm256_store_ps(value, _mm256_loadu_ps(x + i));
    for (std::size_t k = 0; k < lanes && lanes < 8; ++k) value[k] = x[i + k];
    _mm256_store_si256(reinterpret_cast<__m256i*>(at), SearchGroup(edges, _mm256_load_ps(value)));
    for (std::size_t k = 0; k < lanes; ++k) {
      std::size_t found = at[k];
      if (stride > 1) {
        std::size_t const begin = WindowBegin<kWindow>(upper, count, stride, value[k], at[k] * stride);
        __m256 const below = _mm256_cmp_ps(_mm256_loadu_ps(upper + begin), _mm256_set1_ps(value[k]), _CMP_LE_OQ);
        found = begin + static_cast<std::size_t>(__builtin_popcount(static_cast<unsigned>(_mm256_movemask_ps(below))));
      }
      bin[i + k] = static_cast<std::uint16_t>(value[k] != value[k] ? bins : found);
    }
  }
}

#else

inline void BinsOf(float const* x, std::size_t n, float const* upper, std::size_t bins, std::uint16_t* bin) {
  FewBinsOf(x, n, upper, bins, bin);
}

#endif
