// SPDX-License-Identifier: Apache-2.0
// Few rows through trees that are heaps of bytes. Compiled once more than the others, for
// processors that permute the bytes of a whole register.

#if XGBL_LEVEL >= 2

// Leaves of a tree looked up in registers.
template <int kBits>
inline __m512 PickLeaves(float const* leaves, __m512i at) {
  if constexpr (kBits == 5) {
    return _mm512_permutex2var_ps(_mm512_loadu_ps(leaves), at, _mm512_loadu_ps(leaves + 16));
  } else {
    constexpr int kHalf = 1 << (kBits - 1);
    __mmask16 const high = _mm512_test_epi32_mask(at, _mm512_set1_epi32(kHalf));
    return _mm512_mask_blend_ps(high, PickLeaves<kBits - 1>(leaves, at), PickLeaves<kBits - 1>(leaves + kHalf, at));
  }
}

#endif

// What a row does in a tree is a walk. The walks of some trees are numbered by tree and row.
struct ByteWalks {
  static constexpr std::size_t kMost = 256;
  static constexpr std::size_t kLanes = 16;  // read behind the last, and not used

  ByteTask const& task;
  std::size_t first = 0;  // tree
  std::size_t trees = 0;
  std::size_t count = 0;
  std::uint8_t tree[kMost], row[kMost];  // the tree from the first on
  ByteExit at[kMost + kLanes] = {};

  explicit ByteWalks(ByteTask const& heaps) : task(heaps) {
#if XGBL_LEVEL == 3
    if (!task.any_twigs) return;  // nobody asks
#endif
    std::size_t const most = std::min(TreesAtOnce(), task.count);
    std::size_t walk = 0;
    for (std::size_t t = 0; t < most; ++t) {
      for (std::size_t r = 0; r < task.rows; ++r, ++walk) {
        tree[walk] = static_cast<std::uint8_t>(t);
        row[walk] = static_cast<std::uint8_t>(r);
      }
    }
  }
  std::size_t TreesAtOnce() const { return kMost / task.rows; }
  std::uint8_t const* Codes(std::size_t walk) const { return task.codes + row[walk] * task.row_bytes; }
  ByteTwig const& Twig(std::size_t walk) const { return task.trees[first + tree[walk]].twigs[at[walk]]; }
};

inline void AddEachLeaf(ByteTree const& tree, ByteExit const* at, std::size_t rows, float* sums) {
  for (std::size_t k = 0; k < tree.outputs; ++k) {
    float const* const leaves = tree.leaves + k * tree.leaf_room;
    float* const to = sums + (tree.output + k) * kByteRows;
    for (std::size_t row = 0; row < rows; ++row) to[row] += leaves[at[row] & ~kLeafExit];
  }
}

#if XGBL_LEVEL < 3

// Eight walks side by side, so that their loads overlap. `heap_of` and `codes_of` tell what a walk needs, `ended` is
// told which exit it takes.
template <class HeapOf, class CodesOf, class Ended>
inline void WalkHeaps(std::size_t walks, unsigned levels, HeapOf const& heap_of, CodesOf const& codes_of,
                      Ended const& ended) {
  constexpr std::size_t kTogether = 8;
  for (std::size_t first = 0; first < walks; first += kTogether) {
    std::uint8_t const* cells[kTogether];
    std::uint8_t const* edges[kTogether];
    std::uint8_t const* codes[kTogether];
    std::size_t at[kTogether];
    for (std::size_t k = 0; k < kTogether; ++k) {
      std::size_t const walk = first + k < walks ? first + k : walks - 1;
      auto const& heap = heap_of(walk);
      cells[k] = heap.cells;
      edges[k] = heap.edges;
      codes[k] = codes_of(walk);
      at[k] = 1;
    }
    for (unsigned level = 0; level < levels; ++level) {
      for (std::size_t k = 0; k < kTogether; ++k) {
        at[k] = 2 * at[k] + (codes[k][cells[k][at[k]]] >= edges[k][at[k]] ? 1U : 0U);
      }
    }
    std::size_t const exits = std::size_t{1} << levels;
    for (std::size_t k = 0; k < kTogether && first + k < walks; ++k) ended(first + k, at[k] - exits);
  }
}

inline void LeaveHeaps(ByteWalks* walks) {
  WalkHeaps(
      walks->count, walks->task.levels,
      [&](std::size_t walk) -> ByteHeap const& { return walks->task.heaps[walks->first + walks->tree[walk]]; },
      [&](std::size_t walk) { return walks->Codes(walk); },
      [&](std::size_t walk, std::size_t exit) { walks->at[walk] = static_cast<ByteExit>(exit); });
}

inline void LeaveTwigs(std::uint8_t const* pending, std::size_t count, ByteWalks* walks) {
  WalkHeaps(
      count, kTwigLevels, [&](std::size_t i) -> ByteTwig const& { return walks->Twig(pending[i]); },
      [&](std::size_t i) { return walks->Codes(pending[i]); },
      [&](std::size_t i, std::size_t exit) { walks->at[pending[i]] = walks->Twig(pending[i]).exits[exit]; });
}

inline void AddHeapLeaves(ByteTree const& tree, ByteExit const* at, std::size_t rows, float* sums) {
  AddEachLeaf(tree, at, rows, sums);
}

#else

// The codes of a row at the cells of all nodes.
template <std::size_t kRegisters>
inline __m512i CodesAt(std::uint8_t const* codes, __m512i cells) {
  if constexpr (kRegisters == 1) {
    return _mm512_permutexvar_epi8(cells, _mm512_loadu_si512(codes));
  } else if constexpr (kRegisters == 2) {
    return _mm512_permutex2var_epi8(_mm512_loadu_si512(codes), cells, _mm512_loadu_si512(codes + 64));
  } else {
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(cells), CodesAt<2>(codes, cells), CodesAt<2>(codes + 128, cells));
  }
}

// Calls `ask` with the number of registers that hold the codes of a row, as a constant.
template <class Ask>
inline void WithRegisters(ByteTask const& task, Ask const& ask) {
  if (task.row_bytes == 64) return ask(std::integral_constant<std::size_t, 1>());
  if (task.row_bytes == 128) return ask(std::integral_constant<std::size_t, 2>());
  ask(std::integral_constant<std::size_t, 4>());
}

// Which of its nodes send a walk right, a bit per node.
template <std::size_t kRegisters>
inline void AskHeaps(ByteWalks const& walks, std::uint64_t* right) {
  ByteTask const& task = walks.task;
  for (std::size_t t = 0; t < walks.trees; ++t) {
    ByteHeap const& heap = task.heaps[walks.first + t];
    __m512i const cells = _mm512_loadu_si512(heap.cells), edges = _mm512_loadu_si512(heap.edges);
    for (std::size_t row = 0; row < task.rows; ++row, ++right) {
      *right = _mm512_cmpge_epu8_mask(CodesAt<kRegisters>(task.codes + row * task.row_bytes, cells), edges);
    }
  }
}

template <std::size_t kRegisters>
inline void AskTwigs(ByteWalks const& walks, std::uint8_t const* pending, std::size_t count, std::uint32_t* right) {
  for (std::size_t i = 0; i < count; ++i) {
    ByteTwig const& twig = walks.Twig(pending[i]);
    __m128i const cells = _mm_loadu_si128(reinterpret_cast<__m128i const*>(twig.cells));
    __m128i const edges = _mm_loadu_si128(reinterpret_cast<__m128i const*>(twig.edges));
    __m512i const codes = CodesAt<kRegisters>(walks.Codes(pending[i]), _mm512_castsi128_si512(cells));
    right[i] = _mm_cmpge_epu8_mask(_mm512_castsi512_si128(codes), edges);
  }
}

// Lanes behind the last walk are of no use to anybody, here and below.
inline void LeaveHeaps(ByteWalks* walks) {
  alignas(64) std::uint64_t right[ByteWalks::kMost];
  WithRegisters(walks->task, [&](auto registers) { AskHeaps<registers>(*walks, right); });
  __m512i const one = _mm512_set1_epi64(1), exits = _mm512_set1_epi64(1LL << walks->task.levels);
  for (std::size_t first = 0; first < walks->count; first += 8) {
    __m512i const bits = _mm512_load_si512(right + first);
    __m512i at = one;
    for (unsigned level = 0; level < walks->task.levels; ++level) {
      at = _mm512_add_epi64(_mm512_add_epi64(at, at), _mm512_and_si512(_mm512_srlv_epi64(bits, at), one));
    }
    __m128i const exit = _mm512_cvtepi64_epi16(_mm512_sub_epi64(at, exits));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(walks->at + first), exit);
  }
}

inline void LeaveTwigs(std::uint8_t const* pending, std::size_t count, ByteWalks* walks) {
  alignas(64) std::uint32_t right[ByteWalks::kMost];
  alignas(64) std::uint16_t exit[ByteWalks::kMost];
  WithRegisters(walks->task, [&](auto registers) { AskTwigs<registers>(*walks, pending, count, right); });
  __m512i const one = _mm512_set1_epi32(1);
  for (std::size_t first = 0; first < count; first += 16) {
    __m512i const bits = _mm512_load_si512(right + first);
    __m512i at = one;
    for (unsigned level = 0; level < kTwigLevels; ++level) {
      at = _mm512_add_epi32(_mm512_add_epi32(at, at), _mm512_and_si512(_mm512_srlv_epi32(bits, at), one));
    }
    // Without the highest bit a node of the last level is the number of its exit.
    __m512i const number = _mm512_and_si512(at, _mm512_set1_epi32(kTwigExits - 1));
    _mm256_store_si256(reinterpret_cast<__m256i*>(exit + first), _mm512_cvtepi32_epi16(number));
  }
  for (std::size_t i = 0; i < count; ++i) walks->at[pending[i]] = walks->Twig(pending[i]).exits[exit[i]];
}

inline void AddHeapLeaves(ByteTree const& tree, ByteExit const* at, std::size_t rows, float* sums) {
  if (rows <= 2) return AddEachLeaf(tree, at, rows, sums);
  __m512i const exit = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(at)));
  __m512i const leaf = _mm512_and_si512(exit, _mm512_set1_epi32(kLeafExit - 1));
  auto const lanes = static_cast<__mmask16>((1U << rows) - 1);
  for (std::size_t k = 0; k < tree.outputs; ++k) {
    float const* const leaves = tree.leaves + k * tree.leaf_room;
    float* const to = sums + (tree.output + k) * kByteRows;
    __m512 const value = tree.twigs == nullptr
                             ? PickLeaves<kByteHeapLevels>(leaves, leaf)
                             : _mm512_mask_i32gather_ps(_mm512_setzero_ps(), lanes, leaf, leaves, sizeof(float));
    _mm512_storeu_ps(to, _mm512_add_ps(_mm512_loadu_ps(to), value));
  }
}

#endif

// From the heaps on to leaves, twig by twig.
inline void FollowTwigs(ByteWalks* walks) {
  ByteTask const& task = walks->task;
  std::uint8_t pending[ByteWalks::kMost];
  std::size_t count = 0;
  for (std::size_t walk = 0; walk < walks->count; ++walk) {
    ByteTree const& tree = task.trees[walks->first + walks->tree[walk]];
    if (tree.twigs == nullptr) continue;
    ByteExit const exit = walks->at[walk] = tree.exits[walks->at[walk]];
    pending[count] = static_cast<std::uint8_t>(walk);
    count += exit < kLeafExit ? 1U : 0U;
  }
  while (count > 0) {
    LeaveTwigs(pending, count, walks);
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint8_t const walk = pending[i];
      pending[left] = walk;
      left += walks->at[walk] < kLeafExit ? 1U : 0U;
    }
    count = left;
  }
}

inline void AddByteTrees(ByteTask const& task) {
  ByteWalks walks(task);
  std::size_t const together = walks.TreesAtOnce();
  for (walks.first = 0; walks.first < task.count; walks.first += together) {
    walks.trees = std::min(together, task.count - walks.first);
    walks.count = walks.trees * task.rows;
    LeaveHeaps(&walks);
    if (task.any_twigs) FollowTwigs(&walks);
    for (std::size_t t = 0; t < walks.trees; ++t) {
      AddHeapLeaves(task.trees[walks.first + t], walks.at + t * task.rows, task.rows, task.sums);
    }
  }
}
