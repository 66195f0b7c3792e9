// SPDX-License-Identifier: Apache-2.0
#include "predict/block_reader.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace xgbl {
namespace {

// Behind the rows of a feature: columns whose distance is a power of two would meet in few places of the cache.
constexpr std::size_t kGap = 16;
constexpr std::size_t kTileRows = 16;
// Cells for each used feature, from which on hardly a feature is in none of the rows.
constexpr std::size_t kCellsForAll = 4;
constexpr std::size_t kCellsCounted = std::size_t{1} << 16U;  // in 32 bits

[[noreturn]] void ThrowColumn(std::size_t row, std::int64_t column, std::size_t columns) {
  throw DataError(Text("Sparse data has the index ", column, " in row ", row, ", but only ", columns, " columns."));
}

[[noreturn]] void ThrowTwice(std::size_t row, std::size_t column) {
  throw DataError(Text("Sparse data has more than one value in row ", row, ", column ", column,
                       ". Call `sum_duplicates()` on it first."));
}

// Whether the values of a column lie apart from one another.
bool HasGaps(RowSource const& source) {
  if (ColumnTable const* table = source.Table()) {
    return std::any_of(table->columns.begin(), table->columns.end(), [](ColumnTable::Column const& column) {
      return column.stride != static_cast<std::ptrdiff_t>(SizeOf(column.type));
    });
  }
  DenseTable const* const table = source.Features() != nullptr ? source.Features()->Dense() : nullptr;
  return table != nullptr && table->row_stride != 1;
}

// Whether the cells of a row lie side by side and are of one type, as those of arrays by row. Unless most are used, it
// is better to look at the columns that are.
bool GoesByRows(RowSource const& source, std::size_t used) {
  ColumnTable const* const table = source.Table();
  if (table == nullptr || table->columns.empty() || used * 2 < table->columns.size()) return false;
  ColumnTable::Column const& first = table->columns.front();
  auto const* next = static_cast<char const*>(first.data);
  return std::all_of(table->columns.begin(), table->columns.end(), [&](ColumnTable::Column const& column) {
    bool const beside = column.data == next && column.type == first.type && column.stride == first.stride;
    next += SizeOf(first.type);
    return beside;
  });
}

void Copy(DenseTable const& table, std::uint32_t feature, std::size_t rows, float* to) {
  float const* const from = table.data + static_cast<std::ptrdiff_t>(feature) * table.column_stride;
  for (std::size_t i = 0; i < rows; ++i) to[i] = from[static_cast<std::ptrdiff_t>(i) * table.row_stride];
}

void Convert(ColumnTable::Column const& column, std::size_t begin, std::size_t rows, float* to) {
  auto const* const from = static_cast<char const*>(column.data) + static_cast<std::ptrdiff_t>(begin) * column.stride;
  ToFloat(column.type, from, column.stride, rows, to);
}

}  // namespace

BlockReader::BlockReader(RowSource const& source, Span<std::uint32_t const> used, std::size_t rows)
    : source_(source),
      used_(used),
      room_(rows + kGap),
      by_tiles_(HasGaps(source)),
      by_rows_(GoesByRows(source, used.size())),
      all_(source.IsSparse() || by_tiles_),
      values_(((all_ ? used.size() : 0) + 1) * room_, kMissing) {
  if (!source.IsSparse()) return;
  offsets_.resize(rows + 1);
  touched_.resize(used.empty() ? 0 : used[used.size() - 1] + std::size_t{1});
  start_of_.assign(touched_.size(), static_cast<std::uint32_t>(used.size() * room_));
  for (std::size_t i = 0; i < used.size(); ++i) start_of_[used[i]] = static_cast<std::uint32_t>(i * room_);
}

void BlockReader::Read(std::size_t begin, std::size_t end) {
  begin_ = begin;
  rows_ = end - begin;
  if (by_tiles_) return Turn();
  if (!source_.IsSparse()) return;
  if (CsrView const* csr = source_.Csr()) {
    csr->ReadOffsets(begin, {offsets_.data(), rows_ + 1});
    return csr->WithCells([this](auto const* columns, auto const* values) { ReadCells(columns, values); });
  }
  SparseTable const& table = *source_.Features()->Sparse();
  std::copy_n(table.row_begin.data() + begin, rows_ + 1, offsets_.begin());
  ReadCells(table.column.data(), table.value.data());
}

template <class Column, class Number>
void BlockReader::ReadCells(Column const* columns, Number const* values) {
  if (AreFull(columns)) {
    for (std::uint32_t const feature : used_) touched_[feature] = 1;
    constexpr auto kType = sizeof(Number) == sizeof(float) ? ScalarType::kFloat32 : ScalarType::kFloat64;
    auto const* const cells = reinterpret_cast<char const*>(values + offsets_[0]);
    return TurnCells(kType, cells, static_cast<std::ptrdiff_t>(source_.Columns() * sizeof(Number)));
  }
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (touched_[used_[i]] != 0) std::fill_n(values_.data() + i * room_, room_, kMissing);
  }
  Spread(columns, values);
}

// Whether each row has all columns in their order. The first is looked at; the others must be like the one before,
// which one comparison of memory tells.
template <class Column>
bool BlockReader::AreFull(Column const* columns) const {
  std::size_t const width = source_.Columns(), begin = offsets_[0], end = offsets_[rows_];
  if (width == 0 || end - begin != rows_ * width) return false;
  bool full = true;
  for (std::size_t row = 0; row < rows_; ++row) full &= offsets_[row] == begin + row * width;
  for (std::size_t i = 0; i < width; ++i) full &= columns[begin + i] == static_cast<Column>(i);
  return full && std::equal(columns + begin + width, columns + end, columns + begin);
}

template <class Column, class Number>
void BlockReader::Spread(Column const* columns, Number const* values) {
  bool const rising = AllRise(columns);
  bool const mark = !rising || offsets_[rows_] - offsets_[0] < kCellsForAll * used_.size();
  for (std::uint32_t const feature : used_) touched_[feature] = mark ? 0 : 1;
  if (!rising) return SpreadChecked(columns, values);
  mark ? SpreadRising<true>(columns, values) : SpreadRising<false>(columns, values);
}

// Whether the columns of each row rise within those that there are. Falls are counted over all cells, without heed of
// rows, and then there may be no more of them than from one row to the next: such loops become vector code.
template <class Column>
bool BlockReader::AllRise(Column const* columns) const {
  std::size_t const begin = offsets_[0], end = offsets_[rows_];
  std::size_t falls = 0, between = 0;
  bool inside = true;
  for (std::size_t k = begin + 1; k < end;) {
    std::uint32_t some = 0;
    for (std::size_t const stop = std::min(end, k + kCellsCounted); k < stop; ++k) {
      some += columns[k] <= columns[k - 1] ? 1U : 0U;
    }
    falls += some;
  }
  for (std::size_t row = 0; row < rows_; ++row) {
    std::size_t const first = offsets_[row], stop = offsets_[row + 1];
    if (first == stop) continue;
    between += first != begin && columns[first] <= columns[first - 1] ? 1U : 0U;
    inside = inside && static_cast<std::int64_t>(columns[first]) >= 0 &&
             static_cast<std::size_t>(columns[stop - 1]) < source_.Columns();
  }
  return inside && falls == between;
}

template <bool kMark, class Column, class Number>
void BlockReader::SpreadRising(Column const* columns, Number const* values) {
  if (used_.empty()) return;
  for (std::size_t row = 0; row < rows_; ++row) {
    std::size_t const begin = offsets_[row];
    std::size_t end = offsets_[row + 1];
    if (begin < end && static_cast<std::size_t>(columns[end - 1]) >= start_of_.size()) {
      auto const limit = static_cast<Column>(start_of_.size());
      end = static_cast<std::size_t>(std::lower_bound(columns + begin, columns + end, limit) - columns);
    }
    float* const to = values_.data() + row;
    std::size_t const last = start_of_.size() - 1;
    for (std::size_t k = begin; k < end; ++k) {
      auto const column =
          std::min(static_cast<std::size_t>(columns[k]), last);  // the array is the user's: it may change
      to[start_of_[column]] = static_cast<float>(values[k]);
      if constexpr (kMark) touched_[column] = 1;
    }
  }
}

// Columns in any order: each is looked at.
template <class Column, class Number>
void BlockReader::SpreadChecked(Column const* columns, Number const* values) {
  for (std::size_t row = 0; row < rows_; ++row) {
    for (std::size_t k = offsets_[row]; k < offsets_[row + 1]; ++k) {
      auto const column = static_cast<std::size_t>(columns[k]);
      auto const value = static_cast<float>(values[k]);
      if (column >= source_.Columns())
        ThrowColumn(begin_ + row, static_cast<std::int64_t>(columns[k]), source_.Columns());
      if (std::isnan(value) || value == Missing()) continue;
      if (column >= start_of_.size() || start_of_[column] == used_.size() * room_) continue;
      float& cell = values_[start_of_[column] + row];
      if (!std::isnan(cell)) ThrowTwice(begin_ + row, column);
      cell = value;
      touched_[column] = 1;
    }
  }
}

BlockReader::Run BlockReader::RunOf(std::size_t used) {
  std::uint32_t const feature = used_[used];
  if (source_.IsSparse()) return {touched_[feature] != 0 ? values_.data() + used * room_ : nullptr, Missing()};
  if (ColumnTable const* table = source_.Table()) {
    if (all_) return {values_.data() + used * room_, table->missing};
    Convert(table->columns[feature], begin_, rows_, values_.data());
    return {values_.data(), table->missing};
  }
  if (DenseTable const* table = Dense()) {
    auto const offset = static_cast<std::ptrdiff_t>(feature) * table->column_stride;
    return {all_ ? values_.data() + used * room_ : table->data + static_cast<std::ptrdiff_t>(begin_) + offset,
            table->missing};
  }
  for (std::size_t i = 0; i < rows_; ++i) values_[i] = source_.Features()->Binned()->At(begin_ + i, feature);
  return {values_.data(), kMissing};
}

// Rows to columns, by tiles whose rows stay in the innermost cache.
void BlockReader::Turn() {
  if (by_rows_) {
    ColumnTable::Column const& column = source_.Table()->columns.front();
    auto const* const cells = static_cast<char const*>(column.data);
    return TurnCells(column.type, cells + static_cast<std::ptrdiff_t>(begin_) * column.stride, column.stride);
  }
  for (std::size_t first = 0; first < rows_; first += kTileRows) {
    std::size_t const count = std::min(kTileRows, rows_ - first);
    if (DenseTable const* table = Dense()) {
      DenseTable tile = *table;
      tile.data += static_cast<std::ptrdiff_t>(begin_ + first) * tile.row_stride;
      TurnTile(tile, first, count);
      continue;
    }
    for (std::size_t i = 0; i < used_.size(); ++i) {
      Convert(source_.Table()->columns[used_[i]], begin_ + first, count, values_.data() + i * room_ + first);
    }
  }
}

// Of rows whose cells lie side by side; the first is that of the piece. What is no float32 is converted row by row.
void BlockReader::TurnCells(ScalarType type, char const* cells, std::ptrdiff_t row_bytes) {
  constexpr auto kSize = static_cast<std::ptrdiff_t>(sizeof(float));
  bool const aligned = reinterpret_cast<std::uintptr_t>(cells) % alignof(float) == 0 && row_bytes % kSize == 0;
  DenseTable tile;
  tile.column_stride = 1;
  for (std::size_t first = 0; first < rows_; first += kTileRows) {
    std::size_t const count = std::min(kTileRows, rows_ - first);
    char const* const from = cells + static_cast<std::ptrdiff_t>(first) * row_bytes;
    if (type == ScalarType::kFloat32 && aligned) {
      tile.data = reinterpret_cast<float const*>(from);
      tile.row_stride = row_bytes / kSize;
    } else {
      tile.data = ConvertRows(type, from, row_bytes, count);
      tile.row_stride = static_cast<std::ptrdiff_t>(source_.Columns());
    }
    TurnTile(tile, first, count);
  }
}

float const* BlockReader::ConvertRows(ScalarType type, char const* from, std::ptrdiff_t row_bytes, std::size_t rows) {
  std::size_t const width = source_.Columns();
  tile_.resize(kTileRows * width);
  for (std::size_t row = 0; row < rows; ++row, from += row_bytes) {
    ToFloat(type, from, static_cast<std::ptrdiff_t>(SizeOf(type)), width, tile_.data() + row * width);
  }
  return tile_.data();
}

void BlockReader::TurnTile(DenseTable const& rows, std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < used_.size(); ++i) Copy(rows, used_[i], count, values_.data() + i * room_ + first);
}

}  // namespace xgbl
