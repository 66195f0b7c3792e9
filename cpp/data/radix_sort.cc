// SPDX-License-Identifier: Apache-2.0
#include "data/radix_sort.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace xgbl {
namespace {

constexpr unsigned kDigitBits = 11;
constexpr std::size_t kDigits = 3;
constexpr std::size_t kBuckets = std::size_t{1} << kDigitBits;
constexpr std::size_t kComparedCells = 384;  // up to here a comparison sort is faster (measured)

using Counters = std::array<std::array<std::uint32_t, kBuckets>, kDigits>;

std::uint64_t PairOf(float value, std::uint32_t row) {
  value += 0.0F;  // -0.0 becomes 0.0
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  // All bits of negative numbers turn, as larger bits are smaller numbers there; of others, the sign.
  std::uint32_t const flip = (0U - (bits >> 31U)) | 0x80000000U;
  return static_cast<std::uint64_t>(bits ^ flip) << 32U | row;
}

float ValueOf(std::uint64_t pair) {
  auto const image = static_cast<std::uint32_t>(pair >> 32U);
  std::uint32_t const bits = image ^ (((image >> 31U) - 1U) | 0x80000000U);
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

std::size_t DigitOf(std::uint64_t pair, std::size_t digit) {
  return static_cast<std::size_t>(pair >> (32U + kDigitBits * digit)) & (kBuckets - 1);
}

}  // namespace

void ColumnSorter::Reserve(std::size_t count) {
  if (count <= capacity_) return;
  pairs_.reset(new Pair[count]);
  other_.reset(new Pair[count]);
  capacity_ = count;
}

void ColumnSorter::RadixSort(std::size_t count) {
  Counters counters{};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t digit = 0; digit < kDigits; ++digit) ++counters[digit][DigitOf(pairs_[i], digit)];
  }
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    auto& next = counters[digit];
    if (next[DigitOf(pairs_[0], digit)] == count) continue;
    std::uint32_t total = 0;
    for (std::uint32_t& counter : next) total += std::exchange(counter, total);
    for (std::size_t i = 0; i < count; ++i) {
      Pair const pair = pairs_[i];
      other_[next[DigitOf(pair, digit)]++] = pair;
    }
    pairs_.swap(other_);
  }
}

void ColumnSorter::Sort(Span<float> values, Span<std::uint32_t> rows) {
  std::size_t const count = values.size();
  if (count == 0) return;
  Reserve(count);
  for (std::size_t i = 0; i < count; ++i) pairs_[i] = PairOf(values[i], rows[i]);
  if (count <= kComparedCells) {
    std::sort(pairs_.get(), pairs_.get() + count);  // rows differ, so no two pairs are equal
  } else {
    RadixSort(count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = ValueOf(pairs_[i]);
    rows[i] = static_cast<std::uint32_t>(pairs_[i]);
  }
}

}  // namespace xgbl
