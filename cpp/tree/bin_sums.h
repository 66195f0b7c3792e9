// SPDX-License-Identifier: Apache-2.0
// Exact sums per bin over the rows of a node, for split search by bounds: gradient, hessian, magnitude of the gradient
// and rows. A bin is four integers side by side, so that a cell is one or two wide additions; all are exact, so that a
// larger child's are its parent's less its sibling's, and the number of threads does not matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "data/binned_matrix.h"
#include "data/buffer.h"
#include "tree/cell_gather.h"
#include "tree/fixed_point.h"

namespace xgbl {

struct BinSum {
  std::int64_t gradient;
  std::int64_t hessian;
  std::int64_t magnitude;  // of the gradients: the sum of their absolute values
  std::int64_t rows;

  FixedSum Pair() const { return {gradient, hessian}; }
  /// The sums of the positive and of the negative gradients, both as magnitudes.
  std::int64_t Rise() const { return (magnitude + gradient) / 2; }
  std::int64_t Fall() const { return (magnitude - gradient) / 2; }
};

inline void Add(BinSum* bin, BinSum const& cell) {
  bin->gradient += cell.gradient;
  bin->hessian += cell.hessian;
  bin->magnitude += cell.magnitude;
  bin->rows += cell.rows;
}

/// What one row adds.
inline BinSum CellOf(ScanRow const& row) {
  return {row.gradient, row.hessian, row.gradient < 0 ? -row.gradient : row.gradient, 1};
}

/// The bins of one node in the numbering of BinnedMatrix::HistogramBins(); empty until built.
using BinSums = Buffer<BinSum>;

class BinSumBuilder {
 public:
  /// All slots of the matrix are one byte wide and none is a bundle; both arguments must outlive the builder.
  BinSumBuilder(BinnedMatrix const& bins, Span<ScanRow const> records, Context const& ctx);

  struct Job {
    Span<std::uint32_t const> rows;  // rising
    BinSums* out = nullptr;
  };
  /// Fills the bins of every job, all in one parallel region.
  void Build(Span<Job const> jobs);

  struct Difference {
    BinSums* parent = nullptr;  // becomes the other child's
    BinSums const* child = nullptr;
  };
  void Subtract(Span<Difference const> differences);

  /// Gives the memory back for later ones.
  void Release(BinSums* sums);
  std::size_t Bytes() const { return count_ * sizeof(BinSum); }

 private:
  void AddRows(Span<std::uint32_t const> rows, BinSum* bins) const;
  BinSums& ThreadBins(int thread);

  BinnedMatrix const& bins_;
  Span<ScanRow const> records_;
  Context const& ctx_;
  std::size_t count_;
  std::vector<BinSums> free_;
  std::vector<BinSums> thread_bins_;  // all zero when not in use
};

}  // namespace xgbl
