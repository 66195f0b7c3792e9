// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.h"
#include "ingest/arrays.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr std::size_t kSparseBlockCells = std::size_t{1} << 16U;  // about: a unit of work
constexpr std::size_t kSortedRows = 1024;

[[noreturn]] void ThrowChangedMatrix() {
  throw DataError("The sparse `data` was changed while it was read. Let no other thread write to it meanwhile.");
}

// A line is a row of CSR or a column of CSC; a place is where in the line a cell is.
class SparseLines {
 public:
  SparseLines(SparseSource const& source, IngestOptions const& options, bool by_row)
      : source_(source), options_(options), by_row_(by_row), begin_(source.offsets.size) {
    Require<DataError>(!begin_.empty(), "`indptr` of sparse data must have at least one entry.");
    Require<DataError>(source.indices.size == source.values.size,
                       "Sparse data must have as many indices as values; got ", source.indices.size, " and ",
                       source.values.size, ".");
    auto const cells = static_cast<std::uint64_t>(source.values.size);
    bool const good = ToIndex(source.offsets, 0, cells + 1, begin_) && std::is_sorted(begin_.begin(), begin_.end());
    Require<DataError>(good, "`indptr` of sparse data must rise and stay within the ", cells,
                       " values that are given.");
    CheckShape(by_row ? Count() : source.width, by_row ? source.width : Count());
  }

  Span<std::uint64_t const> Begin() const { return begin_; }
  std::size_t Count() const { return begin_.size() - 1; }
  std::size_t Width() const { return source_.width; }
  std::size_t Cells(std::size_t first, std::size_t last) const { return begin_[last] - begin_[first]; }
  // As many lines as have about kSparseBlockCells cells together.
  std::size_t Block() const { return 1 + kSparseBlockCells * Count() / (Cells(0, Count()) + Count() + 1); }

  // Calls `visit(line, place, value)` for the present cells of the lines [first, last), in their order.
  template <class Visit>
  void ForEachPresent(std::size_t first, std::size_t last, Visit&& visit) const {
    std::vector<float> values(Cells(first, last));
    std::vector<std::uint64_t> places(values.size());
    ToFloat(source_.values, begin_[first], values);
    if (!ToIndex(source_.indices, begin_[first], Width(), places)) ThrowPlace(first, places);
    for (std::size_t line = first; line < last; ++line) {
      for (std::size_t k = begin_[line] - begin_[first]; k < begin_[line + 1] - begin_[first]; ++k) {
        float const value = values[k];
        if (std::isnan(value) || value == options_.missing) continue;
        if (std::isinf(value) && options_.check_infinity) ThrowAt(line, places[k]);
        visit(line, static_cast<std::size_t>(places[k]), value);
      }
    }
  }

 private:
  [[noreturn]] void ThrowAt(std::size_t line, std::size_t place) const {
    by_row_ ? ThrowInfinity(line, place) : ThrowInfinity(place, line);
  }

  [[noreturn]] void ThrowPlace(std::size_t first, std::vector<std::uint64_t> const& places) const {
    auto const bad = std::find_if(places.begin(), places.end(), [this](auto place) { return place >= Width(); });
    auto const cell = begin_[first] + static_cast<std::uint64_t>(bad - places.begin());
    auto const after = std::upper_bound(begin_.begin(), begin_.end(), cell);
    throw DataError(Text("Sparse data has the index ", static_cast<std::int64_t>(*bad), " in ",
                         by_row_ ? "row " : "column ", after - begin_.begin() - 1, ", but only ", Width(),
                         by_row_ ? " columns." : " rows."));
  }

  SparseSource const& source_;
  IngestOptions const& options_;
  bool by_row_;
  std::vector<std::uint64_t> begin_;
};

void SortRows(Context const& ctx, SparseRows* out) {
  ParallelBlocks(ctx, out->rows(), kSortedRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      std::size_t const first = out->row_begin[row], count = out->row_begin[row + 1] - first;
      auto const twice = SortRow({out->column.data() + first, count}, {out->value.data() + first, count});
      Require<DataError>(!twice, "Sparse data has more than one value in row ", row, ", column ", twice.value_or(0),
                         ". Call `sum_duplicates()` on it first.");
    }
  });
}

bool IsAligned(void const* data, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(data) % alignment == 0;
}

bool CanBeReferenced(SparseSource const& source, SparseLines const& lines, std::size_t copied_bytes) {
  ScalarArray const &indices = source.indices, &values = source.values;
  bool const indices_fit = indices.type == ScalarType::kInt32 || indices.type == ScalarType::kUint32;
  bool const all_listed = lines.Begin()[0] == 0 && lines.Cells(0, lines.Count()) == values.size;
  return source.owner && indices_fit && values.type == ScalarType::kFloat32 &&
         IsAligned(indices.data, alignof(std::uint32_t)) && IsAligned(values.data, alignof(float)) && all_listed &&
         values.size * (sizeof(std::uint32_t) + sizeof(float)) > copied_bytes;
}

// Whether the cells can be used as they are: columns rise within each row, up to the last there is, and none is absent.
bool IsTidy(SparseTable const& table, float missing, Context const& ctx) {
  return AllRows(ctx, table.rows(), [&](std::size_t row) {
    unsigned wrong = 0;
    std::size_t least = 0;
    for (std::size_t k = table.row_begin[row]; k < table.row_begin[row + 1]; ++k) {
      std::size_t const column = table.column[k];
      wrong |= column < least || column >= table.columns ? 1U : 0U;
      wrong |= std::isnan(table.value[k]) || table.value[k] == missing ? 1U : 0U;
      least = column + 1;
    }
    return wrong == 0;
  });
}

// The user's memory as a table, if it is one as it stands.
std::optional<SparseTable> Reference(SparseSource const& source, SparseLines const& lines, IngestOptions const& options,
                                     Context const& ctx) {
  if (!CanBeReferenced(source, lines, options.copied_bytes)) return std::nullopt;
  struct Held {
    std::vector<std::size_t> row_begin;
    std::shared_ptr<void const> arrays;
  };
  auto const held = std::make_shared<Held const>(Held{{lines.Begin().begin(), lines.Begin().end()}, source.owner});
  SparseTable table{held->row_begin,
                    {static_cast<std::uint32_t const*>(source.indices.data), source.indices.size},
                    {static_cast<float const*>(source.values.data), source.values.size},
                    source.width,
                    held,
                    {}};
  if (!IsTidy(table, options.missing, ctx)) return std::nullopt;
  Guard(options, ctx, &table);
  return table;
}

SparseRows CopyRows(SparseSource const& source, SparseLines const& lines, Context const& ctx) {
  SparseRows out;
  out.columns = source.width;
  out.row_begin.assign(lines.Count() + 1, 0);
  ParallelBlocks(ctx, lines.Count(), lines.Block(), [&](std::size_t begin, std::size_t end) {
    lines.ForEachPresent(begin, end, [&](std::size_t row, std::size_t, float) { ++out.row_begin[row + 1]; });
  });
  std::partial_sum(out.row_begin.begin(), out.row_begin.end(), out.row_begin.begin());
  out.column.resize(out.row_begin.back());
  out.value.resize(out.row_begin.back());
  ParallelBlocks(ctx, lines.Count(), lines.Block(), [&](std::size_t begin, std::size_t end) {
    std::size_t next = out.row_begin[begin];
    lines.ForEachPresent(begin, end, [&](std::size_t, std::size_t column, float value) {
      if (next == out.row_begin[end]) ThrowChangedMatrix();
      out.column[next] = static_cast<std::uint32_t>(column);
      out.value[next++] = value;
    });
  });
  SortRows(ctx, &out);
  return out;
}

}  // namespace

SparseTable IngestCsr(SparseSource const& source, IngestOptions const& options, Context const& ctx) {
  SparseLines const lines(source, options, true);
  auto const table = Reference(source, lines, options, ctx);
  return table ? *table : TableOf(CopyRows(source, lines, ctx));
}

SparseTable IngestCsc(SparseSource const& source, IngestOptions const& options, Context const& ctx) {
  SparseLines const lines(source, options, false);
  // Columns are cut into parts of about equal size, each with a counter for every row; no more parts than keep the
  // counters smaller than the data.
  std::size_t const cells = lines.Cells(0, lines.Count()), affordable = cells / std::max<std::size_t>(1, source.width);
  std::size_t const parts = std::clamp<std::size_t>(affordable, 1, static_cast<std::size_t>(ctx.threads));
  std::vector<std::size_t> first{0};
  for (std::size_t part = 1; part < parts; ++part) {
    std::size_t column = first.back();
    while (column < lines.Count() && lines.Cells(0, column) < cells / parts * part) ++column;
    first.push_back(column);
  }
  first.push_back(lines.Count());
  // Calls `visit(part, column, row, value)` for all present cells, columns rising within a part.
  auto const for_each_present = [&](auto const& visit) {
    ParallelTasks(ctx, parts, [&](std::size_t part, int) {
      for (std::size_t column = first[part]; column < first[part + 1]; column += lines.Block()) {
        std::size_t const last = std::min(column + lines.Block(), first[part + 1]);
        lines.ForEachPresent(column, last,
                             [&](std::size_t at, std::size_t row, float value) { visit(part, at, row, value); });
      }
    });
  };
  SparseRows out;
  out.columns = lines.Count();
  out.row_begin.assign(source.width + 1, 0);
  Matrix<std::size_t> next(parts, source.width);
  for_each_present([&](std::size_t part, std::size_t, std::size_t row, float) { ++next.View()(part, row); });
  std::size_t total = 0;
  for (std::size_t row = 0; row < source.width; ++row) {
    for (std::size_t part = 0; part < parts; ++part) total += std::exchange(next.View()(part, row), total);
    out.row_begin[row + 1] = total;
  }
  out.column.resize(total);
  out.value.resize(total);
  for_each_present([&](std::size_t part, std::size_t column, std::size_t row, float value) {
    std::size_t const to = next.View()(part, row)++;
    if (to >= total) ThrowChangedMatrix();
    out.column[to] = static_cast<std::uint32_t>(column);
    out.value[to] = value;
  });
  SortRows(ctx, &out);
  return TableOf(std::move(out));
}

}  // namespace xgbl
