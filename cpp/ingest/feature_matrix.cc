// SPDX-License-Identifier: Apache-2.0
#include "ingest/feature_matrix.h"

#include <functional>
#include <new>

#include "base/error.h"

namespace xgbl {

std::optional<std::uint32_t> SortRow(Span<std::uint32_t> columns, Span<float> values) {
  auto const unordered = std::adjacent_find(columns.begin(), columns.end(), std::greater_equal<>());
  if (unordered == columns.end()) return std::nullopt;
  std::vector<std::pair<std::uint32_t, float>> cells(columns.size());
  for (std::size_t k = 0; k < cells.size(); ++k) cells[k] = {columns[k], values[k]};
  std::stable_sort(cells.begin(), cells.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < cells.size(); ++k) {
    columns[k] = cells[k].first;
    values[k] = cells[k].second;
  }
  auto const twice = std::adjacent_find(columns.begin(), columns.end());
  return twice == columns.end() ? std::nullopt : std::optional<std::uint32_t>(*twice);
}

std::size_t FeatureMatrix::Rows() const {
  if (DenseTable const* table = Dense()) return table->rows;
  return Sparse() != nullptr ? Sparse()->rows() : Binned()->Rows();
}

std::size_t FeatureMatrix::Columns() const {
  if (DenseTable const* table = Dense()) return table->columns;
  return Sparse() != nullptr ? Sparse()->columns : Binned()->Columns();
}

void FeatureMatrix::NeedValues(char const* user) const {
  Require<DataError>(Binned() == nullptr, user, " needs the values of the features, but a quantised matrix ",
                     "(QuantileDMatrix) keeps only their bins. Only the `hist` tree method and prediction work on it: ",
                     "make a DMatrix of the data for all else.");
}

DenseTable NewTable(std::size_t rows, std::size_t columns, float** cells) {
  if (columns != 0 && rows > std::numeric_limits<std::size_t>::max() / sizeof(float) / columns) throw std::bad_alloc();
  // Not a vector, which would fill the memory with zeros first.
  std::shared_ptr<float[]> memory(new float[rows * columns]);
  *cells = memory.get();
  return {memory.get(), rows, columns, static_cast<std::ptrdiff_t>(columns), 1, kMissing, {memory, memory.get()}, {}};
}

SparseTable TableOf(SparseRows rows) {
  auto const kept = std::make_shared<SparseRows const>(std::move(rows));
  return {kept->row_begin, kept->column, kept->value, kept->columns, kept, {}};
}

void CheckShape(std::size_t rows, std::size_t columns) {
  constexpr auto kMostRows = static_cast<std::size_t>(std::numeric_limits<std::uint32_t>::max());
  constexpr auto kMostColumns = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  Require<DataError>(rows <= kMostRows, "Too many rows: got ", rows, ", at most ", kMostRows, " are possible.");
  Require<DataError>(columns <= kMostColumns, "Too many columns: got ", columns, ", at most ", kMostColumns,
                     " are possible.");
}

}  // namespace xgbl
