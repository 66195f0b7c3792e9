// SPDX-License-Identifier: Apache-2.0
#include "data/bin_order.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "data/binned_matrix_builder.h"
#include "data/fingerprint.h"
#include "data/rough_cuts.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kTileRows = 64;      // of a table by rows: they stay in the cache
constexpr std::size_t kBlockRows = 16384;  // of a thread
constexpr std::size_t kLeastShare = 8;     // a column has cells in at least one of so many rows
constexpr std::size_t kManyRows = 250'000;
constexpr std::size_t kFewBins = 512, kManyBins = 1024;  // of many rows, as what is within one must not count for much
constexpr std::size_t kLine = 16;           // values

// Neither bundles nor sparse rows.
bool HaveTheirOwnSlots(BinnedMatrix const& bins) {
  BinLayout const& layout = bins.Layout();
  bool const bundles =
      std::any_of(layout.slots.begin(), layout.slots.end(), [](BinSlot const& slot) { return slot.Bundle(); });
  bool const sparse = std::any_of(layout.sparse_features.begin(), layout.sparse_features.end(),
                                  [&](std::uint32_t feature) { return bins.Present(feature) > 0; });
  return !bundles && !sparse;
}

}  // namespace

CodeColumn::CodeColumn(BinnedMatrix const& bins, std::uint32_t feature) {
  std::uint32_t const slot = bins.Place(feature).slot;
  BinTile const& tile = bins.Tiles()[bins.Layout().slots[slot].tile];
  wide_ = tile.cell_bytes == 2;
  std::uint8_t const* const column =
      wide_ ? reinterpret_cast<std::uint8_t const*>(bins.Column16(slot)) : bins.Column8(slot);
  codes_ = column != nullptr ? column : tile.cells + std::size_t{slot - tile.first_slot} * tile.cell_bytes;
  stride_ = column != nullptr ? tile.cell_bytes : tile.row_bytes;
}

// Columns do not begin at equal places of pages, which would share sets of the cache.
BinOrder::BinOrder(DenseTable const& table)
    : rows_(table.rows),
      stride_((table.rows / kLine | 1U) * kLine + 2 * kLine),
      values_(stride_ * table.columns, Pages::kAny),
      columns_(table.columns) {}

std::shared_ptr<BinOrder const> BinOrder::Make(FeatureMatrix const& features, Context const& ctx) {
  DenseTable const& table = *features.Dense();
  std::shared_ptr<BinOrder> order(new BinOrder(table));
  Context const worth = ForWork(ctx, table.rows * table.columns);
  order->CopyValues(table, worth);
  CheckUnchanged(features, ctx);
  ParallelTasks(worth, table.columns, [&](std::size_t feature, int) { order->Describe(feature); });
  for (Column const& column : order->columns_) {
    if (column.present > 0 && column.present * kLeastShare < table.rows) return nullptr;
  }
  order->MakeBins(ctx);
  if (!HaveTheirOwnSlots(order->Bins())) return nullptr;
  ParallelTasks(worth, table.columns, [&](std::size_t feature, int) { order->CountRows(feature); });
  return order;
}

void BinOrder::CopyValues(DenseTable const& table, Context const& ctx) {
  ParallelBlocks(ctx, table.rows, kBlockRows, [&](std::size_t first, std::size_t last) {
    for (std::size_t begin = first; begin < last; begin += kTileRows) {
      std::size_t const end = std::min(last, begin + kTileRows);
      for (std::size_t f = 0; f < table.columns; ++f) {
        float* const to = values_.data() + f * stride_;
        for (std::size_t row = begin; row < end; ++row) to[row] = table.At(row, f) + 0.0F;
      }
    }
  });
}

void BinOrder::Describe(std::size_t feature) {
  float const* const values = Values(feature);
  Column& column = columns_[feature];
  std::size_t first = 0;
  while (first < rows_ && std::isnan(values[first])) ++first;
  std::uint32_t present = 0, others = 0;
  for (std::size_t row = first; row < rows_; ++row) {
    present += values[row] == values[row] ? 1 : 0;
    others += values[row] == values[row] && values[row] != values[first] ? 1 : 0;
  }
  column.present = present;
  column.one_value = present > 0 && others == 0;
}

bool BinOrder::SortsAll() const { return rows_ < kManyRows; }

// Puts the rows in order, and gives their values.
std::vector<float> BinOrder::SortColumn(std::size_t feature, ColumnSorter* sorter) {
  float const* const values = Values(feature);
  Column& column = columns_[feature];
  column.rows = Buffer<std::uint32_t>(column.present, Pages::kAny);
  std::vector<float> rising;
  rising.reserve(column.present);
  for (std::size_t row = 0; row < rows_; ++row) {
    if (std::isnan(values[row])) continue;
    column.rows[rising.size()] = static_cast<std::uint32_t>(row);
    rising.push_back(values[row]);
  }
  sorter->Sort(rising, column.rows);
  return rising;
}

void BinOrder::MakeBins(Context const& ctx) {
  std::vector<std::vector<float>> ends(columns_.size());
  std::vector<ColumnSorter> sorters(static_cast<std::size_t>(std::max(1, ctx.threads)));
  ParallelTasks(ForWork(ctx, rows_ * columns_.size()), columns_.size(), [&](std::size_t feature, int thread) {
    ends[feature] = SortsAll() ? EndsByRank(SortColumn(feature, &sorters[static_cast<std::size_t>(thread)]), kFewBins)
                               : EndsBySample({Values(feature), rows_}, kManyBins);
  });
  DenseTable columns;
  columns.data = values_.data();
  columns.rows = rows_;
  columns.columns = columns_.size();
  columns.row_stride = 1;
  columns.column_stride = static_cast<std::ptrdiff_t>(stride_);
  std::vector<std::size_t> present;
  for (Column const& column : columns_) present.push_back(column.present);
  bins_ = BinMatrix(FeatureMatrix(columns), std::make_shared<Cuts const>(CutsAt(ends)), present, ctx);
}

BinOrder::Column& BinOrder::SharedOut(std::size_t feature) const {
  Column& column = columns_[feature];
  std::call_once(column.shared_out, [&] { ShareOut(feature); });
  return column;
}

void BinOrder::ShareOut(std::size_t feature) const {
  Column& column = columns_[feature];
  std::uint32_t const bins = bins_->Place(feature).bins;
  if (!SortsAll()) {
    CodeColumn const codes(*bins_, static_cast<std::uint32_t>(feature));
    std::vector<std::uint32_t> next = column.begin;
    column.rows = Buffer<std::uint32_t>(column.present + 1, Pages::kAny);  // the last one takes all without a cell
    for (std::size_t row = 0; row < bins_->Rows(); ++row) {
      std::uint32_t const bin = codes.At(row);
      column.rows[next[bin]] = static_cast<std::uint32_t>(row);
      next[bin] += bin < bins ? 1 : 0;
    }
  }
  column.state.reset(new std::atomic<State>[bins]);
  for (std::uint32_t b = 0; b < bins; ++b) {
    column.state[b].store(SortsAll() ? StateOf(feature, b) : State::kUnsorted, std::memory_order_relaxed);
  }
}

void BinOrder::CountRows(std::size_t feature) {
  std::uint32_t const bins = bins_->Place(feature).bins;
  std::vector<std::uint32_t> count(bins + 2, 0);
  if (bins_->Present(feature) > 0) {
    CodeColumn const codes(*bins_, static_cast<std::uint32_t>(feature));
    std::uint32_t most = 0;  // nobody asks again whether a code is in bounds
    for (std::size_t row = 0; row < bins_->Rows(); ++row) {
      most = std::max(most, codes.At(row));
      ++count[std::min(codes.At(row), bins) + 1];
    }
    Ensure(most <= bins, "a code is ", most, " where there are ", bins, " bins");
  }
  for (std::size_t b = 0; b <= bins; ++b) count[b + 1] += count[b];
  columns_[feature].begin.assign(count.begin(), count.begin() + bins + 1);
}

Span<std::uint32_t> BinOrder::RowsOf(std::size_t feature, std::uint32_t bin) const {
  Column& column = columns_[feature];
  return {column.rows.data() + column.begin[bin], column.begin[bin + 1] - column.begin[bin]};
}

// Of rows that are in order.
BinOrder::State BinOrder::StateOf(std::size_t feature, std::uint32_t bin) const {
  Span<std::uint32_t const> const rows = RowsOf(feature, bin);
  float const* const values = Values(feature);
  bool const equal = !rows.empty() && values[rows[0]] == values[rows[rows.size() - 1]];
  return equal ? State::kEqual : State::kSorted;
}

BinOrder::State BinOrder::Sort(std::size_t feature, std::uint32_t bin) const {
  float const* const values = Values(feature);
  Span<std::uint32_t> const rows = RowsOf(feature, bin);
  std::vector<float> own(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) own[i] = values[rows[i]];
  bool const equal = std::all_of(own.begin(), own.end(), [&](float value) {
    return value == own[0];  // a value of many rows has a bin of its own
  });
  if (!equal) ColumnSorter().Sort(own, rows);
  return equal ? State::kEqual : State::kSorted;
}

BinOrder::State BinOrder::Sorted(std::size_t feature, std::uint32_t bin) const {
  std::atomic<State>& state = SharedOut(feature).state[bin];
  if (State const known = state.load(std::memory_order_acquire); known != State::kUnsorted) return known;
  std::lock_guard<std::mutex> const lock(sorting_[(feature + bin) % std::size(sorting_)]);
  if (state.load(std::memory_order_relaxed) == State::kUnsorted) {
    state.store(Sort(feature, bin), std::memory_order_release);
  }
  return state.load(std::memory_order_relaxed);
}

Span<std::uint32_t const> BinOrder::Rows(std::size_t feature, std::uint32_t bin) const {
  Sorted(feature, bin);
  return RowsOf(feature, bin);
}

}  // namespace xgbl
