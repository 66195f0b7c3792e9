// SPDX-License-Identifier: Apache-2.0
#include "cuts/cut_sample.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kChunkRows = std::size_t{1} << 20U;  // ranked at a time
constexpr std::size_t kRankBlockRows = 4096;
constexpr std::size_t kProbedRows = 16384;
constexpr std::size_t kCopiedRows = 256;  // a task

// The ranks of the rows [begin, end) of a piece that come before the bound.
std::vector<RowRank> RanksBefore(RowPiece const& piece, std::size_t begin, std::size_t end, RowRank const& bound,
                                 Context const& ctx) {
  std::vector<std::vector<RowRank>> found((end - begin + kRankBlockRows - 1) / kRankBlockRows);
  ParallelBlocks(ForWork(ctx, end - begin), end - begin, kRankBlockRows, [&](std::size_t from, std::size_t to) {
    auto& own = found[from / kRankBlockRows];
    for (std::size_t row = begin + from; row < begin + to; ++row) {
      RowRank const rank = RowRank::Of(piece.first + row, piece.Weight(row));
      if (rank < bound) own.push_back(rank);
    }
  });
  std::vector<RowRank> all;
  for (auto const& part : found) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// The lowest ranks, in order, no more than `most`.
std::vector<RowRank> LowestRanks(RowPiece const& piece, std::size_t begin, std::size_t end, RowRank const& bound,
                                 std::size_t most, Context const& ctx) {
  std::size_t const rows = end - begin;
  RowRank guess = bound;
  if (rows > 2 * kProbedRows && rows > 4 * most) {
    // A guess from some of the rows saves gathering and sorting most of the others.
    auto probed = RanksBefore(piece, begin, begin + kProbedRows, bound, ctx);
    auto const wanted =
        static_cast<std::size_t>(1.3 * static_cast<double>(most) * kProbedRows / static_cast<double>(rows));
    if (wanted < probed.size()) {
      std::nth_element(probed.begin(), probed.begin() + static_cast<std::ptrdiff_t>(wanted), probed.end());
      guess = probed[wanted];
    }
  }
  auto ranks = RanksBefore(piece, begin, end, guess, ctx);
  if (ranks.size() < most && guess < bound) ranks = RanksBefore(piece, begin, end, bound, ctx);
  if (ranks.size() > most) {
    std::nth_element(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(most), ranks.end());
    ranks.resize(most);
  }
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

void CopyRow(FeatureMatrix const& features, std::size_t row, CutSample::Row* to) {
  if (SparseTable const* sparse = features.Sparse()) {
    std::size_t const begin = sparse->row_begin[row], end = sparse->row_begin[row + 1];
    to->columns.assign(sparse->column.data() + begin, sparse->column.data() + end);
    to->values.assign(sparse->value.data() + begin, sparse->value.data() + end);
    return;
  }
  DenseTable const& table = *features.Dense();
  to->values.resize(table.columns);
  for (std::size_t column = 0; column < table.columns; ++column) to->values[column] = table.At(row, column);
}

// By columns, as that is how a sample is read.
FeatureMatrix JoinDense(Span<CutSample::Row const> rows, std::size_t columns, Context const& ctx) {
  constexpr std::size_t kLineRows = 16;  // a cache line of each column
  float* cells = nullptr;
  DenseTable table = NewTable(rows.size(), columns, &cells);
  table.row_stride = 1;
  table.column_stride = static_cast<std::ptrdiff_t>(rows.size());
  ParallelBlocks(ForWork(ctx, rows.size() * columns), rows.size(), kLineRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t column = 0; column < columns; ++column) {
      float* const to = cells + column * rows.size();
      for (std::size_t row = begin; row < end; ++row) to[row] = rows[row].values[column];
    }
  });
  return FeatureMatrix(std::move(table));
}

FeatureMatrix JoinSparse(Span<CutSample::Row const> rows, std::size_t columns) {
  SparseRows out;
  out.columns = columns;
  for (CutSample::Row const& row : rows) {
    bool const dense = row.columns.size() < row.values.size();
    for (std::size_t k = 0; k < row.values.size(); ++k) {
      if (std::isnan(row.values[k])) continue;
      out.column.push_back(dense ? static_cast<std::uint32_t>(k) : row.columns[k]);
      out.value.push_back(row.values[k]);
    }
    out.row_begin.push_back(out.column.size());
  }
  return FeatureMatrix(std::move(out));
}

}  // namespace

void CutSample::Push(RowPiece const& piece, Context const& ctx) {
  std::size_t const rows = piece.features.Rows();
  seen_rows_ += rows;
  for (std::size_t begin = 0; begin < rows; begin += kChunkRows) {
    Take(piece, begin, std::min(rows, begin + kChunkRows), ctx);
  }
}

void CutSample::Take(RowPiece const& piece, std::size_t begin, std::size_t end, Context const& ctx) {
  std::size_t const limit = seen_rows_ <= most_rows_ ? most_rows_ : sample_rows_;
  // One more than there is room for: it tells what was left out.
  auto const ranks = LowestRanks(piece, begin, end, bound_, limit + 1, ctx);
  std::vector<Row> merged(rows_.size() + ranks.size());
  auto old = rows_.begin();
  auto fresh = ranks.begin();
  std::vector<Row*> copied;
  for (Row& row : merged) {
    if (fresh == ranks.end() || (old != rows_.end() && old->rank < *fresh)) {
      row = std::move(*old++);
    } else {
      row.rank = *fresh++;
      row.weight = piece.Weight(row.rank.row - piece.first);
      copied.push_back(&row);
    }
  }
  if (merged.size() > limit) {
    bound_ = merged[limit].rank;
    copied.erase(std::find_if(copied.begin(), copied.end(), [&](Row const* row) { return !(row->rank < bound_); }),
                 copied.end());
    merged.resize(limit);
  }
  rows_ = std::move(merged);
  ParallelBlocks(ForWork(ctx, copied.size() * piece.features.Columns()), copied.size(), kCopiedRows,
                 [&](std::size_t from, std::size_t to) {
                   for (std::size_t i = from; i < to; ++i) {
                     CopyRow(piece.features, copied[i]->rank.row - piece.first, copied[i]);
                   }
                 });
}

void CutSample::Finish(std::size_t columns, Context const& ctx) {
  std::sort(rows_.begin(), rows_.end(), [](Row const& a, Row const& b) { return a.rank.row < b.rank.row; });
  auto const is_dense = [&](Row const& row) { return row.values.size() == columns; };
  bool const dense = std::all_of(rows_.begin(), rows_.end(), is_dense);
  cells_ = dense ? JoinDense(rows_, columns, ctx) : JoinSparse(rows_, columns);
  for (Row& row : rows_) {
    std::vector<std::uint32_t>().swap(row.columns);
    std::vector<float>().swap(row.values);
  }
}

}  // namespace xgbl
