// SPDX-License-Identifier: Apache-2.0
#include "bins/binned_matrix.h"

#include <algorithm>

namespace xgbl {
namespace {

// The last feature of a list whose first code or bin, rising along the list, is not above `place`; the first if all
// are.
template <class First>
std::uint32_t OwnerOf(std::vector<std::uint32_t> const& features, std::uint32_t place, First const& first) {
  auto const after = std::upper_bound(features.begin(), features.end(), place,
                                      [&](std::uint32_t at, std::uint32_t feature) { return at < first(feature); });
  return after == features.begin() ? *after : *(after - 1);
}

}  // namespace

std::uint8_t const* BinnedMatrix::Column(std::size_t slot, std::uint32_t cell_bytes) const {
  bool const there = !cells_.columns.empty() && layout_.tiles[layout_.slots[slot].tile].cell_bytes == cell_bytes;
  return there ? cells_.columns[slot].data() : nullptr;
}

std::uint32_t BinnedMatrix::CodeOf(std::size_t row, std::size_t slot) const {
  BinTile const& tile = layout_.tiles[layout_.slots[slot].tile];
  std::uint8_t const* const cell = tile.Row(row) + (slot - tile.first_slot) * tile.cell_bytes;
  if (tile.cell_bytes == 1) return *cell;
  std::uint16_t code = 0;
  std::memcpy(&code, cell, sizeof(code));
  return code;
}

std::uint32_t BinnedMatrix::BinOf(std::size_t row, std::size_t feature) const {
  BinPlace const& place = layout_.places[feature];
  if (!place.Sparse()) return layout_.BinIn(place, CodeOf(row, place.slot));
  if (sparse_.empty()) return place.bins;
  std::uint32_t const* const begin = sparse_.bin.data() + sparse_.row_begin[row];
  std::uint32_t const* const end = sparse_.bin.data() + sparse_.row_begin[row + 1];
  std::uint32_t const* const found = std::lower_bound(begin, end, place.histogram);
  return found == end ? place.bins : std::min(*found - place.histogram, place.bins);
}

float BinnedMatrix::At(std::size_t row, std::size_t column) const {
  std::uint32_t const bin = BinOf(row, column);
  return bin < Place(column).bins ? cuts_->ValueOf(column, bin) : kMissing;
}

void BinnedMatrix::Read(std::size_t row, RowCells* cells) const {
  cells->clear();
  ForEachPresent(row, [&](std::uint32_t feature, std::uint32_t bin) {
    cells->emplace_back(feature, cuts_->ValueOf(feature, bin));
  });
  std::sort(cells->begin(), cells->end(), [](auto const& a, auto const& b) { return a.first < b.first; });
}

std::uint32_t BinnedMatrix::SlotFeature(std::size_t slot, std::uint32_t code) const {
  return OwnerOf(layout_.slots[slot].features, code, [&](std::uint32_t f) { return Place(f).offset; });
}

std::uint32_t BinnedMatrix::SparseFeature(std::uint32_t bin) const {
  return OwnerOf(layout_.sparse_features, bin, [&](std::uint32_t f) { return Place(f).histogram; });
}

CodeColumn::CodeColumn(BinnedMatrix const& bins, std::uint32_t feature) {
  std::uint32_t const slot = bins.Place(feature).slot;
  BinTile const& tile = bins.Tiles()[bins.Layout().slots[slot].tile];
  wide_ = tile.cell_bytes == 2;
  std::uint8_t const* const column =
      wide_ ? reinterpret_cast<std::uint8_t const*>(bins.Column16(slot)) : bins.Column8(slot);
  codes_ = column != nullptr ? column : tile.cells + std::size_t{slot - tile.first_slot} * tile.cell_bytes;
  stride_ = column != nullptr ? tile.cell_bytes : tile.row_bytes;
}

}  // namespace xgbl
