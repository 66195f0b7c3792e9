// SPDX-License-Identifier: Apache-2.0
#include "bins/block_codes.h"

#include <cstring>

#include "base/error.h"

namespace xgbl {
namespace {

constexpr std::size_t kWordBytes = 4;

// Unused cells of a row are zero.
alignas(64) constexpr std::uint8_t kZeros[2 * BlockCodes::kRows] = {};

// The first cell goes to the lowest byte.
void JoinBytes(std::uint8_t const* const* from, std::size_t count, std::uint32_t* words) {
  std::uint8_t const *const a = from[0], *const b = from[1], *const c = from[2], *const d = from[3];
  for (std::size_t i = 0; i < count; ++i) {
    words[i] = a[i] | static_cast<std::uint32_t>(b[i]) << 8U | static_cast<std::uint32_t>(c[i]) << 16U |
               static_cast<std::uint32_t>(d[i]) << 24U;
  }
}

void JoinPairs(std::uint16_t const* a, std::uint16_t const* b, std::size_t count, std::uint32_t* words) {
  for (std::size_t i = 0; i < count; ++i) words[i] = a[i] | static_cast<std::uint32_t>(b[i]) << 16U;
}

// Writes rows of kWords words each; the words of a row stand BlockCodes::kRows apart.
template <std::size_t kWords>
void WriteRows(std::uint32_t const* words, std::size_t count, std::uint8_t* to) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t w = 0; w < kWords; ++w, to += kWordBytes)
      std::memcpy(to, words + w * BlockCodes::kRows + i, kWordBytes);
  }
}

}  // namespace

BlockCodes::BlockCodes(BinLayout const& layout, BinCells* cells)
    : layout_(layout),
      cells_(*cells),
      scratch_(cells->columns.empty() ? layout.slots.size() * 2 * BlockCodes::kRows : 0),
      columns_(layout.slots.size()),
      words_(BinTile::kMostRowBytes / kWordBytes * BlockCodes::kRows) {}

void BlockCodes::Start(std::size_t row, std::size_t count) {
  row_ = row;
  count_ = count;
  for (std::size_t slot = 0; slot < columns_.size(); ++slot) {
    columns_[slot] = cells_.columns.empty() ? scratch_.data() + slot * 2 * BlockCodes::kRows
                                            : cells_.columns[slot].data() + row * (Wide(slot) ? 2 : 1);
  }
}

void BlockCodes::Finish() {
  for (std::size_t tile = 0; tile < cells_.tiles.size(); ++tile) Interleave(tile);
}

void BlockCodes::Interleave(std::size_t t) {
  BinTile const& tile = layout_.tiles[t];
  std::size_t const word_cells = kWordBytes / tile.cell_bytes, words = tile.row_bytes / kWordBytes;
  for (std::size_t w = 0; w < words; ++w) {
    std::uint8_t const* from[kWordBytes];
    for (std::size_t i = 0; i < word_cells; ++i) {
      std::size_t const cell = w * word_cells + i;
      from[i] = cell < tile.slots ? columns_[tile.first_slot + cell] : kZeros;
    }
    std::uint32_t* const out = words_.data() + w * BlockCodes::kRows;
    if (tile.cell_bytes == 1) {
      JoinBytes(from, count_, out);
    } else {
      JoinPairs(reinterpret_cast<std::uint16_t const*>(from[0]), reinterpret_cast<std::uint16_t const*>(from[1]),
                count_, out);
    }
  }
  std::uint8_t* const to = cells_.tiles[t].data() + row_ * tile.row_bytes;
  if (words == 1) WriteRows<1>(words_.data(), count_, to);
  if (words == 2) WriteRows<2>(words_.data(), count_, to);
  if (words == 4) WriteRows<4>(words_.data(), count_, to);
  if (words == 8) WriteRows<8>(words_.data(), count_, to);
  if (words == 16) WriteRows<16>(words_.data(), count_, to);
  Ensure(words <= 16, "a tile has rows of ", words, " words");
}

}  // namespace xgbl
