// SPDX-License-Identifier: Apache-2.0
// The features of a matrix in the shape of their source: a dense table of float32 (any strides) or compressed sparse
// rows. Either may be the user's own memory. Immutable. All other input is converted to one of the two at the border
// (dense.h, sparse.h, text_reader.h), so the engine knows no others. Matrices made for histogram training alone have a
// third shape: no values, only bins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "base/span.h"

namespace xgbl {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

/// A dense table; a cell is missing if it is NaN or equals `missing`. `owner` keeps the memory alive. The user's own
/// memory, which may be written to, carries a fingerprint: see ingest/fingerprint.h.
struct DenseTable {
  float const* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::ptrdiff_t row_stride = 0;     // in values, not bytes
  std::ptrdiff_t column_stride = 0;  // in values, not bytes
  float missing = kMissing;
  std::shared_ptr<void const> owner;
  std::optional<std::uint64_t> fingerprint;

  /// The value of a cell, NaN if it is missing.
  float At(std::size_t row, std::size_t column) const {
    return Present(
        data[static_cast<std::ptrdiff_t>(row) * row_stride + static_cast<std::ptrdiff_t>(column) * column_stride],
        missing);
  }
  static float Present(float value, float missing) { return value == missing ? kMissing : value; }
};

/// Present cells by row; columns rise within a row, and no value is NaN. Memory as in DenseTable.
struct SparseTable {
  Span<std::size_t const> row_begin;  // rows + 1, from 0 on
  Span<std::uint32_t const> column;
  Span<float const> value;
  std::size_t columns = 0;
  std::shared_ptr<void const> owner;
  std::optional<std::uint64_t> fingerprint;

  std::size_t rows() const { return row_begin.size() - 1; }
};

/// The same while it is made, in memory of our own.
struct SparseRows {
  std::vector<std::size_t> row_begin{0};
  std::vector<std::uint32_t> column;
  std::vector<float> value;
  std::size_t columns = 0;

  std::size_t rows() const { return row_begin.size() - 1; }
};

/// A table that owns the rows.
SparseTable TableOf(SparseRows rows);

/// Present cells of a row: column and value.
using RowCells = std::vector<std::pair<std::uint32_t, float>>;

/// Stands for a quantised value: a value of the same bin, which no cut separates from the original. See BinnedMatrix.
class BinnedFeatures {
 public:
  virtual ~BinnedFeatures() = default;
  virtual std::size_t Rows() const = 0;
  virtual std::size_t Columns() const = 0;
  virtual float At(std::size_t row, std::size_t column) const = 0;
  virtual void Read(std::size_t row, RowCells* cells) const = 0;
};

/// Sorts the cells of one row by column; returns a column that occurs twice, if there is one.
std::optional<std::uint32_t> SortRow(Span<std::uint32_t> columns, Span<float> values);

/// A table in our own memory, rows without gaps. Its values are to be written to `*cells`.
DenseTable NewTable(std::size_t rows, std::size_t columns, float** cells);

/// Throws DataError for a matrix that is too large: rows are numbered in 32 bits, columns in 31.
void CheckShape(std::size_t rows, std::size_t columns);

class FeatureMatrix {
 public:
  FeatureMatrix() = default;
  explicit FeatureMatrix(DenseTable table) : shape_(std::move(table)) {}
  explicit FeatureMatrix(SparseTable table) : shape_(std::move(table)) {}
  explicit FeatureMatrix(SparseRows rows) : FeatureMatrix(TableOf(std::move(rows))) {}
  explicit FeatureMatrix(std::shared_ptr<BinnedFeatures const> bins) : shape_(std::move(bins)) {}

  DenseTable const* Dense() const { return std::get_if<DenseTable>(&shape_); }
  SparseTable const* Sparse() const { return std::get_if<SparseTable>(&shape_); }
  BinnedFeatures const* Binned() const {
    auto const* const bins = std::get_if<std::shared_ptr<BinnedFeatures const>>(&shape_);
    return bins == nullptr ? nullptr : bins->get();
  }

  std::size_t Rows() const;
  std::size_t Columns() const;
  /// Throws DataError if there are only bins. `user` is what needs the values.
  void NeedValues(char const* user) const;

  /// The value of one cell, NaN if it is missing; O(log present) in a sparse row.
  float Value(std::size_t row, std::size_t column) const {
    if (DenseTable const* table = Dense()) return table->At(row, column);
    if (BinnedFeatures const* bins = Binned()) return bins->At(row, column);
    SparseTable const& rows = *Sparse();
    std::uint32_t const* first = rows.column.data() + rows.row_begin[row];
    std::size_t count = rows.row_begin[row + 1] - rows.row_begin[row];
    while (count > 1) {  // a search whose steps are conditional moves: where a column lies cannot be predicted
      std::size_t const half = count / 2;
      first = first[half] <= column ? first + half : first;
      count -= half;
    }
    bool const present = count == 1 && *first == column;
    return present ? rows.value[static_cast<std::size_t>(first - rows.column.data())] : kMissing;
  }

  /// Calls `visit(column, value)` for each present cell of a row, columns rising.
  template <class Visit>
  void ForEachPresent(std::size_t row, Visit&& visit) const {
    if (DenseTable const* table = Dense()) {
      for (std::size_t c = 0; c < table->columns; ++c) {
        float const value = table->At(row, c);
        if (!std::isnan(value)) visit(c, value);
      }
    } else if (SparseTable const* rows = Sparse()) {
      for (std::size_t k = rows->row_begin[row]; k < rows->row_begin[row + 1]; ++k) {
        visit(static_cast<std::size_t>(rows->column[k]), rows->value[k]);
      }
    } else {
      RowCells cells;
      Binned()->Read(row, &cells);
      for (auto const& [column, value] : cells) visit(static_cast<std::size_t>(column), value);
    }
  }

 private:
  std::variant<DenseTable, SparseTable, std::shared_ptr<BinnedFeatures const>> shape_;
};

}  // namespace xgbl
