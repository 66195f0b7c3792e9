// SPDX-License-Identifier: Apache-2.0
// Sorts the cells of one column by value, with ties in the order of the rows. Least significant digit first, 11 bits a
// digit, on the float's bits mapped to keep the order of the floats. Digits that all cells share are skipped. Linear in
// the number of cells, with no branches on the data. Few cells, such as those of a bin, are distributed by value over
// as many buckets instead; that leaves little to sort unless most values are close together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

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

}  // namespace xgbl
