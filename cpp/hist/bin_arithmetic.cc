// SPDX-License-Identifier: Apache-2.0
#include "hist/bin_arithmetic.h"

namespace xgbl {
namespace {

using Word = std::int64_t;

Word High(Word packed) { return packed >> 32U; }
Word Low(Word packed) { return packed & Word{0xFFFFFFFF}; }
// As unsigned numbers: sums that do not fit wrap around.
Word Packed(Word gradient, Word hessian) {
  return static_cast<Word>((static_cast<std::uint64_t>(gradient) << 32U) + static_cast<std::uint64_t>(hessian));
}
Word Difference(Word a, Word b) {
  return static_cast<Word>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

}  // namespace

void FlushWords(Word* part, std::size_t words, Word* sum) {
  for (std::size_t i = 0; i < words; ++i) {
    sum[i] += part[i];
    part[i] = 0;
  }
}

void FlushPackedToWide(Word* part, std::size_t bins, Word* sum) {
  for (std::size_t i = 0; i < bins; ++i) {
    sum[2 * i] += High(part[i]);
    sum[2 * i + 1] += Low(part[i]);
    part[i] = 0;
  }
}

void AddLaneToWide(Word const* packed, std::size_t stride, std::size_t bins, Word* wide) {
  for (std::size_t i = 0; i < bins; ++i) {
    wide[2 * i] += High(packed[i * stride]);
    wide[2 * i + 1] += Low(packed[i * stride]);
  }
}

void SubtractWords(Word* from, Word const* what, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) from[i] = Difference(from[i], what[i]);
}

void SubtractPackedFromWide(Word* wide, Word const* packed, std::size_t bins) {
  for (std::size_t i = 0; i < bins; ++i) {
    wide[2 * i] -= High(packed[i]);
    wide[2 * i + 1] -= Low(packed[i]);
  }
}

void PackWideMinusPacked(Word const* wide, Word const* what, std::size_t bins, Word* packed) {
  for (std::size_t i = 0; i < bins; ++i) packed[i] = Difference(Packed(wide[2 * i], wide[2 * i + 1]), what[i]);
}

}  // namespace xgbl
