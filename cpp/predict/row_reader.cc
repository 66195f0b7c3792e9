// SPDX-License-Identifier: Apache-2.0
#include "predict/row_reader.h"

#include <atomic>
#include <cmath>
#include <set>
#include <utility>

#include "parallel/parallel_for.h"

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
  return source.Dense() != nullptr && source.Dense()->row_stride != 1;
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

// Whether offsets rise and are at most `last`; by pieces, which need no memory that grows with the rows.
bool Rise(ScalarArray const& offsets, std::size_t last) {
  std::array<std::uint64_t, 512> piece;  // NOLINT(*-member-init) filled below
  std::uint64_t before = 0;
  for (std::size_t begin = 0; begin < offsets.size; begin += piece.size()) {
    Span<std::uint64_t> const to(piece.data(), std::min(piece.size(), offsets.size - begin));
    bool const good = ToIndex(offsets, begin, last + 1, to) && before <= to[0] && std::is_sorted(to.begin(), to.end());
    if (!good) return false;
    before = to[to.size() - 1];
  }
  return true;
}

constexpr std::size_t kBlockRows = 4096;
constexpr std::size_t kOperations = 8;  // that a value takes, in small steps

std::vector<std::uint32_t> FeaturesOf(std::vector<KnownCodes> const& known) {
  std::vector<std::uint32_t> features;
  for (KnownCodes const& feature : known) features.push_back(static_cast<std::uint32_t>(feature.feature));
  return features;
}

// Calls `found(i, value)` for each value of rows [begin, end) that known[i] has not, row by row.
template <class Found>
void ForEachUnseen(std::vector<KnownCodes> const& known, Span<std::uint32_t const> features, RowSource const& rows,
                   std::size_t begin, std::size_t end, Found const& found) {
  ForEachRow(rows, features, begin, end, [&](std::size_t, float const* values) {
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (!std::isnan(values[i]) && !Contains(known[i].codes, values[i])) found(i, values[i]);
    }
  });
}

// Calls `read(begin, end)` for blocks of all rows.
template <class Read>
void ForBlocks(std::vector<KnownCodes> const& known, RowSource const& rows, Context const& ctx, Read const& read) {
  if (known.empty()) return;
  if (rows.Rows() == 1) return read(0, 1);  // many a request of a server
  ParallelBlocks(ForWork(ctx, rows.Rows() * known.size() * kOperations), rows.Rows(), kBlockRows, read);
}

// Values, each once, in the order in which they were met.
struct Met {
  std::vector<float> values;
  std::set<float> known;

  void Add(float value) {
    if (known.insert(value).second) values.push_back(value);
  }
};

}  // namespace

CsrView::CsrView(ScalarArray const& offsets, ScalarArray const& indices, ScalarArray const& values, std::size_t columns,
                 float missing)
    : offsets_(offsets), indices_(indices), values_(values), columns_(columns), missing_(missing) {
  Require<DataError>(offsets.size > 0, "`indptr` of sparse data must have at least one entry.");
  Require<DataError>(indices.size == values.size, "Sparse data must have as many indices as values; got ", indices.size,
                     " and ", values.size, ".");
  Require<DataError>(Rise(offsets, values.size), "`indptr` of sparse data must rise and stay within the ", values.size,
                     " values that are given.");
}

std::size_t RowSource::Rows() const {
  if (features_ != nullptr) return features_->Rows();
  return csr_ != nullptr ? csr_->Rows() : table_->rows;
}

float RowSource::Missing() const {
  if (csr_ != nullptr) return csr_->Missing();
  if (table_ != nullptr) return table_->missing;
  return Dense() != nullptr ? Dense()->missing : kMissing;
}

std::size_t RowSource::Columns() const {
  if (features_ != nullptr) return features_->Columns();
  return csr_ != nullptr ? csr_->Columns() : table_->columns.size();
}

RowReader::RowReader(RowSource const& source, Span<std::uint32_t const> used, std::size_t rows, Order order)
    : source_(source),
      used_(used),
      by_row_(order == Order::kByRow),
      missing_(source.Missing()),
      feature_step_(by_row_ ? 1 : rows + kGap),
      row_step_(by_row_ ? used.size() + 1 : 1),
      by_tiles_(by_row_ || HasGaps(source)),
      by_rows_(GoesByRows(source, used.size())),
      all_(source.IsSparse() || by_tiles_),
      values_(((all_ ? used.size() : 0) + 1) * (rows + kGap), kMissing) {
  if (!source.IsSparse()) return;
  offsets_.resize(rows + 1);
  touched_.resize(used.empty() ? 0 : used[used.size() - 1] + std::size_t{1});
  start_of_.assign(touched_.size(), static_cast<std::uint32_t>(used.size() * feature_step_));
  for (std::size_t i = 0; i < used.size(); ++i) start_of_[used[i]] = static_cast<std::uint32_t>(i * feature_step_);
}

void RowReader::Read(std::size_t begin, std::size_t end) {
  begin_ = begin;
  rows_ = end - begin;
  if (CsrView const* csr = source_.Csr()) {
    csr->ReadOffsets(begin, {offsets_.data(), rows_ + 1});
    csr->WithCells([this](auto const* columns, auto const* values) { ReadCells(columns, values); });
  } else if (source_.IsSparse()) {
    SparseTable const& table = *source_.Features()->Sparse();
    std::copy_n(table.row_begin.data() + begin, rows_ + 1, offsets_.begin());
    ReadCells(table.column.data(), table.value.data());
  } else if (by_tiles_) {
    Turn();
  }
  if (by_row_ && !std::isnan(missing_)) std::replace(values_.begin(), values_.end(), missing_, kMissing);
}

template <class Column, class Number>
void RowReader::ReadCells(Column const* columns, Number const* values) {
  if (AreFull(columns)) {
    for (std::uint32_t const feature : used_) touched_[feature] = 1;
    constexpr auto kType = sizeof(Number) == sizeof(float) ? ScalarType::kFloat32 : ScalarType::kFloat64;
    auto const* const cells = reinterpret_cast<char const*>(values + offsets_[0]);
    return TurnCells(kType, cells, static_cast<std::ptrdiff_t>(source_.Columns() * sizeof(Number)));
  }
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (!by_row_ && touched_[used_[i]] != 0) std::fill_n(values_.data() + i * feature_step_, feature_step_, kMissing);
  }
  if (by_row_) std::fill_n(values_.data(), rows_ * row_step_, kMissing);
  Spread(columns, values);
}

// Whether each row has all columns in their order. The first is looked at; the others must be like the one before,
// which one comparison of memory tells.
template <class Column>
bool RowReader::AreFull(Column const* columns) const {
  std::size_t const width = source_.Columns(), begin = offsets_[0], end = offsets_[rows_];
  if (width == 0 || end - begin != rows_ * width) return false;
  bool full = true;
  for (std::size_t row = 0; row < rows_; ++row) full &= offsets_[row] == begin + row * width;
  for (std::size_t i = 0; i < width; ++i) full &= columns[begin + i] == static_cast<Column>(i);
  return full && std::equal(columns + begin + width, columns + end, columns + begin);
}

template <class Column, class Number>
void RowReader::Spread(Column const* columns, Number const* values) {
  bool const rising = AllRise(columns);
  bool const mark = !rising || offsets_[rows_] - offsets_[0] < kCellsForAll * used_.size();
  for (std::uint32_t const feature : used_) touched_[feature] = mark ? 0 : 1;
  if (!rising) return SpreadChecked(columns, values);
  mark ? SpreadRising<true>(columns, values) : SpreadRising<false>(columns, values);
}

// Whether the columns of each row rise within those that there are. Falls are counted over all cells, without heed of
// rows, and then there may be no more of them than from one row to the next: such loops become vector code.
template <class Column>
bool RowReader::AllRise(Column const* columns) const {
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
void RowReader::SpreadRising(Column const* columns, Number const* values) {
  if (used_.empty()) return;
  for (std::size_t row = 0; row < rows_; ++row) {
    std::size_t const begin = offsets_[row];
    std::size_t end = offsets_[row + 1];
    if (begin < end && static_cast<std::size_t>(columns[end - 1]) >= start_of_.size()) {
      auto const limit = static_cast<Column>(start_of_.size());
      end = static_cast<std::size_t>(std::lower_bound(columns + begin, columns + end, limit) - columns);
    }
    float* const to = values_.data() + row * row_step_;
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
void RowReader::SpreadChecked(Column const* columns, Number const* values) {
  for (std::size_t row = 0; row < rows_; ++row) {
    for (std::size_t k = offsets_[row]; k < offsets_[row + 1]; ++k) {
      auto const column = static_cast<std::size_t>(columns[k]);
      auto const value = static_cast<float>(values[k]);
      if (column >= source_.Columns())
        ThrowColumn(begin_ + row, static_cast<std::int64_t>(columns[k]), source_.Columns());
      if (std::isnan(value) || value == missing_) continue;
      if (column >= start_of_.size() || start_of_[column] == used_.size() * feature_step_) continue;
      float& cell = values_[start_of_[column] + row * row_step_];
      if (!std::isnan(cell)) ThrowTwice(begin_ + row, column);
      cell = value;
      touched_[column] = 1;
    }
  }
}

RowReader::Run RowReader::RunOf(std::size_t used) {
  std::uint32_t const feature = used_[used];
  bool const none = source_.IsSparse() && touched_[feature] == 0;
  if (all_) return {none ? nullptr : values_.data() + used * feature_step_, missing_};
  if (DenseTable const* table = source_.Dense()) {
    auto const offset = static_cast<std::ptrdiff_t>(feature) * table->column_stride;
    return {table->data + static_cast<std::ptrdiff_t>(begin_) + offset, missing_};
  }
  ReadColumn(feature, 0, rows_, values_.data());
  return {values_.data(), missing_};
}

// Of what is neither sparse nor dense.
void RowReader::ReadColumn(std::uint32_t feature, std::size_t first, std::size_t count, float* to) const {
  std::size_t const begin = begin_ + first;
  if (source_.Table() == nullptr) {
    for (std::size_t i = 0; i < count; ++i) to[i] = source_.Features()->Binned()->At(begin + i, feature);
    return;
  }
  ColumnTable::Column const& column = source_.Table()->columns[feature];
  auto const* const from = static_cast<char const*>(column.data) + static_cast<std::ptrdiff_t>(begin) * column.stride;
  ToFloat(column.type, from, column.stride, count, to);
}

// Rows to columns, or columns to rows, by tiles whose rows stay in the innermost cache.
void RowReader::Turn() {
  if (by_rows_) {
    ColumnTable::Column const& column = source_.Table()->columns.front();
    auto const* const cells = static_cast<char const*>(column.data);
    return TurnCells(column.type, cells + static_cast<std::ptrdiff_t>(begin_) * column.stride, column.stride);
  }
  for (std::size_t first = 0; first < rows_; first += kTileRows) {
    std::size_t const count = std::min(kTileRows, rows_ - first);
    if (DenseTable const* table = source_.Dense()) {
      DenseTable tile = *table;
      tile.data += static_cast<std::ptrdiff_t>(begin_ + first) * tile.row_stride;
      TurnTile(tile, first, count);
      continue;
    }
    std::array<float, kTileRows> run;  // NOLINT(*-member-init)
    for (std::size_t i = 0; i < used_.size(); ++i) {
      float* const to = values_.data() + i * feature_step_ + first * row_step_;
      ReadColumn(used_[i], first, count, by_row_ ? run.data() : to);
      for (std::size_t row = 0; by_row_ && row < count; ++row) to[row * row_step_] = run[row];
    }
  }
}

// Of rows whose cells lie side by side; the first is that of the piece. What is no float32 is converted row by row.
void RowReader::TurnCells(ScalarType type, char const* cells, std::ptrdiff_t row_bytes) {
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

float const* RowReader::ConvertRows(ScalarType type, char const* from, std::ptrdiff_t row_bytes, std::size_t rows) {
  std::size_t const width = source_.Columns();
  tile_.resize(kTileRows * width);
  for (std::size_t row = 0; row < rows; ++row, from += row_bytes) {
    ToFloat(type, from, static_cast<std::ptrdiff_t>(SizeOf(type)), width, tile_.data() + row * width);
  }
  return tile_.data();
}

void RowReader::TurnTile(DenseTable const& rows, std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < used_.size(); ++i) {
    float const* const from = rows.data + static_cast<std::ptrdiff_t>(used_[i]) * rows.column_stride;
    float* const to = values_.data() + i * feature_step_ + first * row_step_;
    auto const copy = [&](std::size_t step) {
      for (std::size_t k = 0; k < count; ++k) to[k * step] = from[static_cast<std::ptrdiff_t>(k) * rows.row_stride];
    };
    by_row_ ? copy(row_step_) : copy(1);  // a constant
  }
}

bool HasKnownCodes(std::vector<KnownCodes> const& known, RowSource const& rows, Context const& ctx) {
  auto const features = FeaturesOf(known);
  std::atomic<bool> all{true};
  ForBlocks(known, rows, ctx, [&](std::size_t begin, std::size_t end) {
    if (!all.load(std::memory_order_relaxed)) return;
    ForEachUnseen(known, features, rows, begin, end,
                  [&](std::size_t, float) { all.store(false, std::memory_order_relaxed); });
  });
  return all;
}

std::vector<UnseenCodes> FindUnseenCodes(std::vector<KnownCodes> const& known, RowSource const& rows,
                                         Context const& ctx) {
  auto const features = FeaturesOf(known);
  std::vector<std::vector<Met>> blocks((rows.Rows() + kBlockRows - 1) / kBlockRows);
  ForBlocks(known, rows, ctx, [&](std::size_t begin, std::size_t end) {
    auto& met = blocks[begin / kBlockRows];
    ForEachUnseen(known, features, rows, begin, end, [&](std::size_t i, float value) {
      met.resize(known.size());
      met[i].Add(value);
    });
  });
  std::vector<Met> all(known.size());
  for (auto const& met : blocks) {
    for (std::size_t i = 0; i < met.size(); ++i) {
      for (float const value : met[i].values) all[i].Add(value);
    }
  }
  std::vector<UnseenCodes> unseen;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!all[i].values.empty()) unseen.push_back({known[i].feature, std::move(all[i].values), known[i].certain});
  }
  return unseen;
}

}  // namespace xgbl
