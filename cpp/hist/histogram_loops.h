// SPDX-License-Identifier: Apache-2.0
// The loops that add gradients of rows to bins, and how their work is divided among threads. A piece of a histogram
// belongs to one tile, or to the sparse rows. Each has its own loop, unrolled over the slots of the tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
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
  std::uint32_t codes = 0;              // of its slots, one after the other: its bins, unless they are joint codes
  std::vector<std::uint32_t> slot_bin;  // the first code of each slot
  // Of joint codes, the bins that each stands for: code_bin[code_begin[code]] to code_bin[code_begin[code + 1] - 1].
  std::vector<std::uint32_t> code_begin, code_bin;
  double cells_per_row = 0;  // on average
  bool by_sign = false;      // each code has two bins: rows of negative gradient are in the second one

  bool Joint() const { return !code_begin.empty(); }
};

/// The tiles, then the sparse rows.
std::vector<HistogramPiece> PiecesOf(BinnedMatrix const& bins, bool by_sign = false);

/// The rows `list[begin]` to `list[end - 1]`, or `begin` to `end - 1` themselves without a list.
struct RowRun {
  std::uint32_t const* list = nullptr;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Adds rows to the bins of a piece, `bins` being its first; or to its codes.
using AddRows = void (*)(HistogramPiece const& piece, PackedGradients const& gradients, RowRun run, std::int64_t* bins);

/// One-byte tiles have no kNarrowToWide: they are small enough to be flushed. `to_codes`: joint codes are summed up,
/// for AddJointCodes() to take to their bins.
AddRows AddRowsFor(HistogramPiece const& piece, BinForm form, bool listed, bool to_codes = false);

/// One piece of one node's histogram for one output. Its rows are cut into chunks, small enough for packed sums and for
/// the threads to share. A target of one chunk is summed in place; others, and those of many joint codes, are summed in
/// a thread's own bins, which are then added to it.
struct HistogramTarget {
  HistogramPiece const* piece = nullptr;
  PackedGradients const* gradients = nullptr;
  RowRun rows;
  std::int64_t* out = nullptr;  // its first bin
  bool out_packed = false;
  BinForm form = BinForm::kNarrowToPacked;  // of the chunks
  bool whole = true;                        // summed in place
  bool cleared = false;                     // for the flushing threads: whether `out` is set

  std::size_t Rows() const { return rows.end - rows.begin; }
  double Updates() const { return static_cast<double>(Rows()) * piece->cells_per_row; }
  std::size_t ChunkWords() const { return piece->codes * BinWords(form); }
  std::size_t OutWords() const { return std::size_t{piece->bins} * (out_packed ? 1 : 2); }
};

struct HistogramChunk {
  std::size_t target = 0;
  RowRun rows;
  double work = 0;
};

/// Chooses the forms, and cuts all targets into chunks, the longest first.
std::vector<HistogramChunk> PlanChunks(std::vector<HistogramTarget>* targets, int threads);

/// Work where it matters that a thread continues with what it has in its cache. Between cores that share no cache,
/// moving a histogram takes longer than working on it.
struct WorkPiece {
  double steps = 0;
  int owner = -1;  // the share that has what it needs; -1: none has
};

/// The pieces of each of `count` shares, rising: as many as can stay with their owners without one share having much
/// more to do than its part. None at all if the pieces are too few or too unlike for that.
std::vector<std::vector<std::size_t>> ShareOut(Span<WorkPiece const> pieces, int count);

}  // namespace xgbl
