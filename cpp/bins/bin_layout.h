// SPDX-License-Identifier: Apache-2.0
// Decides where each feature of a binned matrix goes, and how its bins are numbered in a node's histogram. Depends only
// on the cuts, the number of rows, the number of cells of each feature, the bundles, and what joint codes were found.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "bins/joint_codes.h"
#include "cuts/cuts.h"
#include "ingest/feature_matrix.h"
#include "parallel/buffer.h"

namespace xgbl {

/// Where a feature's bins are.
struct BinPlace {
  static constexpr std::uint32_t kSparse = 0xFFFFFFFFU;

  std::uint32_t slot = kSparse;  // kSparse: in the sparse rows
  std::uint32_t offset = 0;      // its first code in the slot; its number among the features of a joint one
  std::uint32_t bins = 0;
  std::uint32_t histogram = 0;  // its first bin in a node's histogram

  bool Sparse() const { return slot == kSparse; }
};

/// Up to 32 slots of one or two bytes, row after row.
struct BinTile {
  static constexpr std::size_t kMostSlots = 32, kMostRowBytes = 64;
  // A little more than powers of two: there is room for what is missing, which must not lie in the same set of the
  // cache in all slots.
  static constexpr std::array<std::uint32_t, 2> kPairStrides{512 + 8, 1024 + 8};

  std::uint32_t first_slot = 0;
  std::uint32_t slots = 0;
  std::uint32_t cell_bytes = 1;  // 1 or 2
  std::uint32_t row_bytes = 0;   // 4, 8, 16, 32 or 64
  // Bins from slot to slot in the histogram: 16, 64, 128 or 256 of one byte, one of kPairStrides of two; 0 where they
  // vary.
  std::uint32_t bin_stride = 0;
  std::uint32_t histogram_begin = 0;  // of its first slot
  std::uint32_t histogram_bins = 0;   // of all its slots
  std::uint8_t const* cells = nullptr;

  std::uint8_t const* Row(std::size_t row) const { return cells + row * row_bytes; }
};

/// One code per row: a feature's bins from 0, then the code for missing; or, for a bundle of features that exclude one
/// another, 0 for none of them, then the bins of each; or a joint code, which numbers the combinations of bins that
/// occur (joint_codes.h).
struct BinSlot {
  std::vector<std::uint32_t> features;
  std::uint32_t codes = 0;
  std::uint32_t tile = 0;
  std::vector<std::uint8_t> bin_of;  // of joint codes, the bins of all features for each; else empty

  bool Joint() const { return !bin_of.empty(); }
  bool Bundle() const { return features.size() > 1 && !Joint(); }
};

struct BinLayout {
  std::vector<BinPlace> places;  // by feature
  std::vector<BinSlot> slots;
  std::vector<BinTile> tiles;  // PlanLayout() leaves `cells` empty; whoever holds the codes sets it
  std::vector<std::uint32_t> slot_histogram;
  std::vector<std::uint32_t> sparse_features;  // rising
  std::uint32_t histogram_bins = 0;

  /// The code of a slot where no feature of it is present, unless it has joint codes.
  std::uint32_t MissingCode(BinSlot const& slot) const {
    return slot.Bundle() ? 0 : places[slot.features.front()].bins;
  }
  /// The bin of a feature by its slot's code; as many as it has bins where it is missing.
  std::uint32_t BinIn(BinPlace const& place, std::uint32_t code) const {
    BinSlot const& slot = slots[place.slot];
    if (slot.Joint()) return slot.bin_of[code * slot.features.size() + place.offset];
    return std::min(code - place.offset, place.bins);  // codes before `offset` wrap around to large ones
  }
};

/// The memory of a binned matrix.
struct BinCells {
  std::vector<Buffer<std::uint8_t>> tiles;    // by tile
  std::vector<Buffer<std::uint8_t>> columns;  // by slot; empty if there is no copy by columns
};

/// The features of each bundle, rising; at least two.
using Bundles = std::vector<std::vector<std::uint32_t>>;

/// The most codes of a slot, and of one that is a byte wide.
constexpr std::size_t kMostCodes = std::size_t{1} << 16U;
constexpr std::size_t kMostByteCodes = std::size_t{1} << 8U;

/// `present`: the cells of each feature that are not missing, of `rows`.
BinLayout PlanLayout(Cuts const& cuts, std::size_t rows, Span<std::size_t const> present, Bundles const& bundles);

/// The same with joint slots in place of some: the columns of `joints` are slots of `plain`, by number.
BinLayout JoinedLayout(Cuts const& cuts, std::size_t rows, BinLayout const& plain,
                       std::vector<JointColumn> const& joints);

/// The same for fewer cuts; each of them is one of `fine_cuts`. Joint codes stay what they are.
BinLayout CoarserLayout(Cuts const& cuts, std::size_t rows, Span<std::size_t const> present, BinLayout const& fine,
                        Cuts const& fine_cuts);

/// Bundles of features that are missing somewhere, by `present`, and never occur in the same row; none if too few fit
/// together. The same for any number of threads.
Bundles FindBundles(FeatureMatrix const& features, Cuts const& cuts, Span<std::size_t const> present,
                    Context const& ctx);

}  // namespace xgbl
