// SPDX-License-Identifier: Apache-2.0
// Blocks of rows in the one shape that packed trees are walked on: the features that the model uses, side by side, each
// as the two cells that layout.h describes. One reader per thread; a row costs its used features, or its present cells
// if sparse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "ingest/feature_matrix.h"

namespace xgbl {

class RowReader {
 public:
  /// Rows of a block come in whole groups of this many; those beyond the end hold what an earlier block left.
  static constexpr std::size_t kRowGroup = 16;

  /// `used` lists the features, rising.
  RowReader(FeatureMatrix const& features, Span<std::uint32_t const> used);

  /// How many rows a block may have.
  std::size_t BlockRows() const { return block_rows_; }
  /// Reads rows [begin, end), at most BlockRows(); valid until the next call.
  void Read(std::size_t begin, std::size_t end);
  /// The cells of row begin + i.
  float const* Row(std::size_t i) const { return cells_.data() + i * Stride(); }
  std::size_t Stride() const { return 2 * used_.size(); }

 private:
  void ReadDense(DenseTable const& table, std::size_t begin, std::size_t end);
  void ReadSparse(SparseTable const& rows, std::size_t begin, std::size_t end);
  void ReadBinned(BinnedFeatures const& bins, std::size_t begin, std::size_t end);
  void Put(std::size_t row, std::size_t i, float value);

  FeatureMatrix const& features_;
  Span<std::uint32_t const> used_;
  std::size_t block_rows_;
  std::vector<float> cells_;
  std::vector<std::size_t> present_;  // of sparse rows: the cells to clear before the next block
};

}  // namespace xgbl
