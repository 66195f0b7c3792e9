// SPDX-License-Identifier: Apache-2.0
// Planes: a bit for each of 512 rows, of 128, or of 64. Included by kernels.inl, once per instruction set.

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

using PairPlane = SmallPlane<2>;

#else

// Words side by side.
template <std::size_t kCount>
struct SomeWords {
  static constexpr std::size_t kWords = kCount;
  NarrowPlane parts[kWords];

  template <class Part>
  static SomeWords Of(Part const& part) {
    SomeWords plane;
    for (std::size_t w = 0; w < kWords; ++w) plane.parts[w] = part(w);
    return plane;
  }
  static SomeWords Load(std::uint64_t const* from) {
    return Of([&](std::size_t w) { return NarrowPlane::Load(from + w); });
  }
  void Store(std::uint64_t* to) const {
    for (std::size_t w = 0; w < kWords; ++w) parts[w].Store(to + w);
  }
  SomeWords operator&(SomeWords const& other) const {
    return Of([&](std::size_t w) { return parts[w] & other.parts[w]; });
  }
  SomeWords operator|(SomeWords const& other) const {
    return Of([&](std::size_t w) { return parts[w] | other.parts[w]; });
  }
  SomeWords Without(SomeWords const& other) const {
    return Of([&](std::size_t w) { return parts[w].Without(other.parts[w]); });
  }
  static SomeWords Choose(SomeWords const& turns, SomeWords const& left, SomeWords const& right) {
    return Of([&](std::size_t w) { return NarrowPlane::Choose(turns.parts[w], left.parts[w], right.parts[w]); });
  }
};

using PairPlane = SomeWords<2>;

#endif

#if XGBL_LEVEL == 2

// Of a heap; a list, where each plane waits for another, goes faster through usual registers.
using HeapPlane = SmallPlane<1>;

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

#else

#if XGBL_LEVEL == 1

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

#else

using HalfPlane = SomeWords<kPlaneWords / 2>;

#endif

using HeapPlane = NarrowPlane;

struct WidePlane {
  static constexpr std::size_t kWords = kPlaneWords;
  HalfPlane low, high;

  static WidePlane Load(std::uint64_t const* from) {
    return {HalfPlane::Load(from), HalfPlane::Load(from + HalfPlane::kWords)};
  }
  void Store(std::uint64_t* to) const {
    low.Store(to);
    high.Store(to + HalfPlane::kWords);
  }
  WidePlane operator&(WidePlane const& other) const { return {low & other.low, high & other.high}; }
  WidePlane operator|(WidePlane const& other) const { return {low | other.low, high | other.high}; }
  WidePlane Without(WidePlane const& other) const { return {low.Without(other.low), high.Without(other.high)}; }
  static WidePlane Choose(WidePlane const& turns, WidePlane const& left, WidePlane const& right) {
    return {HalfPlane::Choose(turns.low, left.low, right.low), HalfPlane::Choose(turns.high, left.high, right.high)};
  }
};

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
