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

  // Collects the least keys: those below a bar, which is lowered whenever there are too many.
  struct Least {
    std::vector<Key> keys, sorted;
    std::size_t count = 0;
    Key bar = 0;

    void Start(std::size_t most, Key first_bar);
    /// There is room for so many between two calls of Shrink().
    void Add(Key key) {
      keys[count] = key;
      count += key < bar ? 1 : 0;
    }
    bool Shrink(std::size_t most);
    void Keep(std::size_t most);
    Span<Key const> Take(std::size_t most, HistogramKernels const& kernels);
  };

  void SortAll(Span<float const> weights, std::size_t most, HistogramKernels const& kernels);
  void SortEnds(Span<float const> weights, std::size_t most, HistogramKernels const& kernels);
  void Collect(Span<float const> weights, std::size_t most, Key least_bar, Key greatest_bar);

  std::vector<std::uint32_t> rising_, falling_;
  Least least_, greatest_;  // the latter of negated keys
  std::vector<float> weights_;
  std::vector<std::uint32_t> numbers_;
  ColumnSorter sorter_;
};

}  // namespace xgbl
