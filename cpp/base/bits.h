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

}  // namespace xgbl
