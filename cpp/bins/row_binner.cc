// SPDX-License-Identifier: Apache-2.0
#include "bins/row_binner.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "cuts/edge_search.h"

namespace xgbl {
namespace {

constexpr std::size_t kBinRows = BlockCodes::kRows;
// Features that are laid out at a time: a cache line of a row.
constexpr std::size_t kGroup = 16;
// Sparse rows have a feature laid out by columns if it is present in at least one row of so many.
constexpr std::size_t kFrequent = 4;
constexpr std::uint32_t kNotFrequent = 0xFFFFFFFFU;

// Lays out some columns of a table: each takes kBinRows values.
void LayOut(DenseTable const& table, std::size_t begin, std::size_t end, Span<std::uint32_t const> features,
            float* values) {
  for (std::size_t row = begin; row < end; ++row, ++values) {
    for (std::size_t i = 0; i < features.size(); ++i) values[i * kBinRows] = table.At(row, features[i]);
  }
}

}  // namespace

std::uint32_t MissingCode(BinSlot const& slot, Cuts const& cuts) {
  return slot.Bundle() ? 0 : cuts.Bins(slot.features.front());
}

void ThrowUncounted(std::size_t feature) {
  throw DataError(Text("Feature ", feature,
                       " has missing cells where it had none when its cuts were made. Batches must ",
                       "be the same in every pass, and an array must not be changed while it is used."));
}

RowBinner::RowBinner(Cuts const& cuts, BinLayout const& layout, Span<std::size_t const> present, std::size_t rows,
                     BinCells* cells, Context const& ctx)
    : cuts_(cuts), layout_(layout), ctx_(ctx), codes_(layout, cells), column_of_(cuts.Columns(), kNotFrequent) {
  for (std::uint32_t feature = 0; feature < cuts.Columns(); ++feature) {
    BinPlace const& place = layout.places[feature];
    if (place.Sparse()) continue;
    features_.push_back(feature);
    if (present[feature] < rows / kFrequent || layout.slots[place.slot].Bundle()) continue;
    column_of_[feature] = static_cast<std::uint32_t>(frequent_.size());
    frequent_.push_back(feature);
  }
  values_.resize(std::max(kGroup, frequent_.size()) * kBinRows);
  bins_.resize(kBinRows);
}

void RowBinner::Bin(DenseTable const& table, std::size_t begin, std::size_t end, std::size_t to) {
  codes_.Start(to, end - begin);
  FillBundles();
  bool const as_it_lies = table.row_stride == 1 && std::isnan(table.missing);
  for (std::size_t first = 0; first < features_.size(); first += kGroup) {
    auto const group = Span<std::uint32_t const>(features_).Sub(first, std::min(kGroup, features_.size() - first));
    if (!as_it_lies) LayOut(table, begin, end, group, values_.data());
    for (std::size_t i = 0; i < group.size(); ++i) {
      float const* const column = table.data + static_cast<std::ptrdiff_t>(group[i]) * table.column_stride;
      BinColumn(group[i], as_it_lies ? column + begin : values_.data() + i * kBinRows);
    }
  }
  codes_.Finish();
}

void RowBinner::Bin(SparseTable const& rows, std::size_t begin, std::size_t end, std::size_t to) {
  codes_.Start(to, end - begin);
  std::fill_n(values_.data(), frequent_.size() * kBinRows, kMissing);
  for (std::size_t slot = 0; slot < layout_.slots.size(); ++slot) {
    bool const laid_out = column_of_[layout_.slots[slot].features.front()] != kNotFrequent;
    if (!laid_out) codes_.Fill(slot, MissingCode(layout_.slots[slot], cuts_));
  }
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t k = rows.row_begin[row]; k < rows.row_begin[row + 1]; ++k) {
      std::uint32_t const feature = rows.column[k], column = column_of_[feature];
      BinPlace const& place = layout_.places[feature];
      if (column != kNotFrequent) {
        values_[column * kBinRows + row - begin] = rows.value[k];
      } else if (!place.Sparse()) {
        std::uint32_t const bin = FindBin(cuts_, feature, rows.value[k]);
        if (bin < place.bins) codes_.Put(place.slot, row - begin, place.offset + bin);
      }
    }
  }
  for (std::size_t i = 0; i < frequent_.size(); ++i) BinColumn(frequent_[i], values_.data() + i * kBinRows);
  codes_.Finish();
}

void RowBinner::FillBundles() {
  for (std::size_t slot = 0; slot < layout_.slots.size(); ++slot) {
    if (layout_.slots[slot].Bundle()) codes_.Fill(slot, 0);
  }
}

void RowBinner::BinColumn(std::uint32_t feature, float const* values) {
  BinPlace const& place = layout_.places[feature];
  if (place.bins == 0) {
    std::fill_n(bins_.data(), codes_.Count(), std::uint16_t{0});
  } else {
    cuts_.BinsOf(feature, {values, codes_.Count()}, ctx_, bins_.data());
  }
  if (layout_.slots[place.slot].Bundle()) {
    Merge(place);
  } else {
    WriteColumn(place.slot, feature);
  }
}

void RowBinner::WriteColumn(std::size_t slot, std::uint32_t feature) {
  std::uint32_t const codes = std::max<std::uint32_t>(1, layout_.slots[slot].codes);
  std::size_t const count = codes_.Count();
  std::uint16_t const* const bins = bins_.data();
  std::uint16_t last = 0;
  for (std::size_t i = 0; i < count; ++i) last = std::max(last, bins[i]);
  if (last >= codes) ThrowUncounted(feature);
  if (codes_.Wide(slot)) {
    std::copy_n(bins, count, codes_.Column16(slot));
    return;
  }
  std::uint8_t* const to = codes_.Column8(slot);
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::uint8_t>(bins[i]);
}

void RowBinner::Merge(BinPlace const& place) {
  for (std::size_t i = 0; i < codes_.Count(); ++i) {
    if (bins_[i] < place.bins) codes_.Put(place.slot, i, place.offset + bins_[i]);
  }
}

}  // namespace xgbl
