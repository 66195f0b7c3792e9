// SPDX-License-Identifier: Apache-2.0
#include "parallel/radix_sort.h"

#include <utility>

namespace xgbl {
namespace {

constexpr unsigned kDigitBits = 11;
constexpr std::size_t kDigits = 3;
constexpr std::size_t kBuckets = std::size_t{1} << kDigitBits;
constexpr std::size_t kFewCells = 24;        // are compared
constexpr std::size_t kMostByBucket = 4096;  // cells; more are sorted digit by digit

using Counters = std::array<std::array<std::uint32_t, kBuckets>, kDigits>;

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

// Full buckets are sorted, unless they have one value only, such as 0: then they are in order. What is left to be moved
// is moved by a few places.
void ColumnSorter::BucketSort(std::size_t count) {
  std::array<std::uint32_t, kMostByBucket + 2> begin;
  std::size_t const buckets = SplitByValue({pairs_.get(), count}, count, other_.get(), begin.data());
  pairs_.swap(other_);
  Pair* const pairs = pairs_.get();
  for (std::size_t b = 0; b < buckets; ++b) {
    Pair *const first = pairs + begin[b], *const end = pairs + begin[b + 1];
    if (begin[b + 1] - begin[b] > kFewCells && !std::is_sorted(first, end)) std::sort(first, end);
  }
  for (std::size_t i = 1; i < count; ++i) {
    Pair const pair = pairs[i];
    std::size_t to = i;
    for (; to > 0 && pairs[to - 1] > pair; --to) pairs[to] = pairs[to - 1];
    pairs[to] = pair;
  }
}

void ColumnSorter::Sort(Span<float> values, Span<std::uint32_t> rows) {
  std::size_t const count = values.size();
  if (count == 0) return;
  Reserve(count);
  for (std::size_t i = 0; i < count; ++i) pairs_[i] = KeyOf(values[i], rows[i]);
  if (count <= kFewCells) {
    std::sort(pairs_.get(), pairs_.get() + count);  // rows differ, so no two pairs are equal
  } else if (count <= kMostByBucket) {
    BucketSort(count);
  } else {
    RadixSort(count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = ValueOf(pairs_[i]);
    rows[i] = RowOf(pairs_[i]);
  }
}

}  // namespace xgbl
