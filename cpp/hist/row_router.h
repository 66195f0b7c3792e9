// SPDX-License-Identifier: Apache-2.0
// Sends the rows of a node left or right by the bin of one feature: the inner loop of RowPartition. Works on blocks of
// rows. The codes of a block are gathered first, or used in place if its rows are consecutive. Then all rows are split
// by their codes at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "bins/binned_matrix.h"
#include "hist/row_partition.h"

namespace xgbl {

class RowRouter {
 public:
  enum class Source { kColumns, kTiles };

  /// kColumns: reads the copy by columns if there is one.
  RowRouter(BinnedMatrix const& bins, RowPartition::Move const& move, Source source = Source::kColumns);

  /// The rows that go left to `left`, the others to `right`, both in their order; how many went left. Both have room
  /// for all; `left` may be `rows`.
  std::size_t Route(std::uint32_t const* rows, std::size_t count, std::uint32_t* left, std::uint32_t* right,
                    Context const& ctx) const;

 private:
  static constexpr std::size_t kBlock = 512;

  void LeftFlags(Span<std::uint32_t const> rows, std::uint8_t* flags) const;
  template <class Codes>
  void FlagsBy(Codes codes, Span<std::uint32_t const> rows, std::uint8_t* flags) const;

  BinnedMatrix const& bins_;
  std::uint32_t feature_;
  BinPlace place_;
  BinTile const* tile_ = nullptr;  // of the slot
  std::uint8_t const* column8_ = nullptr;
  std::uint16_t const* column16_ = nullptr;
  // Numeric: a code is inside if it is one of `width_` from `low_` on.
  std::uint32_t low_ = 0;
  std::uint32_t width_ = 0;
  bool inside_left_ = true;
  std::vector<std::uint8_t> bin_left_;  // categorical: whether a bin, or a missing value, goes left
};

}  // namespace xgbl
