// SPDX-License-Identifier: Apache-2.0
// Reads the used features of some rows at a time, feature by feature without gaps. Values that already lie that way are
// used in place; others are copied to a buffer, because gathers take several times as long as copies. Sparse rows are
// expanded for these rows only, and read like dense ones if they have all columns. One reader per thread; a row costs
// its used features, a sparse one its present cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "predict/row_source.h"

namespace xgbl {

class BlockReader {
 public:
  /// Values of one feature; none at all, as all are missing, if `values` is nullptr.
  struct Run {
    float const* values = nullptr;
    float missing = kMissing;
  };

  /// `used` lists the features, rising; `rows`: at most so many at once.
  BlockReader(RowSource const& source, Span<std::uint32_t const> used, std::size_t rows);

  void Read(std::size_t begin, std::size_t end);
  std::size_t Rows() const { return rows_; }
  /// Of the rows that were read last; `used` is the place of a feature. Valid until the next call.
  Run RunOf(std::size_t used);

 private:
  float Missing() const { return source_.Csr() != nullptr ? source_.Csr()->Missing() : kMissing; }
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
  DenseTable const* Dense() const { return source_.Features() != nullptr ? source_.Features()->Dense() : nullptr; }
  void Turn();
  void TurnCells(ScalarType type, char const* cells, std::ptrdiff_t row_bytes);
  float const* ConvertRows(ScalarType type, char const* from, std::ptrdiff_t row_bytes, std::size_t rows);
  void TurnTile(DenseTable const& rows, std::size_t first, std::size_t count);

  RowSource source_;
  Span<std::uint32_t const> used_;
  std::size_t room_;
  std::size_t begin_ = 0;
  std::size_t rows_ = 0;
  bool by_tiles_;
  bool by_rows_;               // tables: cells of a row lie side by side, and most are used
  bool all_;                   // values_ has all used features, else one
  std::vector<float> values_;  // by used feature and row
  std::vector<float> tile_;    // rows whose cells are converted together
  // Sparse; by feature, up to the last that is used. Those that are not share what is behind the values.
  std::vector<std::uint32_t> start_of_;  // in values_
  std::vector<std::uint8_t> touched_;
  std::vector<std::uint64_t> offsets_;  // by row: where its cells begin; and the end
};

}  // namespace xgbl
