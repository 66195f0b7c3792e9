// SPDX-License-Identifier: Apache-2.0
#include "base/bits.h"
#include "base/error.h"
#include "hist/histogram_scan.h"

namespace xgbl {

bool OccupiedBins::CanTell(BinnedMatrix const& bins) {
  for (std::size_t feature = 0; feature < bins.Columns(); ++feature) {
    BinPlace const& place = bins.Place(feature);
    if (place.Sparse() || bins.GetCuts().categorical[feature] != 0) return false;
    BinSlot const& slot = bins.Layout().slots[place.slot];
    if (slot.Bundle() || slot.codes > kMostByteCodes) return false;
  }
  return true;
}

OccupiedBins::OccupiedBins(BinnedMatrix const& bins, Span<PackedGradients const> outputs)
    : matrix_(bins),
      outputs_(outputs),
      values_(outputs.size() * kMostRows),
      bins_(outputs.size() * kMostByteCodes),
      sums_(outputs.size() * (kMostRows + 1)) {}

void OccupiedBins::SetRows(Span<std::uint32_t const> rows) {
  Ensure(rows.size() <= kMostRows, "a node of ", rows.size(), " rows is not small");
  rows_ = rows;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    for (std::size_t i = 0; i < rows.size(); ++i) values_[k * kMostRows + i] = outputs_[k].Row(rows[i]);
  }
}

void OccupiedBins::Count(std::uint32_t feature) {
  Marks marks = AddRows(feature);
  marks[0] |= 1;
  std::uint32_t const missing = matrix_.Place(feature).bins;
  if (missing < kMostByteCodes) {
    marks[missing / 64] &= ~(std::uint64_t{1} << (missing % 64));
    for (std::size_t k = 0; k < outputs_.size(); ++k) bins_[k * kMostByteCodes + missing] = {};
  }
  TakeOut(marks);
}

// Gives a bit for each code that was met.
OccupiedBins::Marks OccupiedBins::AddRows(std::uint32_t feature) {
  std::uint32_t const slot = matrix_.Place(feature).slot;
  BinTile const& tile = matrix_.Tiles()[matrix_.Layout().slots[slot].tile];
  std::uint8_t const* const cells = tile.cells + (slot - tile.first_slot);
  Marks marks{};
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    FixedSum* const bins = bins_.data() + k * kMostByteCodes;
    FixedSum const* const values = values_.data() + k * kMostRows;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      std::size_t const code = cells[std::size_t{rows_[i]} * tile.row_bytes];
      bins[code] += values[i];
      marks[code / 64] |= std::uint64_t{1} << (code % 64);
    }
  }
  return marks;
}

// Moves the marked bins together, and leaves zeros.
void OccupiedBins::TakeOut(Marks marks) {
  count_ = 0;
  for (std::size_t word = 0; word < kWords; ++word) {
    for (; marks[word] != 0; marks[word] &= marks[word] - 1) {
      numbers_[count_++] = static_cast<std::uint32_t>(word * 64 + LowestBit(marks[word]));
    }
  }
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    FixedSum* const bins = bins_.data() + k * kMostByteCodes;
    FixedSum* const sums = sums_.data() + k * (kMostRows + 1);
    for (std::size_t i = 0; i < count_; ++i) {
      sums[i] = bins[numbers_[i]];
      bins[numbers_[i]] = {};
    }
  }
}

}  // namespace xgbl
