// SPDX-License-Identifier: Apache-2.0
// How the work of building histograms is divided among threads. A target is one piece of one node's histogram for one
// output. Its rows are cut into chunks, small enough for packed sums and for the threads to share. A target of one
// chunk is summed in place; others are summed in a thread's own bins, which are then added to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "hist/histogram_loops.h"

namespace xgbl {

struct HistogramTarget {
  HistogramPiece const* piece = nullptr;
  PackedGradients const* gradients = nullptr;
  RowRun rows;
  std::int64_t* out = nullptr;  // its first bin
  bool out_packed = false;
  BinForm form = BinForm::kNarrowToPacked;  // of the chunks
  bool whole = true;                        // one chunk
  bool cleared = false;                     // for the flushing threads: whether `out` is set

  std::size_t Rows() const { return rows.end - rows.begin; }
  double Updates() const { return static_cast<double>(Rows()) * piece->cells_per_row; }
  std::size_t ChunkWords() const { return piece->bins * BinWords(form); }
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
