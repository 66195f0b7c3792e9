// SPDX-License-Identifier: Apache-2.0
// Sorts the cells of one column by value, with ties in the order of the rows. Least significant digit first, 11 bits a
// digit, on the float's bits mapped to keep the order of the floats. Digits that all cells share are skipped. Linear in
// the number of cells, with no branches on the data. Few cells, such as those of a bin, are distributed by value over
// as many buckets instead; that leaves little to sort unless most values are close together.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/math.h"
#include "base/span.h"

namespace xgbl {

class ColumnSorter {
 public:
  /// Sorts both spans; `rows` must rise and no value may be NaN. -0.0 becomes 0.0. Keeps its buffers for the next call.
  void Sort(Span<float> values, Span<std::uint32_t> rows);

 private:
  using Pair = std::uint64_t;  // the value's image in the high half, the row in the low half

  void Reserve(std::size_t count);
  void BucketSort(std::size_t count);
  void RadixSort(std::size_t count);

  std::size_t capacity_ = 0;
  std::unique_ptr<Pair[]> pairs_;
  std::unique_ptr<Pair[]> other_;
};

// Cells as integers that sort by value, then by row. Also distributes cells over buckets by value, which takes a few
// nanoseconds per cell where sorting takes tens.

/// Both zeros are one value.
inline std::uint64_t KeyOf(float value, std::uint32_t row) { return std::uint64_t{~FallingKey(value)} << 32U | row; }
inline float ValueOf(std::uint64_t key) {
  constexpr std::uint32_t kSign = 0x80000000U;
  auto const rising = static_cast<std::uint32_t>(key >> 32U);
  return FromBits<float>((rising & kSign) != 0 ? rising ^ kSign : ~rising);
}
inline std::uint32_t RowOf(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

/// Puts cells, at least one, into the order of at most `most` buckets of rising values and equal ranges, unsorted
/// within a bucket, and gives the number of buckets. Bucket b has then the cells [begin[b], begin[b + 1]) of `to`; some
/// are empty. `begin` has most + 2 places.
inline std::size_t SplitByValue(Span<std::uint64_t const> cells, std::size_t most, std::uint64_t* to,
                                std::uint32_t* begin) {
  auto const [least, greatest] = std::minmax_element(cells.begin(), cells.end());
  std::uint64_t const origin = *least >> 32U, range = (*greatest >> 32U) - origin;
  unsigned shift = 0;
  while ((range >> shift) >= most) ++shift;
  auto const bucket_of = [&](std::uint64_t key) { return static_cast<std::size_t>(((key >> 32U) - origin) >> shift); };
  std::size_t const count = static_cast<std::size_t>(range >> shift) + 1;
  std::fill_n(begin, count + 2, 0);
  // A bucket's beginning stands one place too far until its cells have moved it there.
  for (auto const key : cells) ++begin[bucket_of(key) + 2];
  for (std::size_t b = 0; b < count; ++b) begin[b + 2] += begin[b + 1];
  for (auto const key : cells) to[begin[bucket_of(key) + 1]++] = key;
  return count;
}

/// Cells of a bin in smaller buckets.
class BucketSplitter {
 public:
  static constexpr std::size_t kMost = 128;

  /// Bucket b has then the cells [Begin(b), Begin(b + 1)) of `cells`.
  void Split(Span<std::uint64_t> cells) {
    from_.assign(cells.begin(), cells.end());
    count_ = SplitByValue(from_, std::min(kMost, cells.size() / kCellsPerBucket + 1), cells.data(), begin_.data());
  }
  std::size_t Count() const { return count_; }
  std::size_t Begin(std::size_t bucket) const { return begin_[bucket]; }

 private:
  static constexpr std::size_t kCellsPerBucket = 16;
  std::size_t count_ = 0;
  std::array<std::uint32_t, kMost + 2> begin_{};
  std::vector<std::uint64_t> from_;
};

}  // namespace xgbl
