// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#ifdef _MSC_VER
#include <intrin.h>
#endif

namespace xgbl {

/// The place of the lowest bit that is set; `word` is not 0.
inline unsigned LowestBit(std::uint64_t word) {
#ifdef _MSC_VER
  unsigned long place;
  _BitScanForward64(&place, word);
  return place;
#else
  return static_cast<unsigned>(__builtin_ctzll(word));
#endif
}

}  // namespace xgbl
