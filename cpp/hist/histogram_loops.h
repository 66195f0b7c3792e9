// SPDX-License-Identifier: Apache-2.0
// The loops that add gradients of rows to bins. A piece of a histogram belongs to one tile, or to the sparse rows. Each
// has its own loop, unrolled over the slots of the tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bins/binned_matrix.h"
#include "hist/packed_gradients.h"

namespace xgbl {

/// How gradients are added: both halves of a packed bin at once, or two integers a bin.
enum class BinForm { kNarrowToPacked, kNarrowToWide, kWideToWide };

/// Integers that a bin has.
constexpr std::size_t BinWords(BinForm form) { return form == BinForm::kNarrowToPacked ? 1 : 2; }

struct HistogramPiece {
  BinTile tile;  // cells is nullptr for the sparse rows
  SparseBins const* sparse = nullptr;
  std::uint32_t begin = 0;  // its bins among all of the histogram
  std::uint32_t bins = 0;
  std::vector<std::uint32_t> slot_bin;  // the first code of each slot, counted over all of the tile
  double cells_per_row = 0;             // on average
  bool by_sign = false;                 // each code has two bins: rows of negative gradient are in the second one
};

/// The tiles, then the sparse rows.
std::vector<HistogramPiece> PiecesOf(BinnedMatrix const& bins, bool by_sign = false);

/// The rows `list[begin]` to `list[end - 1]`, or `begin` to `end - 1` themselves without a list.
struct RowRun {
  std::uint32_t const* list = nullptr;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Adds rows to the bins of a piece, `bins` being its first.
using AddRows = void (*)(HistogramPiece const& piece, PackedGradients const& gradients, RowRun run, std::int64_t* bins);

/// One-byte tiles have no kNarrowToWide: they are small enough to be flushed.
AddRows AddRowsFor(HistogramPiece const& piece, BinForm form, bool listed);

}  // namespace xgbl
