// SPDX-License-Identifier: Apache-2.0
#include "predict/row_source.h"

#include <algorithm>

#include "base/error.h"

namespace xgbl {

CsrView::CsrView(ScalarArray const& offsets, ScalarArray const& indices, ScalarArray const& values, std::size_t columns,
                 float missing)
    : begin_(offsets.size), indices_(indices), values_(values), columns_(columns), missing_(missing) {
  Require<DataError>(!begin_.empty(), "`indptr` of sparse data must have at least one entry.");
  Require<DataError>(indices.size == values.size, "Sparse data must have as many indices as values; got ", indices.size,
                     " and ", values.size, ".");
  bool const good = ToIndex(offsets, 0, values.size + 1, begin_) && std::is_sorted(begin_.begin(), begin_.end());
  Require<DataError>(good, "`indptr` of sparse data must rise and stay within the ", values.size,
                     " values that are given.");
}

void CsrView::ThrowColumn(std::size_t row, std::int64_t column) const {
  throw DataError(Text("Sparse data has the index ", column, " in row ", row, ", but only ", columns_, " columns."));
}

std::size_t RowSource::Rows() const {
  if (features_ != nullptr) return features_->Rows();
  return csr_ != nullptr ? csr_->Rows() : table_->rows;
}

std::size_t RowSource::Columns() const {
  if (features_ != nullptr) return features_->Columns();
  return csr_ != nullptr ? csr_->Columns() : table_->columns.size();
}

}  // namespace xgbl
