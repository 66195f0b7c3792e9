// SPDX-License-Identifier: Apache-2.0
// A matrix of bin codes, the layout of histogram training. Features are placed in slots; a slot has one code per row,
// one or two bytes wide. A slot holds one feature, or several: some that never occur in the same row (bundling.cc), or
// some of few bins, of which few combinations occur (joint_codes.h). BinLayout::BinIn() tells a feature's bin by the
// code of its slot. Slots of the same kind form tiles: row-major, each row padded and aligned to a power of two, so
// that it never straddles a cache line. Features with few or no cells that fit no bundle are stored as sparse rows
// instead. Immutable once built, and equal for any number of threads. Rows that came in batches have the same bins but
// no bundles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "base/bits.h"
#include "base/span.h"
#include "bins/bin_layout.h"
#include "cuts/cuts.h"
#include "ingest/feature_matrix.h"
#include "parallel/buffer.h"

namespace xgbl {

/// Present cells of the features that have no slot: their bins as places in a node's histogram, rising within a row.
struct SparseBins {
  Buffer<std::size_t> row_begin;  // rows + 1; empty if no sparse feature has a present cell
  Buffer<std::uint32_t> bin;
  bool empty() const { return row_begin.empty(); }
};

class BinnedMatrix final : public BinnedFeatures {
 public:
  std::size_t Rows() const override { return rows_; }
  std::size_t Columns() const override { return layout_.places.size(); }
  float At(std::size_t row, std::size_t column) const override;
  void Read(std::size_t row, RowCells* cells) const override;
  Cuts const& GetCuts() const { return *cuts_; }
  std::shared_ptr<Cuts const> SharedCuts() const { return cuts_; }
  BinPlace const& Place(std::size_t feature) const { return layout_.places[feature]; }
  Span<BinTile const> Tiles() const { return layout_.tiles; }
  SparseBins const& Sparse() const { return sparse_; }
  /// Cells of a feature that are not missing.
  std::size_t Present(std::size_t feature) const { return present_[feature]; }

  /// Bins of a node's histogram: those of all tiles, then those of the sparse features.
  std::uint32_t HistogramBins() const { return layout_.histogram_bins; }
  /// The first histogram bin of each slot.
  Span<std::uint32_t const> SlotHistogram() const { return layout_.slot_histogram; }
  BinLayout const& Layout() const { return layout_; }

  /// The codes of one slot, row by row, if there is a copy by columns; nullptr if not, or if the width differs.
  std::uint8_t const* Column8(std::size_t slot) const { return Column(slot, 1); }
  std::uint16_t const* Column16(std::size_t slot) const {
    return reinterpret_cast<std::uint16_t const*>(Column(slot, 2));
  }

  std::uint32_t CodeOf(std::size_t row, std::size_t slot) const;
  /// The bin of a feature in a row; Place(feature).bins if it is missing.
  std::uint32_t BinOf(std::size_t row, std::size_t feature) const;
  /// Calls `visit(feature, bin)` for each present cell of a row: slot by slot, then the sparse ones.
  template <class Visit>
  void ForEachPresent(std::size_t row, Visit&& visit) const {
    for (std::size_t slot = 0; slot < layout_.slots.size(); ++slot) {
      BinSlot const& own = layout_.slots[slot];
      std::uint32_t const code = CodeOf(row, slot);
      auto const look = [&](std::uint32_t feature) {
        std::uint32_t const bin = layout_.BinIn(Place(feature), code);
        if (bin < Place(feature).bins) visit(feature, bin);
      };
      if (own.Joint()) {
        std::for_each(own.features.begin(), own.features.end(), look);
      } else {
        look(SlotFeature(slot, code));
      }
    }
    if (sparse_.empty()) return;
    for (std::size_t k = sparse_.row_begin[row]; k < sparse_.row_begin[row + 1]; ++k) {
      std::uint32_t const feature = SparseFeature(sparse_.bin[k]);
      visit(feature, sparse_.bin[k] - Place(feature).histogram);
    }
  }

  /// The feature of a histogram bin of the sparse rows.
  std::uint32_t SparseFeature(std::uint32_t bin) const;

 private:
  friend class BinnedMatrixBuilder;

  std::uint32_t SlotFeature(std::size_t slot, std::uint32_t code) const;
  std::uint8_t const* Column(std::size_t slot, std::uint32_t cell_bytes) const;

  std::size_t rows_ = 0;
  std::shared_ptr<Cuts const> cuts_;
  BinLayout layout_;
  std::vector<std::size_t> present_;
  BinCells cells_;
  SparseBins sparse_;
};

/// The codes of a feature's slot, row by row. If it has its own: its bins, and their number where it is missing.
class CodeColumn {
 public:
  CodeColumn(BinnedMatrix const& bins, std::uint32_t feature);
  /// `stride`: bytes from code to code.
  CodeColumn(std::uint8_t const* codes, std::size_t stride, bool wide) : codes_(codes), stride_(stride), wide_(wide) {}
  std::uint32_t At(std::size_t row) const {
    std::uint8_t const* const code = codes_ + row * stride_;
    return wide_ ? Read<std::uint16_t>(code) : *code;
  }
  void PrefetchRow(std::size_t row) const { Prefetch(codes_ + row * stride_); }

  /// Calls `body(codes)` with an object that has the two functions above. It also knows the distance of codes that have
  /// their own array.
  template <class Body>
  void Visit(Body&& body) const {
    if (stride_ == (wide_ ? 2 : 1)) {
      wide_ ? body(Array<std::uint16_t>{codes_}) : body(Array<std::uint8_t>{codes_});
    } else {
      body(*this);
    }
  }

 private:
  template <class Code>
  static std::uint32_t Read(std::uint8_t const* from) {
    Code code;
    std::memcpy(&code, from, sizeof(Code));
    return code;
  }
  template <class Code>
  struct Array {
    std::uint8_t const* codes;
    std::uint32_t At(std::size_t row) const { return Read<Code>(codes + row * sizeof(Code)); }
    void PrefetchRow(std::size_t row) const { Prefetch(codes + row * sizeof(Code)); }
  };

  std::uint8_t const* codes_;
  std::size_t stride_;
  bool wide_;
};

}  // namespace xgbl
