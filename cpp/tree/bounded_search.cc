// SPDX-License-Identifier: Apache-2.0
#include "tree/bounded_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/prefetch.h"
#include "tree/threshold.h"

namespace xgbl {
namespace {

constexpr std::size_t kAhead = 32;        // rows that are fetched in advance
constexpr double kSegmentCellCost = 6.0;  // a row anywhere in memory, as against one of the node's rows in order
constexpr double kPickedRowCost = 12.0;   // its value, and its way into a bucket
constexpr std::size_t kSortedCells = 48;  // of a bin are sorted at once
constexpr double kNothing = -std::numeric_limits<double>::infinity();

struct Box {
  std::array<std::int64_t, 2> gradient;
  std::array<std::int64_t, 2> hessian;
};

// The left sums that splits within a bin can have; false if none leaves both sides enough hessian.
bool BoxOf(ScanBatch const& batch, FixedSum total, FixedSum before, BinSum const& bin, Box* box) {
  std::int64_t const least = std::max(before.hessian, batch.LeastHessian());
  std::int64_t const most = std::min(before.hessian + bin.hessian, total.hessian - batch.LeastHessian());
  *box = {{before.gradient - bin.Fall(), before.gradient + bin.Rise()}, {least, most}};
  return least <= most;
}

bool BoxBeats(ScanBatch const& batch, FixedSum total, FixedSum before, BinSum const& bin, double bar) {
  Box box;
  if (!BoxOf(batch, total, before, bin, &box)) return false;
  for (std::int64_t const gradient : box.gradient) {
    for (std::int64_t const hessian : box.hessian) {
      FixedSum const left{gradient, hessian};
      if (batch.Beats<true>(left, total - left, bar)) return true;
    }
  }
  return false;
}

}  // namespace

CodeColumn CodesOf(BinnedMatrix const& bins, std::uint32_t feature) {
  std::uint32_t const slot = bins.Place(feature).slot;
  if (std::uint8_t const* const column = bins.Column8(slot)) return {column, 1};
  BinTile const& tile = bins.Tiles()[bins.Layout().slots[slot].tile];
  return {tile.cells + (slot - tile.first_slot), tile.row_bytes};
}

double BoundOf(ScanBatch const& batch, FixedSum total, FixedSum before, BinSum const& bin) {
  Box box;
  double bound = kNothing;
  if (!BoxOf(batch, total, before, bin, &box)) return bound;
  for (std::int64_t const gradient : box.gradient) {
    for (std::int64_t const hessian : box.hessian) {
      FixedSum const left{gradient, hessian};
      bound = std::max(bound, batch.ScoreOf(left, total - left));
    }
  }
  return bound;
}

BoundedSearch::BoundedSearch(SearchData const& data) : data_(data), segments_(data.bins.HistogramBins()) {}

Split BoundedSearch::Best(ScanBatch const& batch, Task const& task) {
  batch_ = &batch;
  task_ = &task;
  best_ = {};
  bar_ = batch.Bar(task.sums, Split::kLeastGain);
  open_.clear();
  groups_.clear();
  if (task.bins == nullptr) {
    for (auto const feature : task.features) SearchDirectly(feature);
  } else {
    seen_ += task.rows.size() * task.features.size();
    for (auto const feature : task.features) TryBorders(feature);
    RefineAroundBest();
    for (Group& group : groups_) CollectOpen(&group);
    std::sort(groups_.begin(), groups_.end(), [](Group const& a, Group const& b) { return a.bound > b.bound; });
    for (Group const& group : groups_) {
      if (group.bound <= bar_) break;
      Refine(group);
    }
  }
  Split split;
  split.gain = best_.gain;
  if (!split.Valid()) return split;
  split.feature = best_.feature;
  split.missing_left = best_.missing_left;
  split.threshold = best_.has_threshold ? best_.threshold : ThresholdOf(best_);
  split.left = {best_.left};
  split.right = {task.sums.total - best_.left};
  return split;
}

BinSum const* BoundedSearch::BinsOf(std::uint32_t feature) const {
  return task_->bins + data_.bins.Place(feature).histogram;
}

BoundedSearch::Column BoundedSearch::Describe(std::uint32_t feature, FixedSum present) const {
  Column column{feature, data_.sorted.HasMissing(feature), false, {}};
  if (column.may_miss) column.missing = task_->sums.total - present;
  column.has_missing = !(column.missing == FixedSum{});
  return column;
}

// Of a column of one value presence is all that there is to split on.
void BoundedSearch::TryPresence(Column const& column) {
  float const threshold = Before(ValueAt(column.feature, 0));
  if (column.may_miss) Try(column, column.missing, true, {}, &threshold);
}

void BoundedSearch::TryBorders(std::uint32_t feature) {
  BinSum const* const bins = BinsOf(feature);
  std::uint32_t const count = data_.bins.Place(feature).bins;
  FixedSum present;
  std::int64_t rows = 0;
  for (std::uint32_t b = 0; b < count; ++b) {
    present += bins[b].Pair();
    rows += bins[b].rows;
  }
  if (rows == 0) return;
  Column const column = Describe(feature, present);
  if (data_.sorted.HasOneValue(feature)) return TryPresence(column);
  FixedSum prefix;
  for (std::uint32_t b = 0; b < count; ++b) {
    if (bins[b].rows == 0) continue;
    TryBetween(column, prefix, {b, 0}, nullptr);
    prefix += bins[b].Pair();
  }
  if (column.has_missing) Try(column, prefix, false, {count, 0}, nullptr);
  groups_.push_back({column});
}

void BoundedSearch::TryBetween(Column const& column, FixedSum prefix, Place place, float const* threshold) {
  Try(column, prefix, !column.may_miss, place, threshold);
  if (column.has_missing) Try(column, prefix + column.missing, true, place, threshold);
}

void BoundedSearch::Try(Column const& column, FixedSum left, bool missing_left, Place place, float const* threshold) {
  FixedSum const right = task_->sums.total - left;
  if (left.hessian < batch_->LeastHessian() || right.hessian < batch_->LeastHessian()) return;
  if (!batch_->Beats<true>(left, right, bar_)) return;
  double const gain = batch_->Gain(task_->sums, column.feature, left, right);
  auto const order = [](std::uint32_t feature, bool to_left, Place at) {
    return std::make_tuple(feature, to_left, at.bin, at.cell);
  };
  bool const better = gain != best_.gain ? gain > best_.gain
                                         : order(column.feature, missing_left, place) <
                                               order(best_.feature, best_.missing_left, best_.place);
  if (!better) return;
  best_ = {gain, column.feature, missing_left, place, threshold != nullptr, threshold ? *threshold : 0.0F, left};
  bar_ = batch_->Bar(task_->sums, gain);
}

// The bins on both sides of the best border are likely to hold something better, which rules out bins elsewhere.
void BoundedSearch::RefineAroundBest() {
  auto const own = std::find_if(groups_.begin(), groups_.end(),
                                [&](Group const& group) { return group.column.feature == best_.feature; });
  if (own == groups_.end()) return;
  BinSum const* const bins = BinsOf(best_.feature);
  std::uint32_t const end = std::min(best_.place.bin + 1, data_.bins.Place(best_.feature).bins);
  std::uint32_t below = best_.place.bin;
  while (below > 0 && bins[below - 1].rows == 0) --below;
  Group around{own->column, 0, 0, 0};
  FixedSum before;
  for (std::uint32_t b = 0; b < end; before += bins[b].Pair(), ++b) {
    if (b + 1 != below && b != best_.place.bin) continue;
    if (bins[b].rows < 2 || !MayWin(own->column, before, bins[b]) || OneValue(own->column.feature, b)) continue;
    open_.push_back({b, before, std::numeric_limits<double>::infinity(), bins[b].rows});
    own->done[around.count++] = b;
  }
  Refine(around);
  open_.clear();
}

void BoundedSearch::CollectOpen(Group* group) {
  Column const& column = group->column;
  BinSum const* const bins = BinsOf(column.feature);
  std::uint32_t const count = data_.bins.Place(column.feature).bins;
  FixedSum const total = task_->sums.total;
  group->first = open_.size();
  group->bound = kNothing;
  FixedSum before;
  for (std::uint32_t b = 0; b < count; before += bins[b].Pair(), ++b) {
    if (bins[b].rows < 2 || b == group->done[0] || b == group->done[1]) continue;
    if (!MayWin(column, before, bins[b]) || OneValue(column.feature, b)) continue;
    double bound = BoundOf(*batch_, total, before, bins[b]);
    if (column.has_missing) bound = std::max(bound, BoundOf(*batch_, total, before + column.missing, bins[b]));
    open_.push_back({b, before, bound, bins[b].rows});
    group->bound = std::max(group->bound, bound);
  }
  group->count = open_.size() - group->first;
}

bool BoundedSearch::MayWin(Column const& column, FixedSum before, BinSum const& bin) const {
  FixedSum const total = task_->sums.total;
  return BoxBeats(*batch_, total, before, bin, bar_) ||
         (column.has_missing && BoxBeats(*batch_, total, before + column.missing, bin, bar_));
}

void BoundedSearch::Refine(Group const& group) {
  Open* const first = open_.data() + group.first;
  Open* const last = std::remove_if(first, first + group.count, [&](Open const& open) { return open.bound <= bar_; });
  double in_segments = 0, picked = 0;
  for (Open* open = first; open != last; ++open) {
    Segment const& segment = SegmentOf(group.column.feature, open->bin);
    in_segments += static_cast<double>(segment.end - segment.begin);
    picked += static_cast<double>(open->rows);
  }
  Span<Open> const open(first, static_cast<std::size_t>(last - first));
  double const by_rows = static_cast<double>(task_->rows.size()) + kPickedRowCost * picked;
  if (kSegmentCellCost * in_segments < by_rows) {
    RefineBySegments(group.column, open);
  } else {
    RefineByRows(group.column, open);
  }
}

void BoundedSearch::RefineBySegments(Column const& column, Span<Open> open) {
  std::sort(open.begin(), open.end(), [](Open const& a, Open const& b) { return a.bound > b.bound; });
  for (Open const& bin : open) {
    if (bin.bound <= bar_) return;
    cells_.clear();
    ForEachInSegment(column.feature, bin.bin, [&](float value, std::uint32_t row) {
      if (data_.records[row].slot == task_->node) cells_.push_back(KeyOf(value, row));
    });
    refined_ += cells_.size();
    Walk(column, bin, cells_);
  }
}

void BoundedSearch::RefineByRows(Column const& column, Span<Open const> open) {
  std::array<std::uint8_t, 256> wanted{};
  std::array<std::size_t, 256> next{};
  std::size_t cells = 0;
  for (Open const& bin : open) {
    wanted[bin.bin] = 1;
    next[bin.bin] = cells;
    cells += static_cast<std::size_t>(bin.rows);
  }
  CodeColumn const codes = CodesOf(data_.bins, column.feature);
  rows_.resize(task_->rows.size() + 1);
  std::size_t picked = 0;
  for (auto const row : task_->rows) {
    rows_[picked] = row;
    picked += wanted[codes.At(row)];
  }
  cells_.resize(cells);
  for (std::size_t i = 0; i < picked; ++i) {
    std::size_t const ahead = rows_[std::min(i + kAhead, picked - 1)];
    Prefetch(&data_.records[ahead]);
    Prefetch(data_.table.data + static_cast<std::ptrdiff_t>(ahead) * data_.table.row_stride +
             static_cast<std::ptrdiff_t>(column.feature) * data_.table.column_stride);
    cells_[next[codes.At(rows_[i])]++] = KeyOf(data_.table.At(rows_[i], column.feature), rows_[i]);
  }
  for (Open const& bin : open) {
    auto const count = static_cast<std::size_t>(bin.rows);
    if (bin.bound > bar_) RefineCells(column, bin, Span<std::uint64_t>(cells_).Sub(next[bin.bin] - count, count));
  }
}

// A bin's cells in any order: as with the bins of a node, only the buckets that may hold the best split are sorted.
void BoundedSearch::RefineCells(Column const& column, Open const& open, Span<std::uint64_t> cells) {
  refined_ += cells.size();
  if (cells.size() <= kSortedCells) {
    std::sort(cells.begin(), cells.end());
    return Walk(column, open, cells);
  }
  buckets_.Split(cells);
  Open bucket = open;
  float last = 0;
  for (std::size_t b = 0; b < buckets_.Count(); ++b) {
    std::size_t const begin = buckets_.Begin(b), count = buckets_.Begin(b + 1) - begin;
    if (count == 0) continue;
    Span<std::uint64_t> const own = cells.Sub(begin, count);
    auto const [least, most] = std::minmax_element(own.begin(), own.end());
    float const lowest = ValueOf(*least), highest = ValueOf(*most);
    if (begin > 0) {
      float const threshold = Between(last, lowest);
      TryBetween(column, bucket.before, {open.bin, static_cast<std::uint32_t>(begin)}, &threshold);
    }
    BinSum sum{};
    for (auto const key : own) Add(&sum, CellOf(data_.records[RowOf(key)]));
    if (lowest != highest && MayWin(column, bucket.before, sum)) {
      std::sort(own.begin(), own.end());
      Walk(column, bucket, own, begin);
    }
    bucket.before += sum.Pair();
    last = highest;
  }
}

void BoundedSearch::SearchDirectly(std::uint32_t feature) {
  cells_.clear();
  FixedSum present;
  for (auto const row : task_->rows) {
    float const value = data_.table.At(row, feature);
    if (std::isnan(value)) continue;
    cells_.push_back(KeyOf(value, row));
    present += data_.records[row].Pair();
  }
  if (cells_.empty()) return;
  Column const column = Describe(feature, present);
  if (data_.sorted.HasOneValue(feature)) return TryPresence(column);
  std::sort(cells_.begin(), cells_.end());
  if (column.has_missing) {
    float const before = Before(ValueOf(cells_.front())), after = After(ValueOf(cells_.back()));
    Try(column, column.missing, true, {}, &before);
    Try(column, present, false, {1, 0}, &after);
  }
  Walk(column, {}, cells_);
}

// Candidates between cells of different values.
void BoundedSearch::Walk(Column const& column, Open const& open, Span<std::uint64_t const> cells, std::size_t first) {
  FixedSum prefix = open.before;
  float last = ValueOf(cells[0]);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    float const value = ValueOf(cells[i]);
    if (value != last) {
      float const threshold = Between(last, value);
      TryBetween(column, prefix, {open.bin, static_cast<std::uint32_t>(first + i)}, &threshold);
    }
    prefix += data_.records[RowOf(cells[i])].Pair();
    last = value;
  }
}

// Of a candidate at a border, by the values of the node next to it.
float BoundedSearch::ThresholdOf(Found const& found) {
  BinSum const* const bins = BinsOf(found.feature);
  std::uint32_t const count = data_.bins.Place(found.feature).bins;
  std::uint32_t below = found.place.bin;
  while (below > 0 && bins[below - 1].rows == 0) --below;
  if (below == 0) return Before(EdgeValue(found.feature, found.place.bin, false));
  float const lower = EdgeValue(found.feature, below - 1, true);
  if (found.place.bin == count) return After(lower);
  return Between(lower, EdgeValue(found.feature, found.place.bin, false));
}

float BoundedSearch::ValueAt(std::uint32_t feature, std::size_t cell) const {
  return data_.sorted.GetBlock(feature, cell / ColumnBlocks::kBlockCells).values[cell % ColumnBlocks::kBlockCells];
}

BoundedSearch::Segment const& BoundedSearch::SegmentOf(std::uint32_t feature, std::uint32_t bin) {
  Segment& segment = segments_[data_.bins.Place(feature).histogram + bin];
  if (segment.end != 0) return segment;
  std::uint32_t const bins = data_.bins.Place(feature).bins;
  auto const upper = data_.bins.GetCuts().Upper(feature);
  auto const cells_below = [&](float edge) {
    std::size_t low = 0, high = data_.sorted.Present(feature);
    while (low < high) {
      std::size_t const middle = (low + high) / 2;
      ValueAt(feature, middle) < edge ? low = middle + 1 : high = middle;
    }
    return low;
  };
  segment.begin = bin == 0 ? 0 : cells_below(upper[bin - 1]);
  segment.end = bin + 1 == bins ? data_.sorted.Present(feature) : cells_below(upper[bin]);
  return segment;
}

bool BoundedSearch::OneValue(std::uint32_t feature, std::uint32_t bin) {
  Segment const& segment = SegmentOf(feature, bin);
  return ValueAt(feature, segment.begin) == ValueAt(feature, segment.end - 1);
}

template <class Visit>
void BoundedSearch::ForEachInSegment(std::uint32_t feature, std::uint32_t bin, Visit&& visit) {
  Segment const segment = SegmentOf(feature, bin);
  constexpr std::size_t kBlock = ColumnBlocks::kBlockCells;
  for (std::size_t begin = segment.begin; begin < segment.end;) {
    ColumnBlocks::Block const block = data_.sorted.GetBlock(feature, begin / kBlock);
    std::size_t const offset = begin % kBlock, count = std::min(segment.end - begin, kBlock - offset);
    for (std::size_t i = offset; i < offset + count; ++i) {
      Prefetch(&data_.records[block.rows[std::min(i + kAhead, block.rows.size() - 1)]]);
      visit(block.values[i], block.rows[i]);
    }
    begin += count;
  }
}

// The largest or least value that a bin has in the node.
float BoundedSearch::EdgeValue(std::uint32_t feature, std::uint32_t bin, bool largest) {
  float edge = largest ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
  CodeColumn const codes = CodesOf(data_.bins, feature);
  for (auto const row : task_->rows) {
    if (codes.At(row) != bin) continue;
    float const value = data_.table.At(row, feature) + 0.0F;
    edge = largest ? std::max(edge, value) : std::min(edge, value);
  }
  return edge;
}

}  // namespace xgbl
