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

[[noreturn]] void ThrowTwice(std::size_t row, std::size_t column) {
  throw DataError(Text("Sparse data has more than one value in row ", row, ", column ", column,
                       ". Call `sum_duplicates()` on it first."));
}

}  // namespace

BlockReader::BlockReader(RowSource const& source, Span<std::uint32_t const> used, std::size_t rows)
    : source_(source),
      used_(used),
      room_(rows + kGap),
      values_(source.IsSparse() ? used.size() * room_ : room_, kMissing) {
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
  if (!source_.IsSparse()) return;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (touched_[i] != 0) std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(i * room_), room_, kMissing);
    touched_[i] = 0;
  }
  auto const spread = [this](std::size_t row, std::size_t column, float value) { Spread(row, column, value); };
  if (CsrView const* csr = source_.Csr()) return csr->ForEachPresent(begin, end, spread);
  SparseRows const& rows = *source_.Features()->Sparse();
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t k = rows.row_begin[row]; k < rows.row_begin[row + 1]; ++k) {
      spread(row, rows.column[k], rows.value[k]);
    }
  }
}

BlockReader::Run BlockReader::RunOf(std::size_t used) {
  std::uint32_t const feature = used_[used];
  if (source_.IsSparse()) return {touched_[used] != 0 ? values_.data() + used * room_ : nullptr, kMissing};
  if (ColumnTable const* table = source_.Table()) return Converted(table->columns[feature], table->missing);
  if (DenseTable const* table = source_.Features()->Dense()) return Dense(*table, feature);
  for (std::size_t i = 0; i < rows_; ++i) values_[i] = source_.Features()->Binned()->At(begin_ + i, feature);
  return {values_.data(), kMissing};
}

BlockReader::Run BlockReader::Dense(DenseTable const& table, std::uint32_t feature) {
  float const* const first = table.data + static_cast<std::ptrdiff_t>(begin_) * table.row_stride +
                             static_cast<std::ptrdiff_t>(feature) * table.column_stride;
  if (table.row_stride == 1) return {first, table.missing};
  for (std::size_t i = 0; i < rows_; ++i) values_[i] = first[static_cast<std::ptrdiff_t>(i) * table.row_stride];
  return {values_.data(), table.missing};
}

BlockReader::Run BlockReader::Converted(ColumnTable::Column const& column, float missing) {
  auto const offset = static_cast<std::ptrdiff_t>(begin_) * column.stride;
  ToFloat(column.type, static_cast<char const*>(column.data) + offset, column.stride, rows_, values_.data());
  return {values_.data(), missing};
}

}  // namespace xgbl
