// SPDX-License-Identifier: Apache-2.0
#include "columns/column_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "ingest/fingerprint.h"
#include "parallel/parallel_for.h"
#include "parallel/radix_sort.h"

namespace xgbl {
namespace {

constexpr std::size_t kTileCells = 4096;       // of a dense table: read by rows, written by columns, in the cache
constexpr std::size_t kMostTileRows = 256;     // at most
constexpr std::size_t kTileColumns = 256;      // at most
constexpr std::size_t kLeastBlockRows = 4096;  // rows that are worth a block of their own
constexpr std::size_t kSortedCells = std::size_t{1} << 14U;  // short columns are sorted so many cells a task
constexpr std::size_t kGroupColumns = 16;                    // a cache line of a row

// Where the cells of a column that come from a block of rows are to go.
struct Range {
  std::size_t next = 0;
  std::size_t end = 0;
};

[[noreturn]] void ThrowChanged() { throw DataError("The array was changed while a DMatrix of it was being used."); }

// Counts and places the cells of one shape of features: of a dense table, those of the columns [first, last).
class DenseCells {
 public:
  DenseCells(DenseTable const& table, std::size_t first, std::size_t last)
      : table_(table), first_(first), last_(last) {}

  void Count(std::size_t begin, std::size_t end, Range* ranges) const {
    ForEachRun(begin, end, [&](std::size_t column, std::size_t, Span<float const> run) {
      std::size_t present = 0;
      for (float const value : run) present += static_cast<std::size_t>(!std::isnan(value));
      ranges[column].end += present;
    });
  }

  void Place(std::size_t begin, std::size_t end, Range* ranges, float* values, std::uint32_t* rows) const {
    std::array<float, kMostTileRows> kept_values;
    std::array<std::uint32_t, kMostTileRows> kept_rows;
    ForEachRun(begin, end, [&](std::size_t column, std::size_t row, Span<float const> run) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < run.size(); ++i) {  // without a branch: missing cells are often random
        kept_values[kept] = run[i];
        kept_rows[kept] = static_cast<std::uint32_t>(row + i);
        kept += static_cast<std::size_t>(!std::isnan(run[i]));
      }
      Range& range = ranges[column];
      if (kept > range.end - range.next) ThrowChanged();
      std::copy_n(kept_values.data(), kept, values + range.next);
      std::copy_n(kept_rows.data(), kept, rows + range.next);
      range.next += kept;
    });
  }

 private:
  // Calls `visit(column - first_, first row, values)` for runs of cells, NaN if missing.
  template <class Visit>
  void ForEachRun(std::size_t begin, std::size_t end, Visit&& visit) const {
    std::size_t const columns = std::clamp(last_ - first_, std::size_t{1}, kTileColumns);
    std::size_t const rows = std::clamp(kTileCells / columns, std::size_t{16}, kMostTileRows);
    std::array<float, kMostTileRows> run;
    for (std::size_t row = begin; row < end; row += rows) {
      std::size_t const count = std::min(rows, end - row);
      for (std::size_t column = first_; column < last_; ++column) {
        for (std::size_t i = 0; i < count; ++i) run[i] = table_.At(row + i, column);
        visit(column - first_, row, Span<float const>(run.data(), count));
      }
    }
  }

  DenseTable const& table_;
  std::size_t first_, last_;
};

class SparseCells {
 public:
  explicit SparseCells(SparseTable const& cells) : cells_(cells) {}

  void Count(std::size_t begin, std::size_t end, Range* ranges) const {
    for (std::size_t k = cells_.row_begin[begin]; k < cells_.row_begin[end]; ++k) ++ranges[cells_.column[k]].end;
  }

  void Place(std::size_t begin, std::size_t end, Range* ranges, float* values, std::uint32_t* rows) const {
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t k = cells_.row_begin[row]; k < cells_.row_begin[row + 1]; ++k) {
        std::size_t const place = ranges[cells_.column[k]].next++;
        values[place] = cells_.value[k];
        rows[place] = static_cast<std::uint32_t>(row);
      }
    }
  }

 private:
  SparseTable const& cells_;
};

template <class Source>
CellsByColumn Place(Source const& source, std::size_t rows, std::size_t columns, std::size_t cells,
                    Context const& ctx) {
  // Blocks enough for all threads, but no more than keep the counters, one for each block and column, smaller than the
  // cells.
  std::size_t const wanted = ctx.threads == 1 ? 1 : static_cast<std::size_t>(ctx.threads) * 4;
  std::size_t const affordable = cells / std::max<std::size_t>(1, columns) / 2;
  std::size_t const blocks = std::clamp<std::size_t>(affordable, 1, wanted);
  std::size_t const block = std::max(kLeastBlockRows, (rows + blocks - 1) / blocks);
  Matrix<Range> ranges((rows + block - 1) / block, columns);
  ParallelBlocks(ctx, rows, block, [&](std::size_t begin, std::size_t end) {
    source.Count(begin, end, ranges.View().Row(begin / block).data());
  });
  CellsByColumn out;
  for (std::size_t column = 0; column < columns; ++column) {
    std::size_t total = out.begin.back();
    for (std::size_t i = 0; i < ranges.rows; ++i) {
      Range& range = ranges.View()(i, column);
      range.next = total;
      total = range.end += total;
    }
    out.begin.push_back(total);
  }
  out.values.reset(new float[out.begin.back()]);
  out.rows.reset(new std::uint32_t[out.begin.back()]);
  ParallelBlocks(ctx, rows, block, [&](std::size_t begin, std::size_t end) {
    auto const own = ranges.View().Row(begin / block);
    source.Place(begin, end, own.data(), out.values.get(), out.rows.get());
    for (Range const& range : own) {
      if (range.next != range.end) ThrowChanged();
    }
  });
  return out;
}

CellsByColumn ByColumn(FeatureMatrix const& features, Context const& ctx) {
  std::size_t const rows = features.Rows(), columns = features.Columns();
  if (DenseTable const* table = features.Dense()) {
    return Place(DenseCells(*table, 0, columns), rows, columns, rows * columns, ctx);
  }
  return Place(SparseCells(*features.Sparse()), rows, columns, features.Sparse()->value.size(), ctx);
}

// A sorter of each thread and where it puts columns.
struct SortRoom {
  ColumnSorter sorter;
  std::vector<float> values;
  std::vector<std::uint32_t> rows;
};

std::vector<SortRoom> RoomOfThreads(Context const& ctx) {
  return std::vector<SortRoom>(static_cast<std::size_t>(std::max(1, ctx.threads)));
}

// Sorts the cells of each column, and visits it. Long columns come first and are a task each, short ones share one.
template <class Visit>
void SortColumns(CellsByColumn* cells, Context const& ctx, Visit const& visit) {
  auto const length = [&](std::size_t column) { return cells->begin[column + 1] - cells->begin[column]; };
  std::vector<std::size_t> columns(cells->begin.size() - 1), first{0};
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  auto const is_long = [&](std::size_t column) { return length(column) >= kSortedCells; };
  std::sort(columns.begin(), std::stable_partition(columns.begin(), columns.end(), is_long),
            [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
  std::size_t task_cells = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    task_cells += length(columns[i]);
    if (task_cells < kSortedCells && i + 1 < columns.size()) continue;
    first.push_back(i + 1);
    task_cells = 0;
  }
  auto rooms = RoomOfThreads(ctx);
  ParallelTasks(ctx, first.size() - 1, [&](std::size_t task, int thread) {
    for (std::size_t i = first[task]; i < first[task + 1]; ++i) {
      CheckInterrupt(ctx);
      std::size_t const from = cells->begin[columns[i]], count = length(columns[i]);
      Span<float> const values(cells->values.get() + from, count);
      Span<std::uint32_t> const rows(cells->rows.get() + from, count);
      rooms[static_cast<std::size_t>(thread)].sorter.Sort(values, rows);
      visit(columns[i], values, rows);
    }
  });
}

}  // namespace

void ForEachSortedColumn(FeatureMatrix const& features, Context const& ctx,
                         std::function<void(std::size_t, Span<float const>, Span<std::uint32_t const>)> const& visit) {
  Context const worth = ForWork(ctx, features.Rows() * features.Columns());
  if (features.Sparse() != nullptr) {
    CellsByColumn cells = ByColumn(features, worth);
    return SortColumns(&cells, worth, visit);
  }
  DenseTable const& table = *features.Dense();
  auto rooms = RoomOfThreads(worth);
  // Few columns are shared out one by one.
  std::size_t const group = std::clamp(table.columns / (2 * rooms.size()), std::size_t{1}, kGroupColumns);
  ParallelTasks(worth, (table.columns + group - 1) / group, [&](std::size_t task, int thread) {
    SortRoom& room = rooms[static_cast<std::size_t>(thread)];
    std::size_t const first = task * group, last = std::min(table.columns, first + group);
    std::array<Range, kGroupColumns> ranges;
    for (std::size_t k = 0; k < last - first; ++k) ranges[k] = {k * table.rows, (k + 1) * table.rows};
    room.values.resize((last - first) * table.rows);
    room.rows.resize((last - first) * table.rows);
    DenseCells(table, first, last).Place(0, table.rows, ranges.data(), room.values.data(), room.rows.data());
    for (std::size_t k = 0; k < last - first; ++k) {
      CheckInterrupt(ctx);
      std::size_t const begin = k * table.rows, count = ranges[k].next - begin;
      Span<float> const values(room.values.data() + begin, count);
      Span<std::uint32_t> const rows(room.rows.data() + begin, count);
      room.sorter.Sort(values, rows);
      visit(first + k, values, rows);
    }
  });
}

ColumnBlocks ColumnBlocks::Build(FeatureMatrix const& features, Context const& ctx) {
  features.NeedValues("Exact split search");
  CheckUnchanged(features, ctx);
  ColumnBlocks out;
  out.rows_in_matrix_ = features.Rows();
  out.cells_ = ByColumn(features, ctx);
  out.one_value_.resize(out.Columns());
  SortColumns(&out.cells_, ctx, [&](std::size_t column, Span<float> values, Span<std::uint32_t>) {
    out.one_value_[column] = !values.empty() && values[0] == values[values.size() - 1] ? 1 : 0;
  });
  out.ShareEqualValues();
  return out;
}

// One-hot data are mostly columns of ones. Where such columns are the bulk, their values are kept once: all columns of
// one value share a run of it that is as long as a block of theirs can be.
void ColumnBlocks::ShareEqualValues() {
  value_begin_.assign(cells_.begin.begin(), cells_.begin.end() - 1);
  std::size_t own = 0;
  std::map<float, std::size_t> longest;
  for (std::size_t column = 0; column < Columns(); ++column) {
    if (one_value_[column] == 0) {
      own += Present(column);
    } else {
      std::size_t& run = longest[cells_.values[value_begin_[column]]];
      run = std::max(run, std::min(kBlockCells, Present(column)));
    }
  }
  auto const add = [](std::size_t sum, auto const& run) { return sum + run.second; };
  std::size_t const needed = std::accumulate(longest.begin(), longest.end(), own, add);
  if (2 * needed > cells_.begin.back()) return;
  std::unique_ptr<float[]> values(new float[needed]);
  std::size_t next = 0;
  for (auto& [value, run] : longest) {
    std::fill_n(values.get() + next, run, value);
    next += std::exchange(run, next);  // is where it begins from now on
  }
  for (std::size_t column = 0; column < Columns(); ++column) {
    float const* const old = cells_.values.get() + cells_.begin[column];
    value_begin_[column] = one_value_[column] == 0 ? next : longest[*old];
    if (one_value_[column] == 0)
      next = static_cast<std::size_t>(std::copy_n(old, Present(column), values.get() + next) - values.get());
  }
  cells_.values = std::move(values);
}

ColumnBlocks::Block ColumnBlocks::GetBlock(std::size_t column, std::size_t block) const {
  std::size_t const offset = block * kBlockCells;
  std::size_t const count = std::min(kBlockCells, Present(column) - offset);
  float const* const values = cells_.values.get() + value_begin_[column];
  return {{values + (HasOneValue(column) ? 0 : offset), count},
          {cells_.rows.get() + cells_.begin[column] + offset, count}};
}

}  // namespace xgbl
