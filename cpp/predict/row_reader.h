// SPDX-License-Identifier: Apache-2.0
// Where rows to predict and explain come from, and their one reader. They may be the features of a matrix, or the
// user's memory, which is read as it is, block by block, without copying the whole: compressed sparse rows, and tables
// whose columns are of any number type. The reader reads the used features of some rows at a time, feature by feature
// without gaps, or row by row. Values that already lie feature by feature are used in place; others are copied to a
// buffer, because gathers take several times as long as copies. Sparse rows are expanded for these rows only, and read
// like dense ones if they have all columns. One reader per thread; a row costs its used features, a sparse one its
// present cells.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "base/context.h"
#include "base/error.h"
#include "base/span.h"
#include "ingest/arrays.h"
#include "ingest/feature_matrix.h"
#include "model/model.h"
#include "parallel/buffer.h"

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

/// Memory for numbers that are written before they are read: on the stack, unless there are many.
class SmallBuffer {
 public:
  explicit SmallBuffer(std::size_t count) {
    if (count > few_.size()) many_ = Buffer<float>(count);
  }
  float* data() { return many_.empty() ? few_.data() : many_.data(); }

 private:
  alignas(64) std::array<float, 1024> few_;
  Buffer<float> many_;
};

class RowReader {
 public:
  /// Values of one feature; none at all, as all are missing, if `values` is nullptr.
  struct Run {
    float const* values = nullptr;
    float missing = kMissing;
  };

  enum class Order { kByFeature, kByRow };

  /// `used` lists the features, rising; `rows`: at most so many at once.
  RowReader(RowSource const& source, Span<std::uint32_t const> used, std::size_t rows, Order order = Order::kByFeature);

  void Read(std::size_t begin, std::size_t end);
  std::size_t Rows() const { return rows_; }
  /// By feature, of the rows that were read last; `used` is the place of a feature. Valid until the next call.
  Run RunOf(std::size_t used);
  /// By row: the used features of a row that was read last, NaN where a value is missing.
  float const* Row(std::size_t row) const { return values_.data() + row * row_step_; }

 private:
  template <class Column, class Number>
  void ReadCells(Column const* columns, Number const* values);
  template <class Column>
  bool AreFull(Column const* columns) const;
  template <class Column, class Number>
  void Spread(Column const* columns, Number const* values);
  template <bool kMark, class Column, class Number>
  void SpreadRising(Column const* columns, Number const* values);
  template <class Column, class Number>
  void SpreadChecked(Column const* columns, Number const* values);
  template <class Column>
  bool AllRise(Column const* columns) const;
  void ReadColumn(std::uint32_t feature, std::size_t first, std::size_t count, float* to) const;
  void Turn();
  void TurnCells(ScalarType type, char const* cells, std::ptrdiff_t row_bytes);
  float const* ConvertRows(ScalarType type, char const* from, std::ptrdiff_t row_bytes, std::size_t rows);
  void TurnTile(DenseTable const& rows, std::size_t first, std::size_t count);

  RowSource source_;
  Span<std::uint32_t const> used_;
  bool by_row_;
  float missing_;
  std::size_t feature_step_, row_step_;  // in values_
  std::size_t begin_ = 0;
  std::size_t rows_ = 0;
  bool by_tiles_;
  bool by_rows_;  // tables: cells of a row lie side by side, and most are used
  bool all_;      // values_ has all used features, else one
  std::vector<float> values_;
  std::vector<float> tile_;  // rows whose cells are converted together
  // Sparse; by feature, up to the last that is used. Those that are not share what is behind the values.
  std::vector<std::uint32_t> start_of_;  // in values_
  std::vector<std::uint8_t> touched_;
  std::vector<std::uint64_t> offsets_;  // by row: where its cells begin; and the end
};

/// Reads the used features of a row that lie `stride` values apart.
inline void ReadRow(float const* row, std::ptrdiff_t stride, float missing, Span<std::uint32_t const> used,
                    float* values) {
  for (std::size_t i = 0; i < used.size(); ++i) {
    values[i] = DenseTable::Present(row[static_cast<std::ptrdiff_t>(used[i]) * stride], missing);
  }
}

/// Calls `take(row, values)` for rows [begin, end), with the used features of each.
template <class Take>
void ForEachRow(RowSource const& source, Span<std::uint32_t const> used, std::size_t begin, std::size_t end,
                Take const& take) {
  if (begin >= end) return;
  constexpr std::size_t kFewRows = 16, kMostRows = 64;
  constexpr std::size_t kMostValues = std::size_t{1} << 18U;  // of rows that are read together
  DenseTable const* const table = source.Dense();
  if (table != nullptr && (end - begin < kFewRows || std::abs(table->column_stride) <= std::abs(table->row_stride))) {
    SmallBuffer values(used.size());
    for (std::size_t row = begin; row < end; ++row) {
      float const* const first = table->data + static_cast<std::ptrdiff_t>(row) * table->row_stride;
      ReadRow(first, table->column_stride, table->missing, used, values.data());
      take(row, values.data());
    }
    return;
  }
  std::size_t const fitting = std::clamp<std::size_t>(kMostValues / (used.size() + 1), 1, kMostRows);
  RowReader reader(source, used, std::min(end - begin, fitting), RowReader::Order::kByRow);
  for (std::size_t first = begin; first < end; first += reader.Rows()) {
    reader.Read(first, std::min(end, first + fitting));
    for (std::size_t row = 0; row < reader.Rows(); ++row) take(first + row, reader.Row(row));
  }
}

/// Category codes in rows that a model does not know from its training. One pass over the categorical columns by all
/// threads; the same result for any number of them.
struct UnseenCodes {
  std::size_t feature = 0;
  std::vector<float> values;  // each once, in the order of their rows
  bool certain = true;        // as in KnownCodes
};

/// Whether the rows have no others. Ends soon after the first one; a few rows are read without further ado.
bool HasKnownCodes(std::vector<KnownCodes> const& known, RowSource const& rows, Context const& ctx);
/// The others, by feature; nothing of features that have none.
std::vector<UnseenCodes> FindUnseenCodes(std::vector<KnownCodes> const& known, RowSource const& rows,
                                         Context const& ctx);

}  // namespace xgbl
