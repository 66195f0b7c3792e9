// SPDX-License-Identifier: Apache-2.0
// Trees of few levels on blocks of 64 rows. Included by kernels.inl, once per instruction set.
//
// With vectors every node of a level is compared: edge minus code, saturated, is 0 where a row turns right. Which of
// these differences counts for a row follows from the turns that it has taken, so they are blended until one is left:
// by the first turn first, as the last is known last.

#if XGBL_LEVEL > 0

#if XGBL_LEVEL == 2

struct HeapVector {
  using Bytes = __m512i;
  using Turns = __mmask64;
  static constexpr std::size_t kRows = 64;

  static Bytes Difference(HeapNode const& node, std::uint8_t const* codes) {
    return _mm512_subs_epu8(_mm512_set1_epi32(static_cast<int>(node.edge)), _mm512_loadu_si512(codes + node.cell));
  }
  static Turns RightTurns(Bytes difference) { return _mm512_testn_epi8_mask(difference, difference); }
  static Bytes Choose(Turns turns, Bytes left, Bytes right) { return _mm512_mask_blend_epi8(turns, left, right); }
  static Bytes None() { return _mm512_setzero_si512(); }
  static Bytes AddBit(Bytes index, Turns turns, int bit) {
    return _mm512_mask_add_epi8(index, turns, index, _mm512_set1_epi8(static_cast<char>(bit)));
  }
  static void Store(Bytes index, std::uint8_t* to) { _mm512_storeu_si512(to, index); }
};

#else

struct HeapVector {
  using Bytes = __m256i;
  using Turns = __m256i;
  static constexpr std::size_t kRows = 32;

  static Bytes Difference(HeapNode const& node, std::uint8_t const* codes) {
    __m256i const code = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(codes + node.cell));
    return _mm256_subs_epu8(_mm256_set1_epi32(static_cast<int>(node.edge)), code);
  }
  static Turns RightTurns(Bytes difference) { return _mm256_cmpeq_epi8(difference, _mm256_setzero_si256()); }
  static Bytes Choose(Turns turns, Bytes left, Bytes right) { return _mm256_blendv_epi8(left, right, turns); }
  static Bytes None() { return _mm256_setzero_si256(); }
  static Bytes AddBit(Bytes index, Turns turns, int bit) {
    return _mm256_add_epi8(index, _mm256_and_si256(turns, _mm256_set1_epi8(static_cast<char>(bit))));
  }
  static void Store(Bytes index, std::uint8_t* to) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), index); }
};

#endif

// The differences of the nodes first, first + step, … of a level, blended by the turns [0, kTurns).
template <int kTurns, std::size_t kStep>
inline HeapVector::Bytes Blended(HeapNode const* first, std::uint8_t const* codes, HeapVector::Turns const* turns) {
  if constexpr (kTurns == 0) {
    return HeapVector::Difference(*first, codes);
  } else {
    auto const left = Blended<kTurns - 1, 2 * kStep>(first, codes, turns);
    auto const right = Blended<kTurns - 1, 2 * kStep>(first + kStep, codes, turns);
    return HeapVector::Choose(turns[kTurns - 1], left, right);
  }
}

template <int kLevel, int kLevels>
inline HeapVector::Bytes Descend(HeapNode const* nodes, std::uint8_t const* codes, HeapVector::Turns* turns,
                                 HeapVector::Bytes index) {
  if constexpr (kLevel == kLevels) {
    return index;
  } else {
    auto const difference = Blended<kLevel, 1>(nodes + (std::size_t{1} << kLevel) - 1, codes, turns);
    turns[kLevel] = HeapVector::RightTurns(difference);
    index = HeapVector::AddBit(index, turns[kLevel], 1 << (kLevels - 1 - kLevel));
    return Descend<kLevel + 1, kLevels>(nodes, codes, turns, index);
  }
}

template <int kLevels>
inline void FindHeapLeaves(HeapNode const* nodes, std::uint8_t const* codes, std::uint8_t* leaf) {
  for (std::size_t i = 0; i < kCodeRows; i += HeapVector::kRows) {
    HeapVector::Turns turns[kLevels];
    HeapVector::Store(Descend<0, kLevels>(nodes, codes + i, turns, HeapVector::None()), leaf + i);
  }
}

#else

template <int kLevels>
inline void FindHeapLeaves(HeapNode const* nodes, std::uint8_t const* codes, std::uint8_t* leaf) {
  std::uint32_t at[kCodeRows] = {};
  for (int level = 0; level < kLevels; ++level) {
    for (std::size_t i = 0; i < kCodeRows; ++i) {
      HeapNode const node = nodes[at[i]];
      at[i] = 2 * at[i] + 1 + (codes[node.cell + i] >= (node.edge & 0xFFU) ? 1U : 0U);
    }
  }
  for (std::size_t i = 0; i < kCodeRows; ++i) leaf[i] = static_cast<std::uint8_t>(at[i] - ((1U << kLevels) - 1));
}

#endif

inline void HeapLeaves(HeapTree const& tree, std::uint8_t const* codes, std::uint8_t* leaf) {
  switch (tree.levels) {
    case 1:
      return FindHeapLeaves<1>(tree.nodes, codes, leaf);
    case 2:
      return FindHeapLeaves<2>(tree.nodes, codes, leaf);
    case 3:
      return FindHeapLeaves<3>(tree.nodes, codes, leaf);
    case 4:
      return FindHeapLeaves<4>(tree.nodes, codes, leaf);
    case 5:
      return FindHeapLeaves<5>(tree.nodes, codes, leaf);
    default:
      return FindHeapLeaves<6>(tree.nodes, codes, leaf);
  }
}

#if XGBL_LEVEL == 2

// The leaves of a tree are in registers, where a permutation gives each row its own.
inline void AddLeaves(float const* leaves, std::uint32_t levels, std::uint8_t const* leaf, float* sums) {
  __m512 const v0 = _mm512_loadu_ps(leaves);
  __m512 const v1 = levels > 4 ? _mm512_loadu_ps(leaves + 16) : v0;
  __m512 const v2 = levels > 5 ? _mm512_loadu_ps(leaves + 32) : v0;
  __m512 const v3 = levels > 5 ? _mm512_loadu_ps(leaves + 48) : v1;
  __m512i const half = _mm512_set1_epi32(32);
  for (std::size_t i = 0; i < kCodeRows; i += 16) {
    __m512i const at = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<__m128i const*>(leaf + i)));
    __m512 const low = _mm512_permutex2var_ps(v0, at, v1);
    __m512 const high = _mm512_permutex2var_ps(v2, at, v3);
    __m512 const value = _mm512_mask_blend_ps(_mm512_test_epi32_mask(at, half), low, high);
    _mm512_storeu_ps(sums + i, _mm512_add_ps(_mm512_loadu_ps(sums + i), value));
  }
}

#else

inline void AddLeaves(float const* leaves, std::uint32_t /*levels*/, std::uint8_t const* leaf, float* sums) {
  for (std::size_t i = 0; i < kCodeRows; ++i) sums[i] += leaves[leaf[i]];
}

#endif

inline void AddHeaps(HeapTask const& task) {
  std::uint8_t leaf[kCodeRows];
  for (std::size_t t = 0; t < task.count; ++t) {
    HeapTree const tree = task.trees[t];
    std::size_t const width = tree.levels < 4 ? 16 : std::size_t{1} << tree.levels;
    for (std::size_t block = 0; block < task.blocks; ++block) {
      HeapLeaves(tree, task.codes + block * task.block_bytes, leaf);
      float* const sums = task.sums + block * task.block_sums + tree.output * kCodeRows;
      for (std::size_t k = 0; k < tree.outputs; ++k) {
        AddLeaves(tree.leaves + k * width, tree.levels, leaf, sums + k * kCodeRows);
      }
    }
  }
}
