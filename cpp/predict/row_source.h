// SPDX-License-Identifier: Apache-2.0
// Where rows to predict come from: the features of a matrix, or memory of the user that is read as it is, block by
// block, without a copy of the whole: compressed sparse rows, and tables whose columns are of any number type.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/feature_matrix.h"
#include "data/scalar_type.h"

namespace xgbl {

/// Compressed sparse rows. Offsets are checked when this is made; columns when they are read: they may stand in any
/// order within a row, but only once.
class CsrView {
 public:
  /// `indices` are int32 or int64, `values` float32 or float64. DataError if the offsets do not rise or go beyond.
  CsrView(ScalarArray const& offsets, ScalarArray const& indices, ScalarArray const& values, std::size_t columns,
          float missing);

  std::size_t Rows() const { return begin_.size() - 1; }
  std::size_t Columns() const { return columns_; }
  /// Calls `visit(row, column, value)` for the cells of rows [begin, end) that are not missing. DataError for a column
  /// that there is not.
  template <class Visit>
  void ForEachPresent(std::size_t begin, std::size_t end, Visit const& visit) const {
    bool const narrow = indices_.type == ScalarType::kInt32;
    if (values_.type == ScalarType::kFloat32) {
      narrow ? Scan<std::int32_t, float>(begin, end, visit) : Scan<std::int64_t, float>(begin, end, visit);
    } else {
      narrow ? Scan<std::int32_t, double>(begin, end, visit) : Scan<std::int64_t, double>(begin, end, visit);
    }
  }

 private:
  [[noreturn]] void ThrowColumn(std::size_t row, std::int64_t column) const;

  template <class Index, class Number, class Visit>
  void Scan(std::size_t begin, std::size_t end, Visit const& visit) const {
    auto const* const indices = static_cast<Index const*>(indices_.data);
    auto const* const values = static_cast<Number const*>(values_.data);
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t k = begin_[row]; k < begin_[row + 1]; ++k) {
        std::int64_t const column = indices[k];
        auto const value = static_cast<float>(values[k]);
        if (static_cast<std::uint64_t>(column) >= columns_) ThrowColumn(row, column);
        if (!std::isnan(value) && value != missing_) visit(row, static_cast<std::size_t>(column), value);
      }
    }
  }

  std::vector<std::uint64_t> begin_;
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

  std::size_t Rows() const;
  std::size_t Columns() const;
  /// Whether columns that are not there are missing, rather than a mistake.
  bool IsSparse() const { return csr_ != nullptr || (features_ != nullptr && features_->Sparse() != nullptr); }

 private:
  FeatureMatrix const* features_ = nullptr;
  CsrView const* csr_ = nullptr;
  ColumnTable const* table_ = nullptr;
};

}  // namespace xgbl
