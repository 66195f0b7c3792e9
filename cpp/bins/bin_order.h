// SPDX-License-Identifier: Apache-2.0
// A dense table for exact split search: its values, their bins, and the rows of each bin in rising order of value, with
// ties in the order of the rows. It does not matter to the search where bins begin. Tables with few rows are sorted
// column by column at once, and the bins follow from that. For many rows this would take longer than most searches: a
// feature's rows are distributed over its bins on first use, and each bin is sorted on first use. Safe to use from
// several threads. Values in the user's memory are copied, so later changes do no harm. They are stored by column if
// sorting will look them up.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/context.h"
#include "base/prefetch.h"
#include "base/span.h"
#include "bins/bin_groups.h"
#include "bins/binned_matrix.h"
#include "ingest/feature_matrix.h"
#include "parallel/buffer.h"

namespace xgbl {

/// The codes of a feature that has its own slot, row by row: its bins, and their number where it is missing.
class CodeColumn {
 public:
  CodeColumn(BinnedMatrix const& bins, std::uint32_t feature);
  /// `stride`: bytes from code to code.
  CodeColumn(std::uint8_t const* codes, std::size_t stride, bool wide) : codes_(codes), stride_(stride), wide_(wide) {}
  std::uint32_t At(std::size_t row) const {
    std::uint8_t const* const code = codes_ + row * stride_;
    return wide_ ? Read<std::uint16_t>(code) : *code;
  }
  void PrefetchRow(std::size_t row) const { Prefetch(codes_ + row * stride_); }

  /// Calls `body(codes)` with an object that has the two functions above. It also knows the distance of codes that have
  /// their own array.
  template <class Body>
  void Visit(Body&& body) const {
    if (stride_ == (wide_ ? 2 : 1)) {
      wide_ ? body(Array<std::uint16_t>{codes_}) : body(Array<std::uint8_t>{codes_});
    } else {
      body(*this);
    }
  }

 private:
  template <class Code>
  static std::uint32_t Read(std::uint8_t const* from) {
    Code code;
    std::memcpy(&code, from, sizeof(Code));
    return code;
  }
  template <class Code>
  struct Array {
    std::uint8_t const* codes;
    std::uint32_t At(std::size_t row) const { return Read<Code>(codes + row * sizeof(Code)); }
    void PrefetchRow(std::size_t row) const { Prefetch(codes + row * sizeof(Code)); }
  };

  std::uint8_t const* codes_;
  std::size_t stride_;
  bool wide_;
};

/// The values of a feature, row by row; NaN: missing. None is -0.
class ValueColumn {
 public:
  ValueColumn(DenseTable const& table, std::size_t feature)
      : values_(table.data + static_cast<std::ptrdiff_t>(feature) * table.column_stride),
        stride_(table.row_stride),
        missing_(table.missing) {}
  float operator[](std::size_t row) const { return DenseTable::Present(*Place(row), missing_) + 0.0F; }
  void PrefetchRow(std::size_t row) const { Prefetch(Place(row)); }

 private:
  float const* Place(std::size_t row) const { return values_ + static_cast<std::ptrdiff_t>(row) * stride_; }

  float const* values_;
  std::ptrdiff_t stride_;
  float missing_;
};

class BinOrder {
 public:
  /// Made of a dense table. nullptr if that is not worth it: if a column has cells in few rows, which are quickly
  /// walked, or shares a slot with others. DataError if the user's array changed since it was taken in.
  static std::shared_ptr<BinOrder const> Make(FeatureMatrix const& features, Context const& ctx);

  BinnedMatrix const& Bins() const { return *bins_; }
  ValueColumn Values(std::size_t feature) const { return {table_, feature}; }
  bool HasMissing(std::size_t feature) const { return bins_->Present(feature) < bins_->Rows(); }
  /// Whether the feature has cells and all of them are equal.
  bool HasOneValue(std::size_t feature) const { return columns_[feature].one_value; }

  BinGroups const& Groups(std::size_t feature) const { return columns_[feature].groups; }
  /// How many rows of the table lie in bins below each; one more place than bins.
  Span<std::uint32_t const> RowsBelow(std::size_t feature) const { return columns_[feature].begin; }
  std::size_t Count(std::size_t feature, std::uint32_t bin) const {
    return columns_[feature].begin[bin + 1] - columns_[feature].begin[bin];
  }
  Span<std::uint32_t const> Rows(std::size_t feature, std::uint32_t bin) const;
  /// Whether all rows of a bin, which has some, have one value.
  bool OneValue(std::size_t feature, std::uint32_t bin) const { return Sorted(feature, bin) == State::kEqual; }

 private:
  // Of a bin's rows: not yet sorted, sorted with several values, of one value.
  enum class State : std::uint8_t { kUnsorted, kSorted, kEqual };
  struct Column {
    std::size_t present = 0;
    bool one_value = false;
    std::once_flag shared_out;
    std::vector<std::uint32_t> begin;  // bins + 1: of each bin's rows
    BinGroups groups;
    Buffer<std::uint32_t> rows;                   // none until they are shared out, unless all are sorted
    std::unique_ptr<std::atomic<State>[]> state;  // by bin
  };

  explicit BinOrder(DenseTable table) : table_(std::move(table)), columns_(table_.columns) {}
  bool SortsAll() const;
  void CopyValues(Context const& ctx);
  bool HasRareColumn(Context const& ctx);
  std::vector<std::vector<float>> SortColumns(Context const& ctx);
  std::vector<std::vector<float>> SampleColumns(Context const& ctx);
  void CountRows(std::size_t feature);
  void MakeStates(std::size_t feature);
  Column& SharedOut(std::size_t feature) const;
  void ShareOut(std::size_t feature) const;
  State Sorted(std::size_t feature, std::uint32_t bin) const;
  State Sort(std::size_t feature, std::uint32_t bin) const;
  Span<std::uint32_t> RowsOf(std::size_t feature, std::uint32_t bin) const;

  Buffer<float> values_;  // by column, unless the table was our own memory before
  DenseTable table_;
  std::shared_ptr<BinnedMatrix const> bins_;
  mutable std::vector<Column> columns_;
  mutable std::mutex sorting_[16];  // by bin
};

}  // namespace xgbl
