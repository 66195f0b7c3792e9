// SPDX-License-Identifier: Apache-2.0
#include "predict/row_coder.h"

#include <algorithm>
#include <cstring>

#include "simd/serving_kernels.h"

namespace xgbl {

RowCoder::RowCoder(CodeBook const& book, RowSource const& source, std::size_t blocks, Context const& ctx)
    : book_(book),
      ctx_(ctx),
      blocks_(blocks),
      reader_(source, book.Used(), std::min(blocks, kPieceBlocks) * kCodeRows),
      codes_(blocks * book.BlockBytes()),
      label_codes_(std::min(blocks, kPieceBlocks) * book.LabelRuns() * kCodeRows),
      blank_((blocks + kPieceBlocks - 1) / kPieceBlocks * book.NumberColumns().size(), 0) {
  // Rows that do not come are coded, too, and walk with the others.
  std::memset(codes_.data(), 0, codes_.size());
}

void RowCoder::Read(std::size_t begin, std::size_t end) {
  constexpr std::size_t kPieceRows = kPieceBlocks * kCodeRows;
  for (std::size_t first = begin; first < end; first += kPieceRows) {
    reader_.Read(first, std::min(end, first + kPieceRows));
    CodePiece((first - begin) / kCodeRows);
  }
}

void RowCoder::CodePiece(std::size_t first_block) {
  CodeNumbers(first_block);
  if (book_.Pieces().empty()) return;
  for (auto const& column : book_.LabelColumns()) CodeLabel(column);
  CodeSets(first_block);
}

void RowCoder::CodeNumbers(std::size_t first_block) {
  auto const& kernels = ServingKernels::Of(ctx_.simd);
  std::uint8_t* const codes = codes_.data() + first_block * book_.BlockBytes();
  std::uint8_t* const blank = blank_.data() + first_block / kPieceBlocks * book_.NumberColumns().size();
  auto const& columns = book_.NumberColumns();
  RowReader::Run run;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    auto const& column = columns[i];
    if (i == 0 || columns[i - 1].used != column.used) run = reader_.RunOf(column.used);
    if (run.values == nullptr) {
      if (blank[i] == 0) Blank(column, codes);
      blank[i] = 1;
      continue;
    }
    blank[i] = 0;
    CodeTask task;
    task.values = run.values;
    task.missing = run.missing;
    task.rows = reader_.Rows();
    task.edges = book_.Edges(column).data();
    task.count = column.count;
    task.table = book_.Table(i);
    task.low = column.low == CodeBook::kNoCell ? nullptr : codes + column.low;
    task.high = column.high == CodeBook::kNoCell ? nullptr : codes + column.high;
    task.block_bytes = book_.BlockBytes();
    kernels.code_rows(task);
  }
}

// All blocks of a piece, as the next rows may be more.
void RowCoder::Blank(CodeBook::Numbers const& column, std::uint8_t* codes) {
  std::size_t const first = static_cast<std::size_t>(codes - codes_.data()) / book_.BlockBytes();
  for (std::size_t block = first; block < std::min(blocks_, first + kPieceBlocks); ++block) {
    std::uint8_t* const cells = codes_.data() + block * book_.BlockBytes();
    if (column.low != CodeBook::kNoCell) std::memset(cells + column.low, 0, kCodeRows);
    if (column.high != CodeBook::kNoCell) std::memset(cells + column.high, kMostEdges, kCodeRows);
  }
}

void RowCoder::CodeLabel(CodeBook::Labels const& column) {
  auto const run = reader_.RunOf(column.used);
  std::size_t const block_bytes = book_.LabelRuns() * kCodeRows;
  std::size_t const runs = column.Runs();
  for (std::size_t row = 0; row < reader_.Rows(); ++row) {
    float const value = run.values == nullptr ? kMissing : run.values[row];
    std::uint8_t* const codes = label_codes_.data() + row / kCodeRows * block_bytes + column.first_run * kCodeRows;
    std::size_t const lane = row % kCodeRows;
    for (std::size_t r = 0; r < runs; ++r) codes[r * kCodeRows + lane] = CodeBook::Labels::kOther;
    auto const found = column.CodeOf(value == run.missing ? kMissing : value);
    codes[found.run * kCodeRows + lane] = found.code;
  }
}

void RowCoder::CodeSets(std::size_t first_block) {
  auto const& kernels = ServingKernels::Of(ctx_.simd);
  std::size_t const blocks = (reader_.Rows() + kCodeRows - 1) / kCodeRows;
  for (std::size_t block = 0; block < blocks; ++block) {
    std::uint8_t* const cells = codes_.data() + (first_block + block) * book_.BlockBytes();
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
