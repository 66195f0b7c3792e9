// SPDX-License-Identifier: Apache-2.0
#include "hist/occupied_bins.h"

#include <algorithm>
#include <cstring>

#include "base/bits.h"
#include "base/error.h"

namespace xgbl {
namespace {

// So many cells are looked up and added in the time in which so many bins of a histogram are cleared, subtracted and
// scanned.
constexpr std::size_t kCells = 3, kBins = 8;
constexpr std::size_t kEnoughRows = 4096;

// And one for what is missing.
std::size_t MostBins(BinnedMatrix const& bins) {
  std::size_t most = 0;
  for (BinPlace const& place : bins.Layout().places) most = std::max<std::size_t>(most, place.bins);
  return most + 1;
}

template <class Cell, class BinOf>
void ReadCells(std::uint8_t const* cells, std::size_t row_bytes, Span<std::uint32_t const> rows, std::uint32_t* codes,
               std::uint64_t* marks, BinOf bin_of) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Cell cell;
    std::memcpy(&cell, cells + std::size_t{rows[i]} * row_bytes, sizeof(cell));
    std::uint32_t const code = bin_of(cell);
    codes[i] = code;
    marks[code / 64] |= std::uint64_t{1} << (code % 64);
  }
}

}  // namespace

std::size_t OccupiedBins::MostRows(BinnedMatrix const& bins) {
  for (std::size_t feature = 0; feature < bins.Columns(); ++feature) {
    BinPlace const& place = bins.Place(feature);
    if (place.Sparse() || bins.Layout().slots[place.slot].Bundle()) return 0;
  }
  std::size_t const columns = std::max<std::size_t>(bins.Columns(), 1);
  return std::min(bins.HistogramBins() * kCells / (kBins * columns), kEnoughRows);
}

OccupiedBins::OccupiedBins(BinnedMatrix const& bins, Span<PackedGradients const> outputs)
    : matrix_(bins),
      outputs_(outputs),
      most_rows_(MostRows(bins)),
      values_(outputs.size() * most_rows_),
      codes_(most_rows_),
      marks_(MostBins(bins) / 64 + 1),
      index_(MostBins(bins)),
      numbers_(most_rows_ + 1),
      sums_(outputs.size() * (most_rows_ + 1) + kCacheLine / sizeof(FixedSum)) {}

void OccupiedBins::SetRows(Span<std::uint32_t const> rows) {
  Ensure(rows.size() <= most_rows_, "a node of ", rows.size(), " rows is not small");
  rows_ = rows;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    for (std::size_t i = 0; i < rows.size(); ++i) values_[k * most_rows_ + i] = outputs_[k].Row(rows[i]);
  }
}

void OccupiedBins::Count(std::uint32_t feature) {
  ReadCodes(feature);
  marks_[0] |= 1;
  NumberBins();
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    FixedSum* const sums = sums_.data() + k * (most_rows_ + 1);
    FixedSum const* const values = values_.data() + k * most_rows_;
    std::fill_n(sums, count_, FixedSum{});
    for (std::size_t i = 0; i < rows_.size(); ++i) sums[index_[codes_[i]]] += values[i];
  }
  // What is missing has the greatest code.
  if (numbers_[count_ - 1] == matrix_.Place(feature).bins) --count_;
}

void OccupiedBins::ReadCodes(std::uint32_t feature) {
  BinPlace const& place = matrix_.Place(feature);
  BinSlot const& slot = matrix_.Layout().slots[place.slot];
  BinTile const& tile = matrix_.Tiles()[slot.tile];
  std::uint8_t const* const cells = tile.cells + std::size_t{place.slot - tile.first_slot} * tile.cell_bytes;
  auto const same = [](std::uint32_t code) { return code; };
  if (slot.Joint()) {
    std::uint8_t const* const bin_of = slot.bin_of.data() + place.offset;
    ReadCells<std::uint8_t>(cells, tile.row_bytes, rows_, codes_.data(), marks_.data(),
                            [=, width = slot.features.size()](std::uint32_t code) { return bin_of[code * width]; });
  } else if (tile.cell_bytes == 1) {
    ReadCells<std::uint8_t>(cells, tile.row_bytes, rows_, codes_.data(), marks_.data(), same);
  } else {
    ReadCells<std::uint16_t>(cells, tile.row_bytes, rows_, codes_.data(), marks_.data(), same);
  }
}

// Gives each marked code its place, and leaves no marks.
void OccupiedBins::NumberBins() {
  count_ = 0;
  for (std::size_t word = 0; word < marks_.size(); ++word) {
    for (std::uint64_t marks = marks_[word]; marks != 0; marks &= marks - 1) {
      auto const code = static_cast<std::uint32_t>(word * 64 + LowestBit(marks));
      index_[code] = static_cast<std::uint32_t>(count_);
      numbers_[count_++] = code;
    }
    marks_[word] = 0;
  }
}

}  // namespace xgbl
