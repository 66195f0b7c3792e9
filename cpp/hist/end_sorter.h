// SPDX-License-Identifier: Apache-2.0
// Sorts numbers by their weights, but only as many as are wanted at either end: of thousands of levels of a category
// most lie between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "parallel/radix_sort.h"
#include "simd/histogram_kernels.h"

namespace xgbl {

class EndSorter {
 public:
  /// Numbers 0, 1 …; of equal weights the lower number is less. No weight may be NaN.
  void Sort(Span<float const> weights, std::size_t most, HistogramKernels const& kernels);

  /// The least `most`, or all, rising,
  Span<std::uint32_t const> Rising() const { return rising_; }
  /// and the greatest, falling.
  Span<std::uint32_t const> Falling() const { return falling_; }

 private:
  using Key = std::int64_t;  // rises with weight and number

  void SortAll(Span<float const> weights, std::size_t most, HistogramKernels const& kernels);
  void SortEnds(Span<float const> weights, std::size_t most, HistogramKernels const& kernels);
  void PickKeys(Span<float const> weights, float least, float greatest, std::size_t most,
                HistogramKernels const& kernels);
  void SortLeast(std::size_t most, HistogramKernels const& kernels);

  std::vector<std::uint32_t> rising_, falling_;
  std::vector<float> weights_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Key> keys_, sorted_;
  ColumnSorter sorter_;
};

}  // namespace xgbl
