// SPDX-License-Identifier: Apache-2.0
// A dense table for exact split search: its values, their bins, and the rows of each bin in rising order of value, with
// ties in the order of the rows. It does not matter to the search where bins begin. Tables with few rows are sorted
// column by column at once, and the bins follow from that. For many rows this would take longer than most searches: a
// feature's rows are distributed over its bins on first use, and each bin is sorted on first use. Safe to use from
// several threads. Values in the user's memory are copied, so later changes do no harm. They are stored by column if
// sorting will look them up.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/bits.h"
#include "base/context.h"
#include "base/span.h"
#include "bins/binned_matrix.h"
#include "ingest/feature_matrix.h"
#include "parallel/buffer.h"
#include "simd/exact_kernels.h"

namespace xgbl {

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

/// How many rows the sums over bins of a feature cover, bin by bin and for groups of neighbours. What a split sends
/// left can be computed from the rows below it, or from the total and the rows above it. Sums of rounded values are the
/// more accurate the fewer rows they cover. Without missing values, the nearer end of the feature is used. With missing
/// values, the end depends on the side that they go to.
struct ErrorRows {
  std::uint32_t bins = 0, group_bins = 1, groups = 0;
  // By the side that missing values go to, right and left; the first one only if there are none. Sums at the borders of
  // bins from this one on, which begins a group, are of what is above.
  std::array<std::uint32_t, 2> from_above{};
  // Of how many rows errors may add up in the left sums of a split within each group or bin, or at its borders. A bin's
  // upper border is seen from where its lower one is.
  std::array<std::vector<double>, 2> rows_of_group, rows_of_bin;

  /// `rows_below`: how many rows are in bins below each, and at last in all of them.
  static ErrorRows Of(Span<std::uint32_t const> rows_below, bool has_missing);
  /// The same of the sums at one border.
  static double AtBorder(Span<std::uint32_t const> rows_below, std::uint32_t bin, std::uint32_t from_above);
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

  ErrorRows const& Errors(std::size_t feature) const { return columns_[feature].errors; }
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
    bool one_value = false;
    std::once_flag shared_out;
    std::vector<std::uint32_t> begin;  // bins + 1: of each bin's rows
    ErrorRows errors;
    Buffer<std::uint32_t> rows;                   // none until they are shared out, unless all are sorted
    std::unique_ptr<std::atomic<State>[]> state;  // by bin
  };

  explicit BinOrder(DenseTable table) : table_(std::move(table)), columns_(table_.columns) {}
  bool SortsAll() const;
  void CopyValues(Context const& ctx);
  std::vector<std::size_t> PresentByColumn(Context const& ctx) const;
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
