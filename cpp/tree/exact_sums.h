// SPDX-License-Identifier: Apache-2.0
// The exact sums of a node's rows in and below each bin of one feature. Of one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "data/bin_order.h"
#include "tree/cell_gather.h"
#include "tree/fixed_point.h"

namespace xgbl {

/// Neighbouring bins; `last` is not among them.
struct BinWindow {
  std::uint32_t first = 0, last = 0;
  bool Empty() const { return first == last; }
};

class ExactSums {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  ExactSums(BinOrder const& order, Span<ScanRow const> records) : order_(order), records_(records) {}

  /// Forgets what it has.
  void Clear() { feature_ = kNone; }
  /// Adds up some rows, which rise, and picks those in some bins.
  void Make(std::uint32_t feature, Span<std::uint32_t const> rows, BinWindow const& pick);

  /// Whose sums these are.
  std::uint32_t Feature() const { return feature_; }
  std::uint32_t Bins() const { return static_cast<std::uint32_t>(bins_.size() - 1); }
  /// One more than there are bins: of all cells.
  FixedSum Below(std::uint32_t bin) const { return bins_[bin].below; }
  std::uint32_t Rows(std::uint32_t bin) const { return bins_[bin].rows; }
  std::uint32_t RowsWithoutCell() const { return bins_.back().rows; }
  /// The nearest bin below that has rows; kNone if there is none.
  std::uint32_t FilledBelow(std::uint32_t bin) const;

  bool HasPicked() const { return has_picked_; }
  Span<std::uint32_t const> Picked() const { return {picked_.data(), picks_}; }

 private:
  struct Bin {
    FixedSum below;
    std::uint32_t rows = 0;
  };

  BinOrder const& order_;
  Span<ScanRow const> records_;
  std::uint32_t feature_ = kNone;
  std::vector<Bin> bins_;
  bool has_picked_ = false;
  std::size_t picks_ = 0;
  std::vector<std::uint32_t> picked_;
};

}  // namespace xgbl
