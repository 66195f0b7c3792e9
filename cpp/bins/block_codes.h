// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "bins/bin_layout.h"
#include "parallel/buffer.h"

namespace xgbl {

/// The codes of one block of rows on their way into a binned matrix. They are written column by column, into the copy
/// by columns if there is one, and then interleaved into the rows of the tiles. Threads may write blocks of different
/// rows at the same time.
class BlockCodes {
 public:
  /// The most rows of a block: so few that a group of its columns stays in the innermost cache.
  static constexpr std::size_t kRows = 512;

  /// Both must outlive the block.
  BlockCodes(BinLayout const& layout, BinCells* cells);

  /// The rows from `row` on are written next.
  void Start(std::size_t row, std::size_t count);
  std::size_t Count() const { return count_; }
  /// Calls `body(to)` with where the codes of a slot go, which are one or two bytes wide.
  template <class Body>
  void WithColumn(std::size_t slot, Body&& body) {
    Wide(slot) ? body(reinterpret_cast<std::uint16_t*>(columns_[slot])) : body(columns_[slot]);
  }
  void Fill(std::size_t slot, std::uint32_t code) {
    WithColumn(slot, [&](auto* to) { std::fill_n(to, count_, static_cast<std::decay_t<decltype(*to)>>(code)); });
  }
  void Put(std::size_t slot, std::size_t i, std::uint32_t code) {
    WithColumn(slot, [&](auto* to) { to[i] = static_cast<std::decay_t<decltype(*to)>>(code); });
  }

  /// All slots are written: fills the tiles that are there.
  void Finish();

 private:
  bool Wide(std::size_t slot) const { return layout_.tiles[layout_.slots[slot].tile].cell_bytes == 2; }
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
