// SPDX-License-Identifier: Apache-2.0
#include "bins/bin_layout.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"

namespace xgbl {
namespace {

using Slots = std::vector<BinSlot>;

// A histogram update of a sparse cell takes as long as this many of a slot.
constexpr double kSparseCellCost = 2.5;
// Slots with cells in fewer rows may go to the sparse rows,
constexpr double kSparseShare = 0.125;
// but only if that saves so many updates a row: finding a cell there takes a search.
constexpr double kWorthSparseRows = 64;

constexpr std::uint32_t kTwoByteRounding = 8;
constexpr std::size_t kFewRows = 8192;

// A category that the cuts do not have is missing, too, and may turn up in a later piece.
bool MayBeMissing(Cuts const& cuts, std::uint32_t feature, std::size_t rows, std::size_t present) {
  return present < rows || cuts.categorical[feature] != 0;
}

std::uint32_t CodesOf(Cuts const& cuts, std::uint32_t feature, std::size_t rows, std::size_t present) {
  return cuts.Bins(feature) + (MayBeMissing(cuts, feature, rows, present) ? 1 : 0);
}

bool IsBefore(BinSlot const& a, BinSlot const& b) { return a.features.front() < b.features.front(); }

// One candidate for each bundle and each other feature, by their first feature.
Slots PossibleSlots(Cuts const& cuts, std::size_t rows, Span<std::size_t const> present, Bundles const& bundles) {
  Slots slots;
  std::vector<std::uint8_t> bundled(cuts.Columns());
  for (auto const& features : bundles) {
    BinSlot slot{features, 1, 0, {}};
    for (std::uint32_t const feature : features) {
      bundled[feature] = 1;
      slot.codes += cuts.Bins(feature);
    }
    slots.push_back(std::move(slot));
  }
  for (std::uint32_t feature = 0; feature < cuts.Columns(); ++feature) {
    if (bundled[feature] != 0) continue;
    slots.push_back({{feature}, CodesOf(cuts, feature, rows, present[feature]), 0, {}});
  }
  std::sort(slots.begin(), slots.end(), IsBefore);
  return slots;
}

// Moves what is better kept as sparse rows, or fits no slot, to `sparse_features`.
void TakeSparse(std::size_t rows, Span<std::size_t const> present, Slots* slots, std::vector<std::uint32_t>* sparse) {
  auto const cells = [&](BinSlot const& slot) {
    double sum = 0;
    for (std::uint32_t const feature : slot.features) sum += static_cast<double>(present[feature]);
    return sum;
  };
  auto const all_rows = static_cast<double>(rows);
  double saved = 0;
  for (BinSlot const& slot : *slots) {
    if (cells(slot) < kSparseShare * all_rows) saved += all_rows - kSparseCellCost * cells(slot);
  }
  bool const worth_it = saved > kWorthSparseRows * all_rows;
  Slots kept;
  for (BinSlot& slot : *slots) {
    if (slot.codes > kMostCodes || cells(slot) == 0 || (worth_it && cells(slot) < kSparseShare * all_rows)) {
      sparse->insert(sparse->end(), slot.features.begin(), slot.features.end());
    } else {
      kept.push_back(std::move(slot));
    }
  }
  *slots = std::move(kept);
  std::sort(sparse->begin(), sparse->end());
}

std::uint32_t StrideFor(std::uint32_t codes) { return codes <= 16 ? 16 : codes <= 64 ? 64 : codes <= 128 ? 128 : 256; }

// As long as rows stay in the cache, it pays to keep the histogram of a tile there, too; later a tile had better have
// all of a row's line.
std::size_t MostSlots(std::size_t rows, std::uint32_t cell_bytes) {
  constexpr std::size_t kCachedRows = 250'000;
  return cell_bytes == 1 || rows >= kCachedRows ? BinTile::kMostSlots : BinTile::kMostSlots / 2;
}

// Slots of two bytes are as far apart as the largest needs, if they use most of the bins that this makes.
std::uint32_t WideStride(Slots const& slots) {
  std::size_t sum = 0;
  std::uint32_t most = 0;
  for (BinSlot const& slot : slots) {
    sum += slot.codes;
    most = std::max(most, slot.codes);
  }
  for (std::uint32_t const stride : BinTile::kPairStrides) {
    bool const well_used = sum >= slots.size() * stride * 3 / 4;
    if (most <= stride && well_used) return stride;
  }
  return 0;
}

std::uint32_t RowBytes(std::size_t cells, std::size_t cell_bytes) {
  std::uint32_t bytes = 4;
  while (bytes < cells * cell_bytes) bytes *= 2;
  return bytes;
}

std::uint32_t TakeBins(std::uint32_t count, BinLayout* layout) {
  std::uint32_t const first = layout->histogram_bins;
  Require<DataError>(count <= std::numeric_limits<std::uint32_t>::max() - first,
                     "The features have more than 4,294,967,295 bins together. Use a smaller `max_bin`.");
  layout->histogram_bins += count;
  return first;
}

std::uint32_t BinsOfAll(std::vector<std::uint32_t> const& features, Cuts const& cuts) {
  std::uint32_t bins = 0;
  for (std::uint32_t const feature : features) bins += cuts.Bins(feature);
  return bins;
}

// A code has a bin of its own in the histogram, but a joint one stands for bins of the slot's features.
void AddTile(Cuts const& cuts, Slots slots, std::uint32_t cell_bytes, BinLayout* layout) {
  BinTile tile;
  tile.first_slot = static_cast<std::uint32_t>(layout->slots.size());
  tile.slots = static_cast<std::uint32_t>(slots.size());
  tile.cell_bytes = cell_bytes;
  tile.row_bytes = RowBytes(slots.size(), cell_bytes);
  tile.histogram_begin = layout->histogram_bins;
  if (cell_bytes == 2) tile.bin_stride = WideStride(slots);
  for (BinSlot const& slot : slots) {
    if (cell_bytes == 1) tile.bin_stride = std::max(tile.bin_stride, StrideFor(slot.codes));
  }
  for (BinSlot& slot : slots) {
    std::uint32_t const rounded = (slot.codes + kTwoByteRounding - 1) / kTwoByteRounding * kTwoByteRounding;
    std::uint32_t const own = slot.Joint()          ? BinsOfAll(slot.features, cuts)
                              : tile.bin_stride > 0 ? tile.bin_stride
                                                    : rounded;
    layout->slot_histogram.push_back(TakeBins(own, layout));
    slot.tile = static_cast<std::uint32_t>(layout->tiles.size());
    layout->slots.push_back(std::move(slot));
  }
  tile.histogram_bins = layout->histogram_bins - tile.histogram_begin;
  layout->tiles.push_back(tile);
}

// Slots of one byte and of like size share tiles if there are more than one tile takes. Of few rows, only those: to
// clear and subtract bins that nobody uses would take longer than to read a second tile.
void AddTiles(Cuts const& cuts, Slots slots, std::uint32_t cell_bytes, std::size_t rows, BinLayout* layout) {
  std::size_t const most = MostSlots(rows, cell_bytes);
  bool const apart = rows < kFewRows && cell_bytes == 1;
  auto const smaller = [](BinSlot const& a, BinSlot const& b) { return StrideFor(a.codes) < StrideFor(b.codes); };
  if (apart || (slots.size() > most && cell_bytes == 1)) std::stable_sort(slots.begin(), slots.end(), smaller);
  for (auto begin = slots.begin(); begin != slots.end();) {
    auto const full =
        begin + static_cast<std::ptrdiff_t>(std::min(most, static_cast<std::size_t>(slots.end() - begin)));
    auto const end = apart ? std::upper_bound(begin, full, *begin, smaller) : full;
    std::sort(begin, end, IsBefore);
    AddTile(cuts, {std::make_move_iterator(begin), std::make_move_iterator(end)}, cell_bytes, layout);
    begin = end;
  }
}

void AddPlaces(Cuts const& cuts, std::uint32_t s, BinLayout* layout) {
  BinSlot const& slot = layout->slots[s];
  std::uint32_t offset = slot.Bundle() ? 1 : 0, histogram = layout->slot_histogram[s] + offset;
  for (std::uint32_t const feature : slot.features) {
    std::uint32_t const bins = cuts.Bins(feature);
    layout->places[feature] = {s, offset, bins, histogram};
    offset += slot.Joint() ? 1 : bins;
    histogram += bins;
  }
}

BinLayout LayOut(Cuts const& cuts, std::size_t rows, Slots slots, std::vector<std::uint32_t> sparse_features) {
  BinLayout layout;
  layout.sparse_features = std::move(sparse_features);
  auto const narrow = [](BinSlot const& slot) { return slot.codes <= kMostByteCodes; };
  auto const plain = [](BinSlot const& slot) { return !slot.Joint(); };
  auto const wide = std::stable_partition(slots.begin(), slots.end(), narrow);
  auto const joint = std::stable_partition(slots.begin(), wide, plain);
  auto const part = [](auto begin, auto end) {
    return Slots(std::make_move_iterator(begin), std::make_move_iterator(end));
  };
  AddTiles(cuts, part(slots.begin(), joint), 1, rows, &layout);
  AddTiles(cuts, part(joint, wide), 1, rows, &layout);
  AddTiles(cuts, part(wide, slots.end()), 2, rows, &layout);
  layout.places.resize(cuts.Columns());
  for (std::uint32_t s = 0; s < layout.slots.size(); ++s) AddPlaces(cuts, s, &layout);
  for (std::uint32_t const feature : layout.sparse_features) {
    layout.places[feature] = {BinPlace::kSparse, 0, cuts.Bins(feature), TakeBins(cuts.Bins(feature), &layout)};
  }
  return layout;
}

// One slot for those that share a code.
BinSlot JointSlot(BinLayout const& plain, JointColumn const& joint) {
  BinSlot slot;
  slot.codes = joint.codes;
  std::vector<std::size_t> column_of;  // each feature's among those that are joined
  for (std::size_t i = 0; i < joint.columns.size(); ++i) {
    auto const& features = plain.slots[joint.columns[i]].features;
    slot.features.insert(slot.features.end(), features.begin(), features.end());
    column_of.resize(slot.features.size(), i);
  }
  for (std::size_t code = 0; code < joint.codes; ++code) {
    std::uint8_t const* const codes = joint.code_of.data() + code * joint.columns.size();
    for (std::size_t i = 0; i < slot.features.size(); ++i) {
      slot.bin_of.push_back(
          static_cast<std::uint8_t>(plain.BinIn(plain.places[slot.features[i]], codes[column_of[i]])));
    }
  }
  return slot;
}

}  // namespace

BinLayout PlanLayout(Cuts const& cuts, std::size_t rows, Span<std::size_t const> present, Bundles const& bundles) {
  Ensure(present.size() == cuts.Columns(), "Counts of ", present.size(), " features where there are ", cuts.Columns());
  Slots slots = PossibleSlots(cuts, rows, present, bundles);
  std::vector<std::uint32_t> sparse;
  TakeSparse(rows, present, &slots, &sparse);
  return LayOut(cuts, rows, std::move(slots), std::move(sparse));
}

BinLayout JoinedLayout(Cuts const& cuts, std::size_t rows, BinLayout const& plain,
                       std::vector<JointColumn> const& joints) {
  Slots slots;
  std::vector<bool> joined(plain.slots.size());
  for (JointColumn const& joint : joints) {
    for (std::uint32_t const slot : joint.columns) joined[slot] = true;
    slots.push_back(JointSlot(plain, joint));
  }
  for (std::size_t s = 0; s < plain.slots.size(); ++s) {
    if (!joined[s]) slots.push_back(plain.slots[s]);
  }
  std::sort(slots.begin(), slots.end(), IsBefore);
  return LayOut(cuts, rows, std::move(slots), plain.sparse_features);
}

BinLayout CoarserLayout(Cuts const& cuts, std::size_t rows, Span<std::size_t const> present, BinLayout const& fine,
                        Cuts const& fine_cuts) {
  Slots slots = fine.slots;
  for (BinSlot& slot : slots) {
    if (slot.Bundle()) slot.codes = 1 + BinsOfAll(slot.features, cuts);
    if (slot.features.size() == 1) {
      slot.codes = CodesOf(cuts, slot.features[0], rows, present[slot.features[0]]);
    }
    for (std::size_t i = 0; i < slot.bin_of.size(); ++i) {
      std::uint32_t const feature = slot.features[i % slot.features.size()], bin = slot.bin_of[i];
      bool const there = bin < fine_cuts.Bins(feature);
      std::uint32_t const coarse = there ? cuts.BinOf(feature, fine_cuts.ValueOf(feature, bin)) : cuts.Bins(feature);
      slot.bin_of[i] = static_cast<std::uint8_t>(coarse);
    }
  }
  std::sort(slots.begin(), slots.end(), IsBefore);
  return LayOut(cuts, rows, std::move(slots), fine.sparse_features);
}

}  // namespace xgbl
