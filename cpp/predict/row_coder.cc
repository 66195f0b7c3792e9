// SPDX-License-Identifier: Apache-2.0
#include "predict/row_coder.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "simd/kernels.h"

namespace xgbl {

RowCoder::RowCoder(CodeBook const& book, FeatureMatrix const& features, std::size_t blocks, Context const& ctx)
    : book_(book),
      features_(features),
      ctx_(ctx),
      blocks_(blocks),
      codes_(blocks * book.BlockBytes()),
      label_codes_(blocks * book.LabelRuns() * kCodeRows),
      blank_(book.NumberColumns().size(), 0) {
  // Rows that do not come are coded, too, and walk with the others.
  std::memset(codes_.data(), 0, codes_.size());
  std::size_t const rows = blocks * kCodeRows;
  if (features.Sparse() != nullptr) {
    values_.assign(book.Used().size() * rows, kMissing);
    touched_.resize(book.Used().size());
  } else if (features.Binned() != nullptr) {
    values_.resize(rows);
  }
}

void RowCoder::Read(std::size_t begin, std::size_t end) {
  rows_ = end - begin;
  if (SparseRows const* rows = features_.Sparse()) ScatterSparse(*rows, begin);
  CodeNumbers(begin);
  if (book_.Pieces().empty()) return;
  CodeLabels(begin);
  CodeSets();
}

void RowCoder::ScatterSparse(SparseRows const& rows, std::size_t begin) {
  for (std::size_t const place : present_) values_[place] = kMissing;
  present_.clear();
  std::fill(touched_.begin(), touched_.end(), std::uint8_t{0});
  auto const& used = book_.Used();
  std::size_t const width = blocks_ * kCodeRows;
  for (std::size_t row = 0; row < rows_; ++row) {
    std::size_t at = 0;
    for (std::size_t k = rows.row_begin[begin + row]; k < rows.row_begin[begin + row + 1]; ++k) {
      std::uint32_t const column = rows.column[k];
      if (at < used.size() && used[at] < column) {
        at = static_cast<std::size_t>(
            std::lower_bound(used.begin() + static_cast<std::ptrdiff_t>(at) + 1, used.end(), column) - used.begin());
      }
      if (at == used.size()) break;
      if (used[at] != column) continue;
      values_[at * width + row] = rows.value[k];
      present_.push_back(at * width + row);
      touched_[at++] = 1;
    }
  }
}

RowCoder::Run RowCoder::RunOf(std::uint32_t used, std::size_t begin) {
  std::uint32_t const feature = book_.Used()[used];
  if (DenseTable const* table = features_.Dense()) {
    auto const offset = static_cast<std::ptrdiff_t>(begin) * table->row_stride +
                        static_cast<std::ptrdiff_t>(feature) * table->column_stride;
    return {table->data + offset, table->row_stride, table->missing};
  }
  if (features_.Sparse() != nullptr) {
    return {touched_[used] != 0 ? values_.data() + used * blocks_ * kCodeRows : nullptr, 1, kMissing};
  }
  for (std::size_t i = 0; i < rows_; ++i) values_[i] = features_.Binned()->At(begin + i, feature);
  return {values_.data(), 1, kMissing};
}

void RowCoder::CodeNumbers(std::size_t begin) {
  auto const& kernels = Simd(ctx_);
  auto const& columns = book_.NumberColumns();
  Run run;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    auto const& column = columns[i];
    if (i == 0 || columns[i - 1].used != column.used) run = RunOf(column.used, begin);
    if (run.values == nullptr) {
      if (blank_[i] == 0) Blank(column);
      blank_[i] = 1;
      continue;
    }
    blank_[i] = 0;
    CodeTask task;
    task.values = run.values;
    task.stride = run.stride;
    task.missing = run.missing;
    task.rows = rows_;
    task.edges = book_.Edges(column).data();
    task.count = column.count;
    task.table = book_.Table(i);
    task.low = column.low == CodeBook::kNoCell ? nullptr : codes_.data() + column.low;
    task.high = column.high == CodeBook::kNoCell ? nullptr : codes_.data() + column.high;
    task.block_bytes = book_.BlockBytes();
    kernels.code_rows(task);
  }
}

// All blocks, as the next rows may be more.
void RowCoder::Blank(CodeBook::Numbers const& column) {
  for (std::size_t block = 0; block < blocks_; ++block) {
    std::uint8_t* const cells = codes_.data() + block * book_.BlockBytes();
    if (column.low != CodeBook::kNoCell) std::memset(cells + column.low, 0, kCodeRows);
    if (column.high != CodeBook::kNoCell) std::memset(cells + column.high, kMostEdges, kCodeRows);
  }
}

void RowCoder::CodeLabels(std::size_t begin) {
  for (auto const& column : book_.LabelColumns()) CodeLabel(column, RunOf(column.used, begin));
}

void RowCoder::CodeLabel(CodeBook::Labels const& column, Run const& run) {
  using Labels = CodeBook::Labels;
  std::size_t const block_bytes = book_.LabelRuns() * kCodeRows;
  std::size_t const runs = column.Runs();
  for (std::size_t row = 0; row < rows_; ++row) {
    float const value = run.values == nullptr ? kMissing : run.values[static_cast<std::ptrdiff_t>(row) * run.stride];
    std::uint8_t* const codes = label_codes_.data() + row / kCodeRows * block_bytes + column.first_run * kCodeRows;
    std::size_t const lane = row % kCodeRows;
    for (std::size_t r = 0; r < runs; ++r) codes[r * kCodeRows + lane] = Labels::kOther;
    if (std::isnan(value) || value == run.missing) {
      codes[lane] = Labels::kMissingCode;
      continue;
    }
    std::size_t const place = column.PlaceOf(value);
    if (place == column.categories.size()) continue;
    codes[place / Labels::kRun * kCodeRows + lane] = static_cast<std::uint8_t>(place % Labels::kRun);
  }
}

void RowCoder::CodeSets() {
  auto const& kernels = Simd(ctx_);
  std::size_t const blocks = (rows_ + kCodeRows - 1) / kCodeRows;
  for (std::size_t block = 0; block < blocks; ++block) {
    std::uint8_t* const cells = codes_.data() + block * book_.BlockBytes();
    std::uint8_t const* const labels = label_codes_.data() + block * book_.LabelRuns() * kCodeRows;
    std::uint32_t last = CodeBook::kNoCell;
    for (auto const& piece : book_.Pieces()) {
      if (piece.cell != last) std::memset(cells + piece.cell, 0, kCodeRows);
      last = piece.cell;
      kernels.add_code_set({labels + piece.run * kCodeRows, piece.bits.data(), cells + piece.cell});
    }
  }
}

}  // namespace xgbl
