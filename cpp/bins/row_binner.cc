// SPDX-License-Identifier: Apache-2.0
#include "bins/row_binner.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"

namespace xgbl {
namespace {

constexpr std::size_t kCodedRows = BlockCodes::kRows;
constexpr std::size_t kWordBytes = 4;
// Features that are laid out at a time: a cache line of a row.
constexpr std::size_t kGroup = 16;
// Sparse rows have a feature laid out by columns if it is present in at least one row of so many.
constexpr std::size_t kFrequent = 4;
constexpr std::uint32_t kNotFrequent = 0xFFFFFFFFU;

// Unused cells of a row are zero.
alignas(64) constexpr std::uint8_t kZeros[2 * kCodedRows] = {};

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

// Writes rows of kWords words each; the words of a row stand kCodedRows apart.
template <std::size_t kWords>
void WriteRows(std::uint32_t const* words, std::size_t count, std::uint8_t* to) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t w = 0; w < kWords; ++w, to += kWordBytes) std::memcpy(to, words + w * kCodedRows + i, kWordBytes);
  }
}

// Lays out some columns of a table: each takes kCodedRows values.
void LayOut(DenseTable const& table, std::size_t begin, std::size_t end, Span<std::uint32_t const> features,
            float* values) {
  for (std::size_t row = begin; row < end; ++row, ++values) {
    for (std::size_t i = 0; i < features.size(); ++i) values[i * kCodedRows] = table.At(row, features[i]);
  }
}

}  // namespace

BlockCodes::BlockCodes(BinLayout const& layout, BinCells* cells)
    : layout_(layout),
      cells_(*cells),
      scratch_(cells->columns.empty() ? layout.slots.size() * 2 * kCodedRows : 0),
      columns_(layout.slots.size()),
      words_(BinTile::kMostRowBytes / kWordBytes * kCodedRows) {}

void BlockCodes::Start(std::size_t row, std::size_t count) {
  row_ = row;
  count_ = count;
  for (std::size_t slot = 0; slot < columns_.size(); ++slot) {
    columns_[slot] = cells_.columns.empty() ? scratch_.data() + slot * 2 * kCodedRows
                                            : cells_.columns[slot].data() + row * (Wide(slot) ? 2 : 1);
  }
}

void BlockCodes::Finish() {
  for (std::size_t tile = 0; tile < layout_.tiles.size(); ++tile) Interleave(tile);
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
    std::uint32_t* const out = words_.data() + w * kCodedRows;
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
  values_.resize(std::max(kGroup, frequent_.size()) * kCodedRows);
  bins_.resize(kCodedRows);
}

void RowBinner::Bin(DenseTable const& table, std::size_t begin, std::size_t end, std::size_t to) {
  codes_.Start(to, end - begin);
  FillMissing(false);
  bool const as_it_lies = table.row_stride == 1 && std::isnan(table.missing);
  for (std::size_t first = 0; first < features_.size(); first += kGroup) {
    auto const group = Span<std::uint32_t const>(features_).Sub(first, std::min(kGroup, features_.size() - first));
    if (!as_it_lies) LayOut(table, begin, end, group, values_.data());
    for (std::size_t i = 0; i < group.size(); ++i) {
      float const* const column = table.data + static_cast<std::ptrdiff_t>(group[i]) * table.column_stride;
      BinColumn(group[i], as_it_lies ? column + begin : values_.data() + i * kCodedRows);
    }
  }
  codes_.Finish();
}

void RowBinner::Bin(SparseTable const& rows, std::size_t begin, std::size_t end, std::size_t to) {
  codes_.Start(to, end - begin);
  std::fill_n(values_.data(), frequent_.size() * kCodedRows, kMissing);
  FillMissing(true);
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t k = rows.row_begin[row]; k < rows.row_begin[row + 1]; ++k) {
      std::uint32_t const feature = rows.column[k], column = column_of_[feature];
      BinPlace const& place = layout_.places[feature];
      if (column != kNotFrequent) {
        values_[column * kCodedRows + row - begin] = rows.value[k];
      } else if (!place.Sparse()) {
        std::uint32_t const bin = cuts_.BinOf(feature, rows.value[k]);
        if (bin < place.bins) codes_.Put(place.slot, row - begin, place.offset + bin);
      }
    }
  }
  for (std::size_t i = 0; i < frequent_.size(); ++i) BinColumn(frequent_[i], values_.data() + i * kCodedRows);
  codes_.Finish();
}

// The slots that are not written column by column: bundles and, of sparse rows, those that are not frequent.
void RowBinner::FillMissing(bool sparse) {
  for (std::size_t slot = 0; slot < layout_.slots.size(); ++slot) {
    BinSlot const& own = layout_.slots[slot];
    if (own.Bundle() || (sparse && column_of_[own.features.front()] == kNotFrequent)) {
      codes_.Fill(slot, layout_.MissingCode(own));
    }
  }
}

void RowBinner::BinColumn(std::uint32_t feature, float const* values) {
  BinPlace const& place = layout_.places[feature];
  if (place.bins == 0) {
    std::fill_n(bins_.data(), codes_.Count(), std::uint16_t{0});
  } else {
    cuts_.BinsOf(feature, {values, codes_.Count()}, ctx_, bins_.data());
  }
  if (!layout_.slots[place.slot].Bundle()) return WriteColumn(place.slot, feature);
  for (std::size_t i = 0; i < codes_.Count(); ++i) {
    if (bins_[i] < place.bins) codes_.Put(place.slot, i, place.offset + bins_[i]);
  }
}

void RowBinner::WriteColumn(std::size_t slot, std::uint32_t feature) {
  std::uint32_t const codes = std::max<std::uint32_t>(1, layout_.slots[slot].codes);
  std::size_t const count = codes_.Count();
  std::uint16_t const* const bins = bins_.data();
  std::uint16_t last = 0;
  for (std::size_t i = 0; i < count; ++i) last = std::max(last, bins[i]);
  Require<DataError>(last < codes, "Feature ", feature,
                     " has missing cells where it had none when its cuts were made. Batches must ",
                     "be the same in every pass, and an array must not be changed while it is used.");
  codes_.WithColumn(slot, [&](auto* to) {
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::decay_t<decltype(*to)>>(bins[i]);
  });
}

}  // namespace xgbl
