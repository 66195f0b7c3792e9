// SPDX-License-Identifier: Apache-2.0
#include "predict/block_reader.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace xgbl {
namespace {

constexpr std::uint32_t kUnused = 0xFFFFFFFFU;
// Behind the rows of a feature: columns whose distance is a power of two would meet in few places of the cache.
constexpr std::size_t kGap = 16;
constexpr std::size_t kTileRows = 16;

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

void Copy(DenseTable const& table, std::uint32_t feature, std::size_t begin, std::size_t rows, float* to) {
  float const* const from = table.data + static_cast<std::ptrdiff_t>(begin) * table.row_stride +
                            static_cast<std::ptrdiff_t>(feature) * table.column_stride;
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
      all_(source.IsSparse() || by_tiles_),
      values_((all_ ? used.size() : 1) * room_, kMissing) {
  if (!source.IsSparse()) return;
  touched_.resize(used.size());
  place_of_.assign(used.empty() ? 0 : used[used.size() - 1] + std::size_t{1}, kUnused);
  for (std::size_t i = 0; i < used.size(); ++i) place_of_[used[i]] = static_cast<std::uint32_t>(i);
}

inline void BlockReader::Spread(std::size_t row, std::size_t column, float value) {
  if (column >= place_of_.size() || place_of_[column] == kUnused) return;
  std::size_t const used = place_of_[column];
  std::size_t const at = used * room_ + (row - begin_);
  if (!std::isnan(values_[at])) ThrowTwice(row, column);
  values_[at] = value;
  touched_[used] = 1;
}

void BlockReader::Read(std::size_t begin, std::size_t end) {
  begin_ = begin;
  rows_ = end - begin;
  if (by_tiles_) return Turn();
  if (!source_.IsSparse()) return;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (touched_[i] != 0) std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(i * room_), room_, kMissing);
    touched_[i] = 0;
  }
  auto const spread = [this](std::size_t row, std::size_t column, float value) { Spread(row, column, value); };
  if (CsrView const* csr = source_.Csr()) return csr->ForEachPresent(begin, end, spread);
  SparseTable const& rows = *source_.Features()->Sparse();
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t k = rows.row_begin[row]; k < rows.row_begin[row + 1]; ++k) {
      spread(row, rows.column[k], rows.value[k]);
    }
  }
}

BlockReader::Run BlockReader::RunOf(std::size_t used) {
  std::uint32_t const feature = used_[used];
  if (source_.IsSparse()) return {touched_[used] != 0 ? values_.data() + used * room_ : nullptr, kMissing};
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
  for (std::size_t first = 0; first < rows_; first += kTileRows) {
    std::size_t const count = std::min(kTileRows, rows_ - first);
    for (std::size_t i = 0; i < used_.size(); ++i) {
      float* const to = values_.data() + i * room_ + first;
      DenseTable const* const table = Dense();
      table != nullptr ? Copy(*table, used_[i], begin_ + first, count, to)
                       : Convert(source_.Table()->columns[used_[i]], begin_ + first, count, to);
    }
  }
}

}  // namespace xgbl
