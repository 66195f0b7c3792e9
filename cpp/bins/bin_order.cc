// SPDX-License-Identifier: Apache-2.0
#include "bins/bin_order.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "bins/binned_matrix_builder.h"
#include "columns/column_blocks.h"
#include "ingest/fingerprint.h"
#include "parallel/parallel_for.h"
#include "parallel/radix_sort.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr std::size_t kOrderTileRows = 64;      // of a table by rows: they stay in the cache
constexpr std::size_t kOrderBlockRows = 16384;  // of a thread
constexpr std::size_t kLeastShare = 8;          // a column has cells in at least one of so many rows
constexpr std::size_t kManyRows = 250'000;
constexpr std::size_t kFewBins = 512;
constexpr std::size_t kManyBins = 1024;       // of many rows, as what is within one must not count for much
constexpr std::size_t kLine = 16;             // values
constexpr std::uint32_t kLeastGrouped = 128;  // bins
constexpr std::uint32_t kNever = 0xFFFFFFFFU;

// Neither bundles nor sparse rows.
bool HaveTheirOwnSlots(BinnedMatrix const& bins) {
  BinLayout const& layout = bins.Layout();
  bool const bundles =
      std::any_of(layout.slots.begin(), layout.slots.end(), [](BinSlot const& slot) { return slot.Bundle(); });
  bool const sparse = std::any_of(layout.sparse_features.begin(), layout.sparse_features.end(),
                                  [&](std::uint32_t feature) { return bins.Present(feature) > 0; });
  return !bundles && !sparse;
}

// Between two borders that are both seen from below all errors below the upper one count; from above, those above the
// lower one. If the lower one is seen from below and the upper one from above, the largest left gradient follows from
// the lower one and from what rises, so that all errors below the upper one count, and the least from the upper one, so
// that those above the lower one do.
double RowsBetween(Span<std::uint32_t const> rows_below, std::uint32_t lower, std::uint32_t upper, bool lower_above,
                   bool upper_above) {
  std::uint32_t const below = rows_below[upper], above = rows_below[rows_below.size() - 1] - rows_below[lower];
  return static_cast<double>(lower_above ? above : upper_above ? std::max(above, below) : below);
}

}  // namespace

double ErrorRows::AtBorder(Span<std::uint32_t const> rows_below, std::uint32_t bin, std::uint32_t from_above) {
  return RowsBetween(rows_below, bin, bin, bin >= from_above, bin >= from_above);
}

ErrorRows ErrorRows::Of(Span<std::uint32_t const> rows_below, bool has_missing) {
  ErrorRows out;
  out.bins = static_cast<std::uint32_t>(rows_below.size() - 1);
  out.group_bins = out.bins < kLeastGrouped ? 1 : SignTask::kGroupBins;
  out.groups = (out.bins + out.group_bins - 1) / out.group_bins;
  auto const middle = std::upper_bound(rows_below.begin(), rows_below.end(), rows_below[out.bins] / 2);
  auto const middle_group = static_cast<std::uint32_t>(middle - rows_below.begin()) / out.group_bins;
  out.from_above = {has_missing ? kNever : middle_group * out.group_bins, 0};
  for (std::size_t side = 0; side < (has_missing ? 2 : 1); ++side) {
    std::uint32_t const from_above = out.from_above[side];
    for (std::uint32_t first = 0; first < out.bins; first += out.group_bins) {
      std::uint32_t const end = std::min(out.bins, first + out.group_bins);
      out.rows_of_group[side].push_back(RowsBetween(rows_below, first, end, first >= from_above, end >= from_above));
    }
    for (std::uint32_t bin = 0; bin < out.bins; ++bin) {
      bool const above = bin >= from_above;
      out.rows_of_bin[side].push_back(RowsBetween(rows_below, bin, bin + 1, above, above));
    }
  }
  return out;
}

std::shared_ptr<BinOrder const> BinOrder::Make(FeatureMatrix const& features, Context const& ctx) {
  std::shared_ptr<BinOrder> order(new BinOrder(*features.Dense()));
  DenseTable const& table = order->table_;
  Context const worth = ForWork(ctx, table.rows * table.columns);
  if (table.fingerprint || !order->SortsAll()) order->CopyValues(worth);
  CheckUnchanged(features, ctx);
  auto const present = order->PresentByColumn(worth);
  auto const is_rare = [&](std::size_t cells) { return cells > 0 && cells * kLeastShare < table.rows; };
  if (std::any_of(present.begin(), present.end(), is_rare)) return nullptr;
  auto const ends = order->SortsAll() ? order->SortColumns(worth) : order->SampleColumns(worth);
  order->bins_ =
      BinMatrix(FeatureMatrix(table), std::make_shared<Cuts const>(CutsAt(ends)), present, ctx, SlotJoining::kOff);
  if (!HaveTheirOwnSlots(order->Bins())) return nullptr;
  ParallelTasks(worth, table.columns, [&](std::size_t feature, int) {
    order->CountRows(feature);
    if (order->SortsAll()) order->MakeStates(feature);
  });
  return order;
}

bool BinOrder::SortsAll() const { return table_.rows < kManyRows; }

// Columns do not begin at equal places of pages, which would share sets of the cache.
void BinOrder::CopyValues(Context const& ctx) {
  std::size_t const stride = (table_.rows / kLine | 1U) * kLine + 2 * kLine;
  values_ = Buffer<float>(stride * table_.columns, Pages::kAny);
  ParallelBlocks(ctx, table_.rows, kOrderBlockRows, [&](std::size_t first, std::size_t last) {
    for (std::size_t begin = first; begin < last; begin += kOrderTileRows) {
      std::size_t const end = std::min(last, begin + kOrderTileRows);
      for (std::size_t f = 0; f < table_.columns; ++f) {
        float* const to = values_.data() + f * stride;
        for (std::size_t row = begin; row < end; ++row) to[row] = table_.At(row, f) + 0.0F;
      }
    }
  });
  table_ = {values_.data(), table_.rows, table_.columns, 1, static_cast<std::ptrdiff_t>(stride), kMissing, {}, {}};
}

// Counts the cells of all columns. Of a table by rows neighbouring columns side by side, which is vector code.
std::vector<std::size_t> BinOrder::PresentByColumn(Context const& ctx) const {
  using Counts = SumArray<std::uint32_t>;
  auto const count = [&](std::size_t begin, std::size_t end, Counts* present) {
    auto const is_present = [missing = table_.missing](float value) { return value == value && value != missing; };
    if (table_.column_stride == 1) {
      for (std::size_t row = begin; row < end; ++row) {
        float const* const cells = table_.data + static_cast<std::ptrdiff_t>(row) * table_.row_stride;
        for (std::size_t f = 0; f < present->size(); ++f) (*present)[f] += is_present(cells[f]) ? 1 : 0;
      }
    } else {
      for (std::size_t f = 0; f < present->size(); ++f) {
        for (std::size_t row = begin; row < end; ++row) (*present)[f] += std::isnan(table_.At(row, f)) ? 0 : 1;
      }
    }
  };
  Counts const present = ReduceRows(ctx, table_.rows, Counts(table_.columns), count);
  return {present.begin(), present.end()};
}

// Puts the rows in order, and gives where bins end.
std::vector<std::vector<float>> BinOrder::SortColumns(Context const& ctx) {
  std::vector<std::vector<float>> ends(columns_.size());
  ForEachSortedColumn(FeatureMatrix(table_), ctx,
                      [&](std::size_t feature, Span<float const> values, Span<std::uint32_t const> rows) {
                        Column& column = columns_[feature];
                        column.one_value = !values.empty() && values[0] == values[values.size() - 1];
                        column.rows = Buffer<std::uint32_t>(rows.size(), Pages::kAny);
                        std::copy(rows.begin(), rows.end(), column.rows.data());
                        ends[feature] = EndsByRank(values, kFewBins);
                      });
  return ends;
}

// Of values that were copied.
std::vector<std::vector<float>> BinOrder::SampleColumns(Context const& ctx) {
  std::vector<std::vector<float>> ends(columns_.size());
  ParallelTasks(ctx, columns_.size(), [&](std::size_t feature, int) {
    float const* const column = table_.data + static_cast<std::ptrdiff_t>(feature) * table_.column_stride;
    Span<float const> const values(column, table_.rows);
    auto const any = std::find_if(values.begin(), values.end(), [](float value) { return !std::isnan(value); });
    columns_[feature].one_value = any != values.end() && std::none_of(any, values.end(), [&](float value) {
                                    return value < *any || value > *any;
                                  });
    ends[feature] = EndsBySample(values, kManyBins);
  });
  return ends;
}

BinOrder::Column& BinOrder::SharedOut(std::size_t feature) const {
  Column& column = columns_[feature];
  if (!SortsAll()) std::call_once(column.shared_out, [&] { ShareOut(feature); });
  return column;
}

void BinOrder::ShareOut(std::size_t feature) const {
  Column& column = columns_[feature];
  std::uint32_t const bins = bins_->Place(feature).bins;
  CodeColumn const codes(*bins_, static_cast<std::uint32_t>(feature));
  std::vector<std::uint32_t> next = column.begin;
  column.rows =
      Buffer<std::uint32_t>(bins_->Present(feature) + 1, Pages::kAny);  // the last one takes all without a cell
  for (std::size_t row = 0; row < bins_->Rows(); ++row) {
    std::uint32_t const bin = codes.At(row);
    column.rows[next[bin]] = static_cast<std::uint32_t>(row);
    next[bin] += bin < bins ? 1 : 0;
  }
  column.state = std::make_unique<std::atomic<State>[]>(bins);
  for (std::uint32_t b = 0; b < bins; ++b) column.state[b].store(State::kUnsorted, std::memory_order_relaxed);
}

// Of bins whose rows are in order.
void BinOrder::MakeStates(std::size_t feature) {
  std::uint32_t const bins = bins_->Place(feature).bins;
  ValueColumn const values = Values(feature);
  columns_[feature].state = std::make_unique<std::atomic<State>[]>(bins);
  for (std::uint32_t b = 0; b < bins; ++b) {
    Span<std::uint32_t const> const rows = RowsOf(feature, b);
    bool const equal = !rows.empty() && values[rows[0]] == values[rows[rows.size() - 1]];
    columns_[feature].state[b].store(equal ? State::kEqual : State::kSorted, std::memory_order_relaxed);
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
  columns_[feature].errors = ErrorRows::Of(columns_[feature].begin, HasMissing(feature));
}

Span<std::uint32_t> BinOrder::RowsOf(std::size_t feature, std::uint32_t bin) const {
  Column& column = columns_[feature];
  return {column.rows.data() + column.begin[bin], column.begin[bin + 1] - column.begin[bin]};
}

BinOrder::State BinOrder::Sort(std::size_t feature, std::uint32_t bin) const {
  ValueColumn const values = Values(feature);
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
