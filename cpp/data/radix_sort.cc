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
constexpr std::size_t kFewCells = 24;        // are compared
constexpr std::size_t kBucketCells = 2;      // on average
constexpr std::size_t kMostByBucket = 4096;  // cells; more are sorted digit by digit

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

// Few cells are shared out over buckets of equal ranges of values, each of which is then sorted: little is left to do
// there unless most values lie close together.
void ColumnSorter::BucketSort(std::size_t count) {
  auto const [least, most] = std::minmax_element(pairs_.get(), pairs_.get() + count);
  Pair const origin = *least >> 32U, range = (*most >> 32U) - origin;
  unsigned shift = 0;
  while ((range >> shift) >= count / kBucketCells) ++shift;
  auto const bucket_of = [&](Pair pair) { return static_cast<std::size_t>(((pair >> 32U) - origin) >> shift); };
  std::array<std::uint32_t, kMostByBucket / kBucketCells + 1> end;
  std::size_t const buckets = bucket_of(*most) + 1;
  std::fill_n(end.begin(), buckets + 1, 0);
  for (std::size_t i = 0; i < count; ++i) ++end[bucket_of(pairs_[i]) + 1];
  for (std::size_t b = 0; b < buckets; ++b) end[b + 1] += end[b];
  for (std::size_t i = 0; i < count; ++i) other_[end[bucket_of(pairs_[i])]++] = pairs_[i];
  std::uint32_t begin = 0;
  for (std::size_t b = 0; b < buckets; begin = end[b++]) std::sort(other_.get() + begin, other_.get() + end[b]);
  pairs_.swap(other_);
}

void ColumnSorter::Sort(Span<float> values, Span<std::uint32_t> rows) {
  std::size_t const count = values.size();
  if (count == 0) return;
  Reserve(count);
  for (std::size_t i = 0; i < count; ++i) pairs_[i] = PairOf(values[i], rows[i]);
  if (count <= kFewCells) {
    std::sort(pairs_.get(), pairs_.get() + count);  // rows differ, so no two pairs are equal
  } else if (count <= kMostByBucket) {
    BucketSort(count);
  } else {
    RadixSort(count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = ValueOf(pairs_[i]);
    rows[i] = static_cast<std::uint32_t>(pairs_[i]);
  }
}

}  // namespace xgbl
