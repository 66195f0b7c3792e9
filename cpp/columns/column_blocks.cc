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

// Where the cells of a column that come from a block of rows are to go.
struct Range {
  std::size_t next = 0;
  std::size_t end = 0;
};

[[noreturn]] void ThrowChanged() { throw DataError("The array was changed while a DMatrix of it was being used."); }

// Calls `visit(column, first row, values)` for runs of a dense table's cells, NaN if missing.
template <class Visit>
void ForEachRun(DenseTable const& table, std::size_t begin, std::size_t end, Visit&& visit) {
  std::size_t const columns = std::min(kTileColumns, table.columns);
  std::size_t const rows = std::clamp(kTileCells / std::max<std::size_t>(1, columns), std::size_t{16}, kMostTileRows);
  std::array<float, kMostTileRows> run;
  for (std::size_t row = begin; row < end; row += rows) {
    std::size_t const count = std::min(rows, end - row);
    for (std::size_t column = 0; column < table.columns; ++column) {
      for (std::size_t i = 0; i < count; ++i) run[i] = table.At(row + i, column);
      visit(column, row, Span<float const>(run.data(), count));
    }
  }
}

// Counts and places the cells of one shape of features.
class DenseCells {
 public:
  explicit DenseCells(DenseTable const& table) : table_(table) {}

  void Count(std::size_t begin, std::size_t end, Range* ranges) const {
    ForEachRun(table_, begin, end, [&](std::size_t column, std::size_t, Span<float const> run) {
      std::size_t present = 0;
      for (float const value : run) present += static_cast<std::size_t>(!std::isnan(value));
      ranges[column].end += present;
    });
  }

  void Place(std::size_t begin, std::size_t end, Range* ranges, float* values, std::uint32_t* rows) const {
    std::array<float, kMostTileRows> kept_values;
    std::array<std::uint32_t, kMostTileRows> kept_rows;
    ForEachRun(table_, begin, end, [&](std::size_t column, std::size_t row, Span<float const> run) {
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
  DenseTable const& table_;
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
        std::size_t const to = ranges[cells_.column[k]].next++;
        values[to] = cells_.value[k];
        rows[to] = static_cast<std::uint32_t>(row);
      }
    }
  }

 private:
  SparseTable const& cells_;
};

// Rows of a block: blocks enough for all threads, but no more than keep the counters, one for each block and column,
// smaller than the cells.
std::size_t BlockRows(std::size_t rows, std::size_t columns, std::size_t cells, int threads) {
  std::size_t const wanted = threads == 1 ? 1 : static_cast<std::size_t>(threads) * 4;
  std::size_t const affordable = cells / std::max<std::size_t>(1, columns) / 2;
  std::size_t const blocks = std::clamp<std::size_t>(affordable, 1, wanted);
  return std::max(kLeastBlockRows, (rows + blocks - 1) / blocks);
}

// From counts by block and column, makes the range of each, and of each column its begin.
std::vector<std::size_t> Ranges(MatrixView<Range> counts) {
  std::vector<std::size_t> begin(counts.columns() + 1, 0);
  std::size_t total = 0;
  for (std::size_t column = 0; column < counts.columns(); ++column) {
    for (std::size_t block = 0; block < counts.rows(); ++block) {
      Range& range = counts(block, column);
      range.next = total;
      total += range.end;
      range.end = total;
    }
    begin[column + 1] = total;
  }
  return begin;
}

// Columns by falling length, and in `first` where each task begins: a long column, or several short ones.
struct SortPlan {
  std::vector<std::size_t> columns;
  std::vector<std::size_t> first{0};
};

SortPlan PlanSorts(std::vector<std::size_t> const& begin) {
  auto const length = [&](std::size_t column) { return begin[column + 1] - begin[column]; };
  SortPlan plan;
  plan.columns.resize(begin.size() - 1);
  std::iota(plan.columns.begin(), plan.columns.end(), std::size_t{0});
  std::stable_sort(plan.columns.begin(), plan.columns.end(),
                   [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
  std::size_t cells = 0;
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    cells += length(plan.columns[i]);
    if (cells < kSortedCells && i + 1 < plan.columns.size()) continue;
    plan.first.push_back(i + 1);
    cells = 0;
  }
  return plan;
}

void SortColumns(std::vector<std::size_t> const& begin, float* values, std::uint32_t* rows, Context const& ctx) {
  SortPlan const plan = PlanSorts(begin);
  std::vector<ColumnSorter> sorters(static_cast<std::size_t>(std::max(1, ctx.threads)));
  ParallelTasks(ctx, plan.first.size() - 1, [&](std::size_t task, int thread) {
    for (std::size_t i = plan.first[task]; i < plan.first[task + 1]; ++i) {
      std::size_t const from = begin[plan.columns[i]], count = begin[plan.columns[i] + 1] - from;
      sorters[static_cast<std::size_t>(thread)].Sort({values + from, count}, {rows + from, count});
    }
  });
}

}  // namespace

ColumnBlocks ColumnBlocks::Build(FeatureMatrix const& features, Context const& ctx) {
  features.NeedValues("Exact split search");
  CheckUnchanged(features, ctx);
  ColumnBlocks out;
  std::size_t const rows = out.rows_in_matrix_ = features.Rows(), columns = features.Columns();
  auto const fill = [&](auto const& source, std::size_t cells) {
    std::size_t const block = BlockRows(rows, columns, cells, ctx.threads);
    Matrix<Range> ranges((rows + block - 1) / block, columns);
    ParallelBlocks(ctx, rows, block, [&](std::size_t begin, std::size_t end) {
      source.Count(begin, end, ranges.View().Row(begin / block).data());
    });
    out.begin_ = Ranges(ranges.View());
    out.values_.reset(new float[out.begin_.back()]);
    out.rows_.reset(new std::uint32_t[out.begin_.back()]);
    ParallelBlocks(ctx, rows, block, [&](std::size_t begin, std::size_t end) {
      auto const own = ranges.View().Row(begin / block);
      source.Place(begin, end, own.data(), out.values_.get(), out.rows_.get());
      for (Range const& range : own) {
        if (range.next != range.end) ThrowChanged();
      }
    });
  };
  if (DenseTable const* table = features.Dense()) {
    fill(DenseCells(*table), rows * columns);
  } else {
    fill(SparseCells(*features.Sparse()), features.Sparse()->value.size());
  }
  SortColumns(out.begin_, out.values_.get(), out.rows_.get(), ctx);
  out.FindOneValueColumns();
  out.ShareEqualValues();
  return out;
}

void ColumnBlocks::FindOneValueColumns() {
  one_value_.resize(Columns());
  for (std::size_t column = 0; column < Columns(); ++column) {
    bool const any = Present(column) > 0;
    one_value_[column] = any && values_[begin_[column]] == values_[begin_[column + 1] - 1] ? 1 : 0;
  }
}

// One-hot data are mostly columns of ones. Where such columns are the bulk, their values are kept once: all columns of
// one value share a run of it that is as long as a block of theirs can be.
void ColumnBlocks::ShareEqualValues() {
  value_begin_.assign(begin_.begin(), begin_.end() - 1);
  std::size_t own = 0;
  std::map<float, std::size_t> longest;
  for (std::size_t column = 0; column < Columns(); ++column) {
    if (one_value_[column] == 0) {
      own += Present(column);
    } else {
      std::size_t& run = longest[values_[begin_[column]]];
      run = std::max(run, std::min(kBlockCells, Present(column)));
    }
  }
  auto const add = [](std::size_t sum, auto const& run) { return sum + run.second; };
  std::size_t const needed = std::accumulate(longest.begin(), longest.end(), own, add);
  if (2 * needed > begin_.back()) return;
  std::unique_ptr<float[]> values(new float[needed]);
  std::size_t next = 0;
  std::map<float, std::size_t> run_begin;
  for (auto const& [value, run] : longest) {
    run_begin[value] = next;
    std::fill_n(values.get() + next, run, value);
    next += run;
  }
  for (std::size_t column = 0; column < Columns(); ++column) {
    float const* const old = values_.get() + begin_[column];
    value_begin_[column] = one_value_[column] == 0 ? next : run_begin[*old];
    if (one_value_[column] == 0)
      next = static_cast<std::size_t>(std::copy_n(old, Present(column), values.get() + next) - values.get());
  }
  values_ = std::move(values);
}

ColumnBlocks::Block ColumnBlocks::GetBlock(std::size_t column, std::size_t block) const {
  std::size_t const offset = block * kBlockCells;
  std::size_t const count = std::min(kBlockCells, Present(column) - offset);
  float const* const values = values_.get() + value_begin_[column];
  return {{values + (HasOneValue(column) ? 0 : offset), count}, {rows_.get() + begin_[column] + offset, count}};
}

}  // namespace xgbl
