// SPDX-License-Identifier: Apache-2.0
// The codes of one block of rows on their way into a binned matrix. They are written column by column, into the copy by
// columns if there is one, and then interleaved into the rows of the tiles. Each thread has its own; threads may write
// blocks of different rows at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "bins/bin_layout.h"
#include "parallel/buffer.h"

namespace xgbl {

/// The memory of a binned matrix.
struct BinCells {
  std::vector<Buffer<std::uint8_t>> tiles;    // by tile
  std::vector<Buffer<std::uint8_t>> columns;  // by slot; empty if there is no copy by columns
};

class BlockCodes {
 public:
  /// The most rows of a block: so few that a group of its columns stays in the innermost cache.
  static constexpr std::size_t kRows = 512;

  /// Both must outlive the block.
  BlockCodes(BinLayout const& layout, BinCells* cells);

  /// The rows from `row` on are written next.
  void Start(std::size_t row, std::size_t count);
  std::size_t Count() const { return count_; }
  /// Where the codes of a slot of this width in bytes go.
  std::uint8_t* Column8(std::size_t slot) { return columns_[slot]; }
  std::uint16_t* Column16(std::size_t slot) { return reinterpret_cast<std::uint16_t*>(columns_[slot]); }
  bool Wide(std::size_t slot) const { return layout_.tiles[layout_.slots[slot].tile].cell_bytes == 2; }

  void Fill(std::size_t slot, std::uint32_t code);
  void Put(std::size_t slot, std::size_t i, std::uint32_t code) {
    if (Wide(slot)) {
      Column16(slot)[i] = static_cast<std::uint16_t>(code);
    } else {
      Column8(slot)[i] = static_cast<std::uint8_t>(code);
    }
  }

  /// All slots are written: fills the tiles.
  void Finish();

 private:
  void Interleave(std::size_t tile);

  BinLayout const& layout_;
  BinCells& cells_;
  Buffer<std::uint8_t> scratch_;        // stands in for the column copy
  std::vector<std::uint8_t*> columns_;  // by slot: the block's codes
  std::vector<std::uint32_t> words_;    // four bytes of each row, for each such part of a row
  std::size_t row_ = 0;
  std::size_t count_ = 0;
};

}  // namespace xgbl
