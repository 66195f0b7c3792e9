// SPDX-License-Identifier: Apache-2.0
#include "data/dmatrix.h"

#include <algorithm>

#include "base/error.h"
#include "data/fingerprint.h"

namespace xgbl {
namespace {

DenseTable PickRows(DenseTable const& table, Span<std::size_t const> rows) {
  float* cells = nullptr;
  DenseTable out = NewTable(rows.size(), table.columns, &cells);
  for (std::size_t const row : rows) {
    for (std::size_t column = 0; column < table.columns; ++column) *cells++ = table.At(row, column);
  }
  return out;
}

SparseRows PickRows(SparseRows const& source, Span<std::size_t const> rows) {
  SparseRows out;
  out.columns = source.columns;
  out.row_begin.reserve(rows.size() + 1);
  std::size_t total = 0;
  for (std::size_t const row : rows) {
    total += source.row_begin[row + 1] - source.row_begin[row];
    out.row_begin.push_back(total);
  }
  out.column.reserve(total);
  out.value.reserve(total);
  for (std::size_t const row : rows) {
    std::size_t const first = source.row_begin[row], count = source.row_begin[row + 1] - first;
    out.column.insert(out.column.end(), source.column.data() + first, source.column.data() + first + count);
    out.value.insert(out.value.end(), source.value.data() + first, source.value.data() + first + count);
  }
  return out;
}

}  // namespace

DMatrix::DMatrix(FeatureMatrix features, Meta meta) : features_(std::move(features)) {
  CheckShape(Rows(), Columns());
  SetInfo(std::move(meta));
}

std::size_t DMatrix::Present() const {
  if (SparseRows const* sparse = features_.Sparse()) return sparse->value.size();
  std::size_t present = 0;
  for (std::size_t row = 0; row < Rows(); ++row) {
    features_.ForEachPresent(row, [&](std::size_t, float) { ++present; });
  }
  return present;
}

void DMatrix::SetInfo(Meta meta) {
  meta.Check(Rows(), Columns());
  meta_ = std::move(meta);
  ++info_version_;
}

ColumnBlocks const& DMatrix::Sorted(Context const& ctx) const {
  std::lock_guard<std::mutex> const lock(views_mutex_);
  if (!sorted_) sorted_ = std::make_unique<ColumnBlocks const>(ColumnBlocks::Build(features_, ctx));
  return *sorted_;
}

std::shared_ptr<DMatrix> DMatrix::Slice(Span<std::size_t const> rows, bool allow_groups) const {
  for (std::size_t const row : rows) {
    Require<DataError>(row < Rows(), "Row ", row, " is not in the matrix, which has ", Rows(), " rows.");
  }
  CheckUnchanged(features_, Context{});
  DenseTable const* table = features_.Dense();
  FeatureMatrix picked =
      table != nullptr ? FeatureMatrix(PickRows(*table, rows)) : FeatureMatrix(PickRows(*features_.Sparse(), rows));
  return std::make_shared<DMatrix>(std::move(picked), meta_.Slice(rows, allow_groups));
}

}  // namespace xgbl
