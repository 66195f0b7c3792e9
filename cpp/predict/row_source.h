// SPDX-License-Identifier: Apache-2.0
// Where rows to predict come from. They may be the features of a matrix, or the user's memory, which is read as it is,
// block by block, without copying the whole: compressed sparse rows, and tables whose columns are of any number type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/span.h"
#include "ingest/arrays.h"
#include "ingest/feature_matrix.h"

namespace xgbl {

/// Compressed sparse rows. Offsets are checked when this is made; columns by those who read them: they may stand in any
/// order within a row, but only once.
class CsrView {
 public:
  /// `indices` are int32 or int64, `values` float32 or float64. DataError if the offsets do not rise or go beyond.
  CsrView(ScalarArray const& offsets, ScalarArray const& indices, ScalarArray const& values, std::size_t columns,
          float missing);

  std::size_t Rows() const { return offsets_.size - 1; }
  std::size_t Columns() const { return columns_; }
  /// Values equal to it are missing, as is NaN.
  float Missing() const { return missing_; }
  /// Where the cells of rows from `begin` on begin; the last is where those of the row before end.
  /// DataError if they are not what they were when they were checked: the array is the user's.
  void ReadOffsets(std::size_t begin, Span<std::uint64_t> to) const {
    bool const good = ToIndex(offsets_, begin, indices_.size + 1, to) && std::is_sorted(to.begin(), to.end());
    Require<DataError>(good, "The row offsets of the sparse array were changed during the prediction. Pass a copy.");
  }
  /// Calls `visit(columns, values)` with the arrays of all cells in their types.
  template <class Visit>
  void WithCells(Visit const& visit) const {
    indices_.type == ScalarType::kInt32 ? WithValues<std::int32_t>(visit) : WithValues<std::int64_t>(visit);
  }

 private:
  template <class Index, class Visit>
  void WithValues(Visit const& visit) const {
    auto const* const indices = static_cast<Index const*>(indices_.data);
    values_.type == ScalarType::kFloat32 ? visit(indices, static_cast<float const*>(values_.data))
                                         : visit(indices, static_cast<double const*>(values_.data));
  }

  ScalarArray offsets_;
  ScalarArray indices_;
  ScalarArray values_;
  std::size_t columns_;
  float missing_;
};

/// A table by columns.
struct ColumnTable {
  struct Column {
    void const* data = nullptr;
    ScalarType type = ScalarType::kFloat32;
    std::ptrdiff_t stride = 0;  // in bytes
  };
  std::vector<Column> columns;
  std::size_t rows = 0;
  float missing = kMissing;
};

/// One of them; it must outlive this.
class RowSource {
 public:
  RowSource(FeatureMatrix const& features) : features_(&features) {}  // NOLINT(*-explicit-*)
  RowSource(CsrView const& rows) : csr_(&rows) {}                     // NOLINT(*-explicit-*)
  RowSource(ColumnTable const& table) : table_(&table) {}             // NOLINT(*-explicit-*)

  FeatureMatrix const* Features() const { return features_; }
  CsrView const* Csr() const { return csr_; }
  ColumnTable const* Table() const { return table_; }
  DenseTable const* Dense() const { return features_ != nullptr ? features_->Dense() : nullptr; }

  std::size_t Rows() const;
  std::size_t Columns() const;
  /// Values equal to it are missing, as is NaN.
  float Missing() const;
  /// Whether columns that are not there are missing, rather than a mistake.
  bool IsSparse() const { return csr_ != nullptr || (features_ != nullptr && features_->Sparse() != nullptr); }

 private:
  FeatureMatrix const* features_ = nullptr;
  CsrView const* csr_ = nullptr;
  ColumnTable const* table_ = nullptr;
};

}  // namespace xgbl
