// SPDX-License-Identifier: Apache-2.0
// Turns rows of features into the codes of their slots, one block at a time. The values of a group of features are laid
// out by column in the innermost cache, and many bins are searched at once. Sparse rows work the same way where a
// feature occurs often; the cells of the other features are searched one by one. One binner per thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "bins/bin_layout.h"
#include "bins/block_codes.h"
#include "cuts/cuts.h"
#include "ingest/feature_matrix.h"

namespace xgbl {

/// The code of a slot where no feature of it is present.
std::uint32_t MissingCode(BinSlot const& slot, Cuts const& cuts);

/// Throws the DataError for cells that were missing, or not, when they were counted.
[[noreturn]] void ThrowUncounted(std::size_t feature);

class RowBinner {
 public:
  /// `present` of `rows`: as the layout was planned with.
  RowBinner(Cuts const& cuts, BinLayout const& layout, Span<std::size_t const> present, std::size_t rows,
            BinCells* cells, Context const& ctx);

  /// The codes of rows [begin, end) of a piece, at most BlockCodes::kRows, which are the rows from `to` of the matrix.
  void Bin(DenseTable const& table, std::size_t begin, std::size_t end, std::size_t to);
  void Bin(SparseTable const& rows, std::size_t begin, std::size_t end, std::size_t to);

 private:
  void BinColumn(std::uint32_t feature, float const* values);
  void WriteColumn(std::size_t slot, std::uint32_t feature);
  void Merge(BinPlace const& place);
  void FillBundles();

  Cuts const& cuts_;
  BinLayout const& layout_;
  Context const& ctx_;
  BlockCodes codes_;
  std::vector<std::uint32_t> features_;   // that have a slot
  std::vector<std::uint32_t> frequent_;   // of those, what sparse rows have laid out by columns,
  std::vector<std::uint32_t> column_of_;  // and by feature its place there
  std::vector<float> values_;
  std::vector<std::uint16_t> bins_;
};

}  // namespace xgbl
