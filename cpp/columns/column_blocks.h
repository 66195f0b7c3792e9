// SPDX-License-Identifier: Apache-2.0
// Compressed sorted columns, the layout of exact split search (Chen and Guestrin 2016, section 4.1). Each column holds
// its present cells in rising order of value, with ties in the order of the rows. Absent cells take no room. A column
// is handed out in blocks of bounded length, in order, so that a source on disk can replace the one in memory. Building
// takes O(cells) for counting and placing plus one radix sort per column. Short columns are sorted by comparison,
// because clearing the radix counters would take longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "ingest/feature_matrix.h"

namespace xgbl {

/// Calls `visit(column, values, rows)` for every column, sorted in the same way, in any order and from several threads.
/// For callers that need each column once and must not keep a sorted copy of all. -0.0 becomes 0.0.
void ForEachSortedColumn(FeatureMatrix const& features, Context const& ctx,
                         std::function<void(std::size_t, Span<float const>, Span<std::uint32_t const>)> const& visit);

/// Cells by column, those of column c from begin[c] on.
struct CellsByColumn {
  std::vector<std::size_t> begin{0};  // columns + 1
  std::unique_ptr<float[]> values;    // not vectors, which one thread would fill with zeros first
  std::unique_ptr<std::uint32_t[]> rows;
};

class ColumnBlocks {
 public:
  /// The most cells of one block.
  static constexpr std::size_t kBlockCells = std::size_t{1} << 16U;

  struct Block {
    Span<float const> values;
    Span<std::uint32_t const> rows;
  };

  /// Equal for any number of threads. -0.0 becomes 0.0. DataError if the user's array changed since it was taken in.
  static ColumnBlocks Build(FeatureMatrix const& features, Context const& ctx);

  std::size_t Rows() const { return rows_in_matrix_; }
  std::size_t Columns() const { return cells_.begin.size() - 1; }
  std::size_t Present(std::size_t column) const { return cells_.begin[column + 1] - cells_.begin[column]; }
  bool HasMissing(std::size_t column) const { return Present(column) < Rows(); }
  /// Whether the column has cells and all of them are equal.
  bool HasOneValue(std::size_t column) const { return one_value_[column] != 0; }

  std::size_t BlockCount(std::size_t column) const { return (Present(column) + kBlockCells - 1) / kBlockCells; }
  Block GetBlock(std::size_t column, std::size_t block) const;

 private:
  void ShareEqualValues();

  CellsByColumn cells_;
  std::vector<std::uint8_t> one_value_;   // by column
  std::vector<std::size_t> value_begin_;  // by column: the first of its values, or of the run that it shares
  std::size_t rows_in_matrix_ = 0;
};

}  // namespace xgbl
