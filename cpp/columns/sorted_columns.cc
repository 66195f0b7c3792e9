// SPDX-License-Identifier: Apache-2.0
#include "columns/sorted_columns.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "parallel/parallel_for.h"
#include "parallel/radix_sort.h"

namespace xgbl {
namespace {

constexpr std::size_t kGroupColumns = 16;  // a cache line of a row
constexpr std::size_t kTileRows = 64;      // of a table by rows: they stay in the cache

// Cells of neighbouring columns by column, in the order of their rows.
struct ColumnCells {
  std::vector<float> values;
  std::vector<std::uint32_t> rows;
};

class Columns {
 public:
  Columns(FeatureMatrix const& features, Context const& ctx) : features_(features) {
    SparseTable const* const sparse = features.Sparse();
    if (sparse == nullptr) return;
    begin_.assign(sparse->columns + 1, 0);
    for (std::uint32_t const column : sparse->column) ++begin_[column + 1];
    for (std::size_t column = 0; column < sparse->columns; ++column) begin_[column + 1] += begin_[column];
    sparse_.values.resize(sparse->value.size());
    sparse_.rows.resize(sparse->value.size());
    auto next = begin_;
    PacedCheck pace(ctx);
    for (std::size_t row = 0; row < sparse->rows(); ++row) {
      features.ForEachPresent(row, [&](std::size_t column, float value) {
        std::size_t const to = next[column]++;
        sparse_.values[to] = value;
        sparse_.rows[to] = static_cast<std::uint32_t>(row);
      });
      pace.Step(sparse->row_begin[row + 1] - sparse->row_begin[row] + 1);
    }
  }

  // Calls `visit(column, values, rows)` for the columns [first, last).
  template <class Visit>
  void Read(std::size_t first, std::size_t last, ColumnCells* room, Visit&& visit) {
    if (features_.Sparse() != nullptr) {
      for (std::size_t column = first; column < last; ++column) {
        std::size_t const from = begin_[column], count = begin_[column + 1] - from;
        visit(column, Span<float>(sparse_.values).Sub(from, count), Span<std::uint32_t>(sparse_.rows).Sub(from, count));
      }
      return;
    }
    DenseTable const& table = *features_.Dense();
    room->values.resize((last - first) * table.rows);
    room->rows.resize((last - first) * table.rows);
    std::size_t count[kGroupColumns] = {};
    std::size_t const tile = table.row_stride == 1 ? table.rows : kTileRows;
    for (std::size_t begin = 0; begin < table.rows; begin += tile) {
      std::size_t const end = std::min(table.rows, begin + tile);
      for (std::size_t column = first; column < last; ++column) {
        std::size_t const from = (column - first) * table.rows;
        float* const values = room->values.data() + from;
        std::uint32_t* const rows = room->rows.data() + from;
        std::size_t next = count[column - first];
        for (std::size_t row = begin; row < end; ++row) {  // without a branch: missing cells are often random
          values[next] = table.At(row, column);
          rows[next] = static_cast<std::uint32_t>(row);
          next += std::isnan(values[next]) ? 0 : 1;
        }
        count[column - first] = next;
      }
    }
    for (std::size_t k = 0; k < last - first; ++k) {
      visit(first + k, Span<float>(room->values).Sub(k * table.rows, count[k]),
            Span<std::uint32_t>(room->rows).Sub(k * table.rows, count[k]));
    }
  }

 private:
  FeatureMatrix const& features_;
  std::vector<std::size_t> begin_;  // of sparse rows
  ColumnCells sparse_;
};

}  // namespace

void ForEachSortedColumn(FeatureMatrix const& features, Context const& ctx,
                         std::function<void(std::size_t, Span<float const>, Span<std::uint32_t const>)> const& visit) {
  Columns columns(features, ctx);
  std::size_t const count = features.Columns();
  auto const threads = static_cast<std::size_t>(std::max(1, ctx.threads));
  std::vector<ColumnCells> rooms(threads);
  std::vector<ColumnSorter> sorters(threads);
  // Few columns are shared out one by one.
  std::size_t const group = std::clamp(count / (2 * threads), std::size_t{1}, kGroupColumns);
  ParallelTasks(ForWork(ctx, features.Rows() * count), (count + group - 1) / group, [&](std::size_t task, int thread) {
    auto const own = static_cast<std::size_t>(thread);
    auto const sort = [&](std::size_t column, Span<float> values, Span<std::uint32_t> rows) {
      CheckInterrupt(ctx);
      sorters[own].Sort(values, rows);
      visit(column, values, rows);
    };
    columns.Read(task * group, std::min(count, (task + 1) * group), &rooms[own], sort);
  });
}

}  // namespace xgbl
