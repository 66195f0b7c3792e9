// SPDX-License-Identifier: Apache-2.0
// Rows to the left or to the right by the code that each has. Included by kernels.inl, once per instruction set.
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
