// SPDX-License-Identifier: Apache-2.0
// The levels of a categorical feature in a node, and their order by weight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "hist/histogram.h"
#include "hist/occupied_bins.h"
#include "parallel/radix_sort.h"
#include "simd/histogram_kernels.h"
#include "tree/fixed_point.h"

namespace xgbl {

/// Those that occur, with their sums: a few of thousands, as a rule.
class CategoryLevels {
 public:
  explicit CategoryLevels(std::size_t outputs) : sums_(outputs) {}

  /// Levels in the order of their codes, out of `count` bins of a histogram from `first` on.
  void Read(Histogram const& histogram, std::size_t first, std::size_t count, HistogramKernels const& kernels);
  void Read(OccupiedBins const& bins);
  /// Puts those of `count` that do not occur after the others.
  void AddAbsent(std::size_t count);

  std::size_t size() const { return codes_.size(); }
  std::uint32_t Code(std::size_t i) const { return codes_[i]; }
  FixedSum Sum(std::size_t output, std::size_t i) const { return sums_[output][i]; }
  Span<FixedSum const> Sums(std::size_t output) const { return {sums_[output].data(), size()}; }
  FixedSums SumsOf(std::size_t i) const;
  FixedSums Total() const;

 private:
  void Reserve(std::size_t count);
  void KeepOccurring();

  std::vector<std::uint32_t> codes_;
  std::vector<std::vector<FixedSum>> sums_;  // by output
};

/// Sorts numbers by their weights, but only as many of either end as are wanted: most lie between.
class EndSorter {
 public:
  /// Numbers 0, 1 …, equal weights by number.
  void Sort(Span<float const> weights, std::size_t most);

  /// The least `most`, or all, rising,
  Span<std::uint32_t const> Rising() const { return rising_; }
  /// and the greatest, falling.
  Span<std::uint32_t const> Falling() const { return falling_; }

 private:
  static constexpr std::size_t kBuckets = 255;

  void SortAll(Span<float const> weights, std::size_t most);
  bool FillBuckets(Span<float const> weights);
  void SortThose(Span<float const> weights, std::uint8_t first, std::uint8_t last);

  std::vector<std::uint32_t> rising_, falling_;
  std::vector<std::uint8_t> buckets_;
  std::vector<float> weights_;
  std::vector<std::uint32_t> numbers_;
  ColumnSorter sorter_;
};

}  // namespace xgbl
