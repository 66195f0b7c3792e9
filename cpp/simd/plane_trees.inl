// SPDX-License-Identifier: Apache-2.0
// Planes: a bit for each of 512 rows, of 128, or of 64.

// Planes side by side.
template <class Plane, std::size_t kCount>
struct Planes {
  static constexpr std::size_t kWords = kCount * Plane::kWords;
  Plane parts[kCount];

  template <class Part>
  static XGBL_ALWAYS_INLINE Planes Of(Part const& part) {
    Planes all;
    for (std::size_t i = 0; i < kCount; ++i) all.parts[i] = part(i);
    return all;
  }
  static Planes Load(std::uint64_t const* from) {
    return Of([&](std::size_t i) { return Plane::Load(from + i * Plane::kWords); });
  }
  void Store(std::uint64_t* to) const {
    for (std::size_t i = 0; i < kCount; ++i) parts[i].Store(to + i * Plane::kWords);
  }
  Planes operator&(Planes const& other) const {
    return Of([&](std::size_t i) { return parts[i] & other.parts[i]; });
  }
  Planes operator|(Planes const& other) const {
    return Of([&](std::size_t i) { return parts[i] | other.parts[i]; });
  }
  Planes Without(Planes const& other) const {
    return Of([&](std::size_t i) { return parts[i].Without(other.parts[i]); });
  }
  static Planes Choose(Planes const& turns, Planes const& left, Planes const& right) {
    return Of([&](std::size_t i) { return Plane::Choose(turns.parts[i], left.parts[i], right.parts[i]); });
  }
};

struct NarrowPlane {
  static constexpr std::size_t kWords = 1;
  std::uint64_t bits;

  static NarrowPlane Load(std::uint64_t const* from) { return {*from}; }
  void Store(std::uint64_t* to) const { *to = bits; }
  NarrowPlane operator&(NarrowPlane other) const { return {bits & other.bits}; }
  NarrowPlane operator|(NarrowPlane other) const { return {bits | other.bits}; }
  NarrowPlane Without(NarrowPlane other) const { return {bits & ~other.bits}; }
  static NarrowPlane Choose(NarrowPlane turns, NarrowPlane left, NarrowPlane right) {
    return {left.bits ^ (turns.bits & (left.bits ^ right.bits))};
  }
};

#if XGBL_LEVEL > 0

// One word or two, where choices take fewer instructions than in a register of the usual size.
template <std::size_t kCount>
struct SmallPlane {
  static constexpr std::size_t kWords = kCount;
  __m128i bits;

  static SmallPlane Load(std::uint64_t const* from) {
    auto const* const words = reinterpret_cast<__m128i const*>(from);
    if constexpr (kCount == 1) return {_mm_loadl_epi64(words)};
    return {_mm_loadu_si128(words)};
  }
  void Store(std::uint64_t* to) const {
    auto* const words = reinterpret_cast<__m128i*>(to);
    if constexpr (kCount == 1) {
      _mm_storel_epi64(words, bits);
    } else {
      _mm_storeu_si128(words, bits);
    }
  }
  SmallPlane operator&(SmallPlane other) const { return {_mm_and_si128(bits, other.bits)}; }
  SmallPlane operator|(SmallPlane other) const { return {_mm_or_si128(bits, other.bits)}; }
  SmallPlane Without(SmallPlane other) const { return {_mm_andnot_si128(other.bits, bits)}; }
  static SmallPlane Choose(SmallPlane turns, SmallPlane left, SmallPlane right) {
#if XGBL_LEVEL == 2
    return {_mm_ternarylogic_epi64(turns.bits, left.bits, right.bits, 0xAC)};  // turns ? right : left
#else
    return (right & turns) | left.Without(turns);
#endif
  }
};

#endif

#if XGBL_LEVEL == 2

// Of a heap; a list, where each plane waits for another, goes faster through usual registers.
using HeapPlane = SmallPlane<1>;
using PairPlane = SmallPlane<2>;

struct WidePlane {
  static constexpr std::size_t kWords = kPlaneWords;
  __m512i bits;

  static WidePlane Load(std::uint64_t const* from) { return {_mm512_loadu_si512(from)}; }
  void Store(std::uint64_t* to) const { _mm512_storeu_si512(to, bits); }
  WidePlane operator&(WidePlane other) const { return {_mm512_and_si512(bits, other.bits)}; }
  WidePlane operator|(WidePlane other) const { return {_mm512_or_si512(bits, other.bits)}; }
  WidePlane Without(WidePlane other) const { return {_mm512_andnot_si512(other.bits, bits)}; }
  static WidePlane Choose(WidePlane turns, WidePlane left, WidePlane right) {
    return {_mm512_ternarylogic_epi64(turns.bits, left.bits, right.bits, 0xAC)};  // turns ? right : left
  }
};

#elif XGBL_LEVEL == 1

struct HalfPlane {
  static constexpr std::size_t kWords = kPlaneWords / 2;
  __m256i bits;

  static HalfPlane Load(std::uint64_t const* from) {
    return {_mm256_loadu_si256(reinterpret_cast<__m256i const*>(from))};
  }
  void Store(std::uint64_t* to) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bits); }
  HalfPlane operator&(HalfPlane other) const { return {_mm256_and_si256(bits, other.bits)}; }
  HalfPlane operator|(HalfPlane other) const { return {_mm256_or_si256(bits, other.bits)}; }
  HalfPlane Without(HalfPlane other) const { return {_mm256_andnot_si256(other.bits, bits)}; }
  static HalfPlane Choose(HalfPlane turns, HalfPlane left, HalfPlane right) {
    return (right & turns) | left.Without(turns);
  }
};

using HeapPlane = NarrowPlane;
using PairPlane = SmallPlane<2>;
using WidePlane = Planes<HalfPlane, 2>;

#else

using HeapPlane = NarrowPlane;
using PairPlane = Planes<NarrowPlane, 2>;
using WidePlane = Planes<NarrowPlane, kPlaneWords>;

#endif

// The answers of questions on a cell: planes of the codes that are at least an edge. Blocks that are not there are 0.

#if XGBL_LEVEL == 2

// `kBlocks` of them, or any number below kPlaneWords if it is 0.
template <std::size_t kBlocks>
inline void CompareBlocks(CompareTask const& task) {
  constexpr std::size_t kWords = kBlocks == 0 ? kPlaneWords : kBlocks;
  std::size_t const blocks = kBlocks == 0 ? task.blocks : kBlocks;
  __m512i codes[kWords];
  for (std::size_t w = 0; w < blocks; ++w) codes[w] = _mm512_loadu_si512(task.codes + w * task.block_bytes);
  for (std::size_t q = 0; q < task.count; ++q) {
    __m512i const edge = _mm512_set1_epi8(static_cast<char>(task.edges[q]));
    std::uint64_t* const plane = task.planes + q * kWords;
    if constexpr (kBlocks == 0) _mm512_storeu_si512(plane, _mm512_setzero_si512());
    for (std::size_t w = 0; w < blocks; ++w) plane[w] = _mm512_cmpge_epu8_mask(codes[w], edge);
  }
}

inline void CompareCell(CompareTask const& task) {
  static_assert(WordsFor(2) == 2 && WordsFor(3) == kPlaneWords);
  if (task.blocks == 1) return CompareBlocks<1>(task);
  if (task.blocks == 2) return CompareBlocks<2>(task);
  task.blocks == kPlaneWords ? CompareBlocks<kPlaneWords>(task) : CompareBlocks<0>(task);
}

#elif XGBL_LEVEL == 1

inline std::uint64_t AtLeast(__m256i codes, __m256i edge) {
  __m256i const is = _mm256_cmpeq_epi8(_mm256_max_epu8(codes, edge), codes);
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(is));
}

inline void CompareCell(CompareTask const& task) {
  std::size_t const words = WordsFor(task.blocks);
  for (std::size_t w = 0; w < words; ++w) {
    bool const there = w < task.blocks;
    auto const* const codes = reinterpret_cast<__m256i const*>(task.codes + (there ? w * task.block_bytes : 0));
    __m256i const low = _mm256_loadu_si256(codes), high = _mm256_loadu_si256(codes + 1);
    for (std::size_t q = 0; q < task.count; ++q) {
      __m256i const edge = _mm256_set1_epi8(static_cast<char>(task.edges[q]));
      task.planes[q * words + w] = there ? AtLeast(low, edge) | AtLeast(high, edge) << 32U : 0;
    }
  }
}

#else

// Each row sets its bit in the plane of the last edge that it reaches; those before are the union of those behind.
inline void CompareCell(CompareTask const& task) {
  std::uint16_t reached[256];  // by code: how many edges
  std::size_t const words = WordsFor(task.blocks);
  std::size_t edges = 0;
  for (std::size_t code = 0; code < 256; ++code) {
    while (edges < task.count && task.edges[edges] <= code) ++edges;
    reached[code] = static_cast<std::uint16_t>(edges);
  }
  for (std::size_t i = 0; i < task.count * words; ++i) task.planes[i] = 0;
  for (std::size_t w = 0; w < task.blocks; ++w) {
    for (std::size_t row = 0; row < kCodeRows; ++row) {
      std::size_t const q = reached[task.codes[w * task.block_bytes + row]];
      if (q > 0) task.planes[(q - 1) * words + w] |= std::uint64_t{1} << row;
    }
  }
  for (std::size_t i = task.count * words; i-- > words;) task.planes[i - words] |= task.planes[i];
}

#endif

// The number of a row's leaf is found bit by bit, for all rows at once. In a heap its bits are the turns: those of a
// level are the answers of the level's nodes, of which the turns above choose one. In another tree the rows that reach
// a split are parted among its children; a bit is then the union of the leaves that have it in their number.

// The answers of the nodes first, first + step, … of a level, chosen among by the turns [0, kTurns). Calls would store
// the turns.
template <class Plane, int kTurns, std::size_t kStep>
XGBL_ALWAYS_INLINE Plane ChosenAnswer(std::uint32_t const* first, std::uint64_t const* planes, Plane const* turns) {
  if constexpr (kTurns == 0) {
    return Plane::Load(planes + std::size_t{*first} * Plane::kWords);
  } else {
    auto const left = ChosenAnswer<Plane, kTurns - 1, 2 * kStep>(first, planes, turns);
    auto const right = ChosenAnswer<Plane, kTurns - 1, 2 * kStep>(first + kStep, planes, turns);
    return Plane::Choose(turns[kTurns - 1], left, right);
  }
}

template <class Plane, int kLevel, int kLevels>
inline void Descend(std::uint32_t const* heap, std::uint64_t const* planes, Plane* turns, std::uint64_t* number) {
  if constexpr (kLevel < kLevels) {
    turns[kLevel] = ChosenAnswer<Plane, kLevel, 1>(heap + (std::size_t{1} << kLevel) - 1, planes, turns);
    turns[kLevel].Store(number + kLevel * Plane::kWords);
    Descend<Plane, kLevel + 1, kLevels>(heap, planes, turns, number);
  }
}

template <class Plane, int kLevels>
inline void NumberHeap(PlaneTree const& tree, std::uint64_t const* planes, std::uint64_t* number) {
  Plane turns[kLevels];
  Descend<Plane, 0, kLevels>(tree.heap, planes, turns, number);
}

// The one with as many levels as the tree.
template <class Plane, std::size_t... kAbove>
inline void NumberHeapOf(PlaneTree const& tree, std::uint64_t const* planes, std::uint64_t* number,
                         std::index_sequence<kAbove...>) {
  static constexpr decltype(&NumberHeap<Plane, 1>) kByLevels[] = {NumberHeap<Plane, kAbove + 1>...};
  kByLevels[tree.bits - 1](tree, planes, number);
}

template <class Plane>
inline void NumberList(PlaneTree const& tree, std::uint64_t const* planes, std::uint64_t* number) {
  constexpr std::size_t kWords = Plane::kWords;
  alignas(64) std::uint64_t reach[2 * kMostListed * kWords];
  std::uint64_t* const leaf = reach + kMostListed * kWords;
  std::size_t leaves = std::size_t{1} << tree.bits;
  for (std::size_t i = (tree.splits + 1) * kWords; i < leaves * kWords; ++i) leaf[i] = 0;
  for (std::size_t w = 0; w < kWords; ++w) reach[w] = ~std::uint64_t{0};
  for (std::size_t i = 0; i < tree.splits; ++i) {
    ListedSplit const split = tree.list[i];
    auto const here = Plane::Load(reach + i * kWords);
    auto const right = Plane::Load(planes + std::size_t{split.Question()} * kWords);
    here.Without(right).Store(reach + std::size_t{split.Child(0)} * kWords);
    (here & right).Store(reach + std::size_t{split.Child(1)} * kWords);
  }
  // The lowest bit first; then pairs of leaves count as one.
  for (std::size_t bit = tree.bits; bit-- > 0;) {
    leaves /= 2;
    auto odd = Plane::Load(leaf + kWords);
    (Plane::Load(leaf) | odd).Store(leaf);
    for (std::size_t i = 1; i < leaves; ++i) {
      auto const second = Plane::Load(leaf + (2 * i + 1) * kWords);
      odd = odd | second;
      (Plane::Load(leaf + 2 * i * kWords) | second).Store(leaf + i * kWords);
    }
    odd.Store(number + bit * kWords);
  }
}

// The bits of the numbers of all rows' leaves, a plane each, the highest first.
template <class Plane>
inline void NumberLeaves(PlaneTree const& tree, std::uint64_t const* planes, std::uint64_t* number) {
  if (tree.heap == nullptr) return NumberList<Plane>(tree, planes, number);
  NumberHeapOf<Plane>(tree, planes, number, std::make_index_sequence<kMostHeapLevels>());
}

// Planes to a byte per row.

#if XGBL_LEVEL == 2

inline void NumbersOf(std::uint64_t const* number, std::size_t bits, std::size_t words, std::uint8_t* leaf) {
  __m512i const one = _mm512_set1_epi8(1);
  __m512i index = _mm512_setzero_si512();
  for (std::size_t k = 0; k < bits; ++k) {
    index = _mm512_add_epi8(index, index);
    index = _mm512_mask_add_epi8(index, number[k * words], index, one);
  }
  _mm512_storeu_si512(leaf, index);
}

#elif XGBL_LEVEL == 1

inline void NumbersOf(std::uint64_t const* number, std::size_t bits, std::size_t words, std::uint8_t* leaf) {
  __m256i const byte_of = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  __m256i const bit_of = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
  for (unsigned half = 0; half < 2; ++half) {
    __m256i index = _mm256_setzero_si256();
    for (std::size_t k = 0; k < bits; ++k) {
      auto const word = static_cast<int>(static_cast<std::uint32_t>(number[k * words] >> 32 * half));
      __m256i const bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(word), byte_of);
      __m256i const is = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit_of), bit_of);
      index = _mm256_sub_epi8(_mm256_add_epi8(index, index), is);
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(leaf + 32 * half), index);
  }
}

#else

inline void NumbersOf(std::uint64_t const* number, std::size_t bits, std::size_t words, std::uint8_t* leaf) {
  for (std::size_t row = 0; row < kCodeRows; ++row) leaf[row] = 0;
  for (std::size_t k = 0; k < bits; ++k) {
    std::uint64_t const word = number[k * words];
    for (std::size_t row = 0; row < kCodeRows; ++row) {
      leaf[row] = static_cast<std::uint8_t>(2U * leaf[row] + (word >> row & 1U));
    }
  }
}

#endif

template <class Plane>
inline void LeavesOf(PlaneTree const& tree, std::uint64_t const* planes, std::size_t blocks, std::uint8_t* leaf) {
  alignas(64) std::uint64_t number[8 * Plane::kWords];
  NumberLeaves<Plane>(tree, planes, number);
  for (std::size_t w = 0; w < blocks; ++w) NumbersOf(number + w, tree.bits, Plane::kWords, leaf + w * kCodeRows);
}

inline void FindLeaves(PlaneTree const& tree, std::uint64_t const* planes, std::size_t blocks, std::uint8_t* leaf) {
  if (blocks > 2) return LeavesOf<WidePlane>(tree, planes, blocks, leaf);
  if (blocks == 2) return LeavesOf<PairPlane>(tree, planes, blocks, leaf);
  tree.heap != nullptr ? LeavesOf<HeapPlane>(tree, planes, 1, leaf) : LeavesOf<NarrowPlane>(tree, planes, 1, leaf);
}

#if XGBL_LEVEL == 2

template <int kBits>
inline void AddPicked(float const* leaves, std::uint8_t const* leaf, std::size_t rows, std::size_t stride,
                      float* sums) {
  for (; rows > 0; rows -= std::min(rows, kCodeRows), leaf += kCodeRows, sums += stride) {
    for (std::size_t i = 0; i < std::min(rows, kCodeRows); i += 16) {
      auto const* const numbers = reinterpret_cast<__m128i const*>(leaf + i);
      float* const to = sums + i;
      __m512 const value = PickLeaves<kBits>(leaves, _mm512_cvtepu8_epi32(_mm_loadu_si128(numbers)));
      _mm512_storeu_ps(to, _mm512_add_ps(_mm512_loadu_ps(to), value));
    }
  }
}

inline void AddLeaves(float const* leaves, std::size_t bits, std::uint8_t const* leaf, std::size_t rows,
                      std::size_t stride, float* sums) {
  if (bits <= 5) return AddPicked<5>(leaves, leaf, rows, stride, sums);
  if (bits == 6) return AddPicked<6>(leaves, leaf, rows, stride, sums);
  if (bits == 7) return AddPicked<7>(leaves, leaf, rows, stride, sums);
  AddPicked<8>(leaves, leaf, rows, stride, sums);
}

#else

inline void AddLeaves(float const* leaves, std::size_t /*bits*/, std::uint8_t const* leaf, std::size_t rows,
                      std::size_t stride, float* sums) {
  for (; rows > 0; rows -= std::min(rows, kCodeRows), leaf += kCodeRows, sums += stride) {
    for (std::size_t i = 0; i < std::min(rows, kCodeRows); ++i) sums[i] += leaves[leaf[i]];
  }
}

#endif

inline void AddPlaneTrees(PlaneTask const& task) {
  std::uint8_t leaf[kPlaneRows];
  std::size_t const blocks = (task.rows + kCodeRows - 1) / kCodeRows;
  for (std::size_t t = 0; t < task.count; ++t) {
    PlaneTree const tree = task.trees[t];
    FindLeaves(tree, task.planes, blocks, leaf);
    for (std::size_t k = 0; k < tree.outputs; ++k) {
      AddLeaves(tree.leaves + k * LeafRoom(tree.bits), tree.bits, leaf, task.rows, task.block_sums,
                task.sums + (tree.output + k) * kCodeRows);
    }
  }
}
