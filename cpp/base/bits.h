// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace xgbl {

/// The place of the lowest bit that is set; `word` is not 0.
inline unsigned LowestBit(std::uint64_t word) {
#if defined(__GNUC__) || defined(__clang__)
  return static_cast<unsigned>(__builtin_ctzll(word));
#else
  unsigned place = 0;
  for (; (word & 1U) == 0; word >>= 1U) ++place;
  return place;
#endif
}

/// A hint to fetch a cache line before it is read. Does nothing where the compiler has no such hint.
inline void Prefetch([[maybe_unused]] void const* address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#endif
}

}  // namespace xgbl
