// SPDX-License-Identifier: Apache-2.0
// Replaces the histogram of a node with so few rows that most of its bins would be empty. Of each feature it has only
// the bins that have rows, summed from the rows on demand. Between them no candidate of a numeric feature differs from
// the one before, and no set has a category that does not occur: so a scan over these alone finds the same split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "bins/binned_matrix.h"
#include "hist/packed_gradients.h"

namespace xgbl {

/// One thread's; the matrix and the gradients must outlive it.
class OccupiedBins {
 public:
  /// The rows of the largest node of which it is to tell, as with more a histogram costs less; 0: of none, because some
  /// features are bundled or kept as sparse rows.
  static std::size_t MostRows(BinnedMatrix const& bins);

  OccupiedBins(BinnedMatrix const& bins, Span<PackedGradients const> outputs);

  /// The node whose features are looked at next; no more than MostRows() rows.
  void SetRows(Span<std::uint32_t const> rows);
  /// Sums up one feature.
  void Count(std::uint32_t feature);

  /// The feature's bins that have rows, rising; and always its first, below which only what is missing can be.
  Span<std::uint32_t const> Numbers() const { return {numbers_.data(), count_}; }
  /// Their sums, in that order; a line past them may be read.
  FixedSum const* Sums(std::size_t output) const { return sums_.data() + output * (most_rows_ + 1); }

 private:
  void ReadCodes(std::uint32_t feature);
  void NumberBins();

  BinnedMatrix const& matrix_;
  Span<PackedGradients const> outputs_;
  std::size_t most_rows_;
  Span<std::uint32_t const> rows_;
  std::vector<FixedSum> values_;      // of the rows, output by output
  std::vector<std::uint32_t> codes_;  // of the rows, in the feature at hand
  std::vector<std::uint64_t> marks_;  // a bit for each code that was met; all zero when not in use
  std::vector<std::uint32_t> index_;  // of each such code: its place among them
  std::size_t count_ = 0;
  std::vector<std::uint32_t> numbers_;
  std::vector<FixedSum> sums_;
};

}  // namespace xgbl
