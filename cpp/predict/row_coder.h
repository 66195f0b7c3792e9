// SPDX-License-Identifier: Apache-2.0
// Turns rows into the codes of a CodeBook, some blocks at a time. One coder per thread. Rows are read in pieces whose
// values stay in the innermost cache. Features that no row of a piece has cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "parallel/buffer.h"
#include "predict/code_book.h"
#include "predict/row_reader.h"

namespace xgbl {

class RowCoder {
 public:
  /// `blocks`: at most so many at once.
  RowCoder(CodeBook const& book, RowSource const& source, std::size_t blocks, Context const& ctx);

  /// Codes rows [begin, end); valid until the next call.
  void Read(std::size_t begin, std::size_t end);
  std::uint8_t const* Codes() const { return codes_.data(); }

 private:
  static constexpr std::size_t kPieceBlocks = 4;

  void CodePiece(std::size_t first_block);
  void CodeNumbers(std::size_t first_block);
  void Blank(CodeBook::Numbers const& column, std::uint8_t* codes);
  void CodeLabel(CodeBook::Labels const& column);
  void CodeSets(std::size_t first_block);

  CodeBook const& book_;
  Context const& ctx_;
  std::size_t blocks_;
  RowReader reader_;
  Buffer<std::uint8_t> codes_;
  std::vector<std::uint8_t> label_codes_;  // by block of a piece and run of labels
  std::vector<std::uint8_t> blank_;        // by piece and column of numbers: all rows are missing, and say so
};

}  // namespace xgbl
