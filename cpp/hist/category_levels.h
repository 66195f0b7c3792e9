// SPDX-License-Identifier: Apache-2.0
// The levels of a categorical feature that occur in a node, a few of thousands as a rule, with their sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "hist/histogram.h"
#include "hist/occupied_bins.h"
#include "simd/histogram_kernels.h"
#include "tree/fixed_point.h"

namespace xgbl {

class CategoryLevels {
 public:
  explicit CategoryLevels(std::size_t outputs) : wide_(outputs), total_(outputs) {}

  /// Levels in the order of their codes, out of `count` bins of a histogram from `first` on.
  void Read(Histogram const& histogram, std::size_t first, std::size_t count, HistogramKernels const& kernels);
  void Read(OccupiedBins const& bins);
  /// Puts those of `count` that do not occur after the others.
  void AddAbsent(std::size_t count);

  std::size_t size() const { return count_; }
  std::uint32_t Code(std::size_t i) const { return codes_[i]; }
  FixedSum Sum(std::size_t output, std::size_t i) const {
    return is_packed_ ? Histogram::Unpack(packed_[i]) : wide_[output][i];
  }
  FixedSums SumsOf(std::size_t i) const;
  FixedSums const& Total() const { return total_; }

  /// Of one output: fills in the sums, and writes the weights.
  LowLevels Weigh(LevelTask task, HistogramKernels const& kernels) const;

 private:
  void Reserve(std::size_t count);
  template <class NumberOf, class SumOf>
  void KeepOccurring(std::size_t count, NumberOf const& number_of, SumOf const& sum_of);

  bool is_packed_ = false;
  std::size_t count_ = 0;  // of what follows has room for more
  std::vector<std::uint32_t> codes_;
  std::vector<std::int64_t> packed_;
  std::vector<std::vector<FixedSum>> wide_;  // by output
  FixedSums total_;
};

}  // namespace xgbl
