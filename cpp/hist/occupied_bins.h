// SPDX-License-Identifier: Apache-2.0
// Replaces the histogram of a node with so few rows that most of its bins would be empty. Of each feature it has only
// the bins that have rows, summed from the rows on demand. Between them no candidate differs from the one before, so a
// scan over these alone finds the same split.
#pragma once

#include <array>
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
  /// With more rows a histogram costs less.
  static constexpr std::size_t kMostRows = 96;
  /// Whether all features are numeric, each with a byte per row to itself.
  static bool CanTell(BinnedMatrix const& bins);

  OccupiedBins(BinnedMatrix const& bins, Span<PackedGradients const> outputs);

  /// The node whose features are looked at next; no more than kMostRows rows.
  void SetRows(Span<std::uint32_t const> rows);
  /// Sums up one feature.
  void Count(std::uint32_t feature);

  /// The feature's bins that have rows, rising; and always its first, below which only what is missing can be.
  Span<std::uint32_t const> Numbers() const { return {numbers_.data(), count_}; }
  /// Their sums, in that order.
  FixedSum const* Sums(std::size_t output) const { return sums_.data() + output * (kMostRows + 1); }

 private:
  static constexpr std::size_t kWords = kMostByteCodes / 64;
  using Marks = std::array<std::uint64_t, kWords>;

  Marks AddRows(std::uint32_t feature);
  void TakeOut(Marks marks);

  BinnedMatrix const& matrix_;
  Span<PackedGradients const> outputs_;
  Span<std::uint32_t const> rows_;
  std::vector<FixedSum> values_;  // of the rows, output by output
  std::vector<FixedSum> bins_;    // of all codes, output by output; all zero when not in use
  std::size_t count_ = 0;
  std::array<std::uint32_t, kMostRows + 1> numbers_{};
  std::vector<FixedSum> sums_;
};

}  // namespace xgbl
