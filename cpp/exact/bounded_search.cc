// SPDX-License-Identifier: Apache-2.0
#include "exact/bounded_search.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <utility>

#include "base/bits.h"

namespace xgbl {
namespace {

constexpr std::size_t kSearchAhead = 64;      // rows that are fetched in advance
constexpr std::size_t kCachedRows = 250'000;  // a table of fewer stays in the cache
constexpr std::size_t kCloseTogether = 8;     // one row of so many
constexpr double kSegmentCellCost = 0.4;      // a row of the whole table, as against adding up one of the node's
constexpr std::uint32_t kBordersAtOnce = 32;  // are asked about
constexpr std::size_t kSortedCells = 48;      // of a bin are sorted at once

}  // namespace

BoundedSearch::BoundedSearch(SearchData const& data)
    : data_(data),
      bounds_(data.order, data.coarse, data.simd),
      walk_(data.coarse, data.simd),
      own_rows_(data.exact.size()) {}

Split BoundedSearch::Best(ScanBatch const& batch, Task const& task) {
  batch_ = &batch;
  task_ = &task;
  best_ = {};
  column_ = {};
  marked_ = false;
  marked_all_ = task.rows.size() == data_.exact.size();
  bar_ = batch.Bar(task.sums, Split::kLeastGain);
  walk_.Load(batch, task.sums.total);
  if (task.histogram == nullptr) {
    for (auto const feature : task.features) SearchDirectly(feature);
  } else {
    SearchByBounds();
  }
  Split split;
  if (!Beaten()) split.gain = best_.gain;
  if (split.Valid()) {
    split.feature = best_.feature;
    split.missing_left = best_.missing_left;
    split.threshold = best_.threshold ? *best_.threshold : ThresholdOf(best_);
    split.left = {best_.left};
    split.right = {task.sums.total - best_.left};
  }
  if (marked_) own_rows_.Remove(task.rows);
  return split;
}

void BoundedSearch::SearchByBounds() {
  seen_ += task_->rows.size() * task_->features.size();
  open_.clear();
  groups_.clear();
  bounds_.Load(*batch_, task_->sums.total, task_->rows.size(), task_->features, *task_->histogram);
  std::size_t const lead = bounds_.Lead();
  std::array<std::uint32_t, 2> done{kNone, kNone};
  if (lead < task_->features.size()) {
    MakeExact(task_->features[lead]);
    TryBorders();
    done = RefineAroundBest(lead);
    Share();
    CollectOpen(lead, done);
  }
  for (std::size_t i = 0; i < task_->features.size(); ++i) {
    if (i != lead) CollectOpen(i, {kNone, kNone});
  }
  // The lead first, as its exact sums are at hand.
  std::stable_sort(groups_.begin(), groups_.end(), [&](Group const& a, Group const& b) {
    return std::make_tuple(b.place == lead, b.bound) < std::make_tuple(a.place == lead, a.bound);
  });
  for (Group const& group : groups_) {
    Refine(group);
    Share();
  }
}

// What others have found of the same node rules bins out here, too. When one hears of it does not change the result:
// the bar lies a little below the gain, so that what ties with it gets through. Nothing but the number is read.
void BoundedSearch::Share() {
  std::atomic<double>& shared = task_->best_gain;
  double known = shared.load(std::memory_order_relaxed);
  while (known < best_.gain && !shared.compare_exchange_weak(known, best_.gain, std::memory_order_relaxed)) {
  }
  bar_ = batch_->Bar(task_->sums, std::max(known, best_.gain));
}

// The bins on both sides of the best border are likely to hold something better, which rules out bins elsewhere.
std::array<std::uint32_t, 2> BoundedSearch::RefineAroundBest(std::size_t lead) {
  std::array<std::uint32_t, 2> done{kNone, kNone};
  if (best_.feature != task_->features[lead] || data_.order.HasOneValue(best_.feature)) return done;
  std::uint32_t const bins = static_cast<std::uint32_t>(below_.size() - 1);
  std::uint32_t below = best_.place.bin;
  while (below > 0 && count_[below - 1] == 0) --below;
  std::size_t count = 0;
  if (below > 0) done[count++] = below - 1;
  if (best_.place.bin < bins) done[count++] = best_.place.bin;
  open_.clear();
  for (std::size_t i = 0; i < count; ++i) open_.push_back({done[i], std::numeric_limits<double>::infinity()});
  Refine({lead, 0, count, std::numeric_limits<double>::infinity()});
  open_.clear();
  return done;
}

void BoundedSearch::CollectOpen(std::size_t place, std::array<std::uint32_t, 2> done) {
  Group group{place, open_.size(), 0, bar_};
  bounds_.AddOpen(place, bar_, &open_);
  auto const first = open_.begin() + static_cast<std::ptrdiff_t>(group.first);
  open_.erase(
      std::remove_if(first, open_.end(), [&](Open const& open) { return open.bin == done[0] || open.bin == done[1]; }),
      open_.end());
  group.count = open_.size() - group.first;
  for (std::size_t i = group.first; i < open_.size(); ++i) group.bound = std::max(group.bound, open_[i].bound);
  if (group.count > 0) groups_.push_back(group);
}

// Of a feature whose exact sums are not at hand, bins that may not win if one looks at their rows are done with.
void BoundedSearch::Refine(Group const& group) {
  if (group.bound <= bar_) return;
  std::uint32_t const feature = task_->features[group.place];
  Open* const first = open_.data() + group.first;
  Open* last = std::remove_if(first, first + group.count, [&](Open const& open) { return open.bound <= bar_; });
  std::size_t cells = 0;
  for (Open* open = first; open != last; ++open) cells += data_.order.Count(feature, open->bin);
  bool const by_segments = BySegments(cells);
  if (column_.feature != feature) {
    if (by_segments) {
      last = std::remove_if(first, last, [&](Open const& open) { return !MayWin(group.place, open.bin); });
      if (first == last) return;
    }
    MakeExact(feature);
    TryBorders();
  }
  last = std::remove_if(first, last, [&](Open const& open) {
    return open.bound <= bar_ || count_[open.bin] < 2 || data_.order.OneValue(feature, open.bin);
  });
  Span<Open> const open(first, static_cast<std::size_t>(last - first));
  if (!open.empty()) by_segments ? RefineBySegments(feature, open) : RefineByRows(feature, open);
}

bool BoundedSearch::BySegments(std::size_t cells_of_bins) const {
  return kSegmentCellCost * static_cast<double>(cells_of_bins) < static_cast<double>(task_->rows.size());
}

void BoundedSearch::MarkRows() {
  if (marked_ || marked_all_) return;
  own_rows_.Add(task_->rows);
  marked_ = true;
}

// Of some rows of the table those of the node.
Span<std::uint32_t const> BoundedSearch::OfNode(Span<std::uint32_t const> rows) {
  if (marked_all_) return rows;
  MarkRows();
  if (of_node_.size() < rows.size()) of_node_.resize(rows.size());
  std::uint32_t* const to = of_node_.data();
  std::size_t count = 0;
  for (auto const row : rows) {
    to[count] = row;
    count += Marked(row) ? 1 : 0;
  }
  return {to, count};
}

// Whether a place in a bin or at its borders may hold the best split, as far as the histogram's sums around it tell.
bool BoundedSearch::MayWin(std::size_t place, std::uint32_t bin) {
  std::uint32_t const feature = task_->features[place];
  bool const one_value = data_.order.Count(feature, bin) < 2 || data_.order.OneValue(feature, bin);
  std::array<NearSum, 2> left;
  std::size_t const sides = bounds_.Sides(place);
  for (std::size_t side = 0; side < sides; ++side) left[side] = bounds_.At(place, side, bin);
  if (!one_value) return MayWinWithin(feature, bin, {left.data(), sides});
  for (std::size_t side = 0; side < sides; ++side) {
    if (walk_.MayBeat(left[side], bar_) || walk_.MayBeat(bounds_.At(place, side, bin + 1), bar_)) return true;
  }
  return false;
}

// The same with the exact sums of the feature. Its borders were tried; that the bins next to the best one always pass
// is no loss, as they are the first to be looked into.
bool BoundedSearch::MayWinExactly(std::uint32_t bin) {
  auto const near = [](FixedSum sum) {
    return NearSum{static_cast<double>(sum.gradient), static_cast<double>(sum.hessian), 0, 0};
  };
  FixedSum const before = below_[bin];
  std::array<NearSum, 2> const left{near(before), near(before + column_.missing)};
  return MayWinWithin(column_.feature, bin, {left.data(), column_.has_missing ? 2U : 1U});
}

bool BoundedSearch::MayWinWithin(std::uint32_t feature, std::uint32_t bin, Span<NearSum const> left) {
  Span<std::uint32_t const> const rows = OfNode(data_.order.Rows(feature, bin));
  refined_ += rows.size();
  return walk_.MayBeatAmong(rows, left, bar_);
}

// Whether a split among these cells could win: its sums lie in a box, the largest score of which is at a corner.
bool BoundedSearch::BoxBeats(FixedSum before, CellSum const& cells) const {
  FixedSum const total = task_->sums.total;
  std::int64_t const rise = (cells.magnitude + cells.sum.gradient) / 2, fall = rise - cells.sum.gradient;
  std::int64_t const least = std::max(before.hessian, batch_->LeastHessian());
  std::int64_t const most = std::min(before.hessian + cells.sum.hessian, total.hessian - batch_->LeastHessian());
  if (least > most) return false;
  for (std::int64_t const gradient : {before.gradient - fall, before.gradient + rise}) {
    for (std::int64_t const hessian : {least, most}) {
      FixedSum const left{gradient, hessian};
      if (batch_->Beats<true>(left, total - left, bar_)) return true;
    }
  }
  return false;
}

void BoundedSearch::RefineBySegments(std::uint32_t feature, Span<Open> open) {
  std::sort(open.begin(), open.end(), [](Open const& a, Open const& b) { return a.bound > b.bound; });
  ValueColumn const values = data_.order.Values(feature);
  for (Open const& bin : open) {
    if (bin.bound <= bar_) return;
    if (!MayWinExactly(bin.bin)) continue;
    cells_.clear();
    for (auto const row : OfNode(data_.order.Rows(feature, bin.bin))) cells_.push_back(KeyOf(values[row], row));
    if (!cells_.empty()) Walk(bin.bin, below_[bin.bin], cells_);
  }
}

void BoundedSearch::RefineByRows(std::uint32_t feature, Span<Open> open) {
  std::vector<std::uint8_t> wanted(below_.size());
  std::vector<std::size_t> next(below_.size());
  std::size_t cells = 0;
  for (Open const& bin : open) {
    wanted[bin.bin] = 1;
    next[bin.bin] = cells;
    cells += count_[bin.bin];
  }
  CodeColumn const codes(data_.order.Bins(), feature);
  rows_.resize(task_->rows.size() + 1);
  std::size_t picked = 0;
  for (auto const row : task_->rows) {
    rows_[picked] = row;
    picked += wanted[codes.At(row)];
  }
  cells_.resize(cells);
  ValueColumn const values = data_.order.Values(feature);
  for (std::size_t i = 0; i < picked; ++i) {
    std::size_t const ahead = rows_[std::min(i + kSearchAhead, picked - 1)];
    Prefetch(&data_.exact[ahead]);
    values.PrefetchRow(ahead);
    cells_[next[codes.At(rows_[i])]++] = KeyOf(values[rows_[i]], rows_[i]);
  }
  for (Open const& bin : open) {
    std::size_t const count = count_[bin.bin];
    if (bin.bound > bar_) RefineCells(bin, Span<std::uint64_t>(cells_).Sub(next[bin.bin] - count, count));
  }
}

// A bin's cells in any order: as with the bins of a node, only the buckets that may hold the best split are sorted.
void BoundedSearch::RefineCells(Open const& open, Span<std::uint64_t> cells) {
  refined_ += cells.size();
  FixedSum before = below_[open.bin];
  if (cells.size() <= kSortedCells) {
    std::sort(cells.begin(), cells.end());
    return Walk(open.bin, before, cells);
  }
  buckets_.Split(cells);
  float last = 0;
  for (std::size_t b = 0; b < buckets_.Count(); ++b) {
    std::size_t const begin = buckets_.Begin(b), count = buckets_.Begin(b + 1) - begin;
    if (count == 0) continue;
    Span<std::uint64_t> const own = cells.Sub(begin, count);
    auto const [least, most] = std::minmax_element(own.begin(), own.end());
    float const lowest = ValueOf(*least), highest = ValueOf(*most);
    if (begin > 0) TryBetween(before, {open.bin, static_cast<std::uint32_t>(begin)}, Between(last, lowest));
    CellSum sum;
    for (auto const key : own) {
      FixedSum const row = data_.exact[RowOf(key)].Sum();
      sum.sum += row;
      sum.magnitude += std::abs(row.gradient);
    }
    bool const may_win = BoxBeats(before, sum) || (column_.has_missing && BoxBeats(before + column_.missing, sum));
    if (lowest != highest && may_win) {
      std::sort(own.begin(), own.end());
      Walk(open.bin, before, own, begin);
    }
    before += sum.sum;
    last = highest;
  }
}

void BoundedSearch::SearchDirectly(std::uint32_t feature) {
  cells_.clear();
  FixedSum present;
  ValueColumn const values = data_.order.Values(feature);
  for (auto const row : task_->rows) {
    if (std::isnan(values[row])) continue;
    cells_.push_back(KeyOf(values[row], row));
    present += data_.exact[row].Sum();
  }
  if (cells_.empty()) return;
  column_ = Describe(feature, present);
  if (data_.order.HasOneValue(feature)) return TryPresence();
  std::sort(cells_.begin(), cells_.end());
  if (column_.has_missing) {
    Try(column_.missing, true, {}, Before(ValueOf(cells_.front())));
    Try(present, false, {1, 0}, After(ValueOf(cells_.back())));
  }
  Walk(0, {}, cells_);
}

// Candidates between cells of different values.
void BoundedSearch::Walk(std::uint32_t bin, FixedSum before, Span<std::uint64_t const> cells, std::size_t first) {
  FixedSum prefix = before;
  float last = ValueOf(cells[0]);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    float const value = ValueOf(cells[i]);
    if (value != last) TryBetween(prefix, {bin, static_cast<std::uint32_t>(first + i)}, Between(last, value));
    prefix += data_.exact[RowOf(cells[i])].Sum();
    last = value;
  }
}

BoundedSearch::Column BoundedSearch::Describe(std::uint32_t feature, FixedSum present) const {
  Column column{feature, data_.order.HasMissing(feature), false, {}};
  if (column.may_miss) column.missing = task_->sums.total - present;
  column.has_missing = !(column.missing == FixedSum{});
  return column;
}

// A pass over rows of a table that stays in the cache need not ask for them in advance if they lie close together.
bool BoundedSearch::NeedsFetching() const {
  std::size_t const all = data_.exact.size();
  return all >= kCachedRows || task_->rows.size() * kCloseTogether < all;
}

// The sums of the node's rows below each bin, and in all of them behind the last one.
void BoundedSearch::MakeExact(std::uint32_t feature) {
  std::uint32_t const bins = data_.order.Bins().Place(feature).bins;
  below_.assign(bins + 1, {});
  count_.assign(bins + 1, 0);
  Span<std::uint32_t const> const rows = task_->rows;
  CodeColumn(data_.order.Bins(), feature).Visit([&, sum = below_.data(), count = count_.data()](auto const codes) {
    auto const add = [=, exact = data_.exact](std::uint32_t row) {
      std::uint32_t const bin = codes.At(row);
      sum[bin] += exact[row].Sum();
      ++count[bin];
    };
    std::size_t const fetched = NeedsFetching() ? rows.size() - std::min(rows.size(), kSearchAhead) : 0;
    for (std::size_t i = 0; i < fetched; ++i) {
      Prefetch(&data_.exact[rows[i + kSearchAhead]]);
      codes.PrefetchRow(rows[i + kSearchAhead]);
      add(rows[i]);
    }
    for (std::size_t i = fetched; i < rows.size(); ++i) add(rows[i]);
  });
  FixedSum sum;
  for (FixedSum& bin : below_) {
    FixedSum const own = std::exchange(bin, sum);
    sum += own;
  }
  column_ = Describe(feature, below_[bins]);
}

// Of neighbouring borders nearly all lose: they are screened side by side.
void BoundedSearch::TryBorders() {
  auto const bins = static_cast<std::uint32_t>(below_.size() - 1);
  if (count_[bins] == task_->rows.size()) return;  // all are missing
  if (data_.order.HasOneValue(column_.feature)) return TryPresence();
  for (std::uint32_t first = 0; first < bins; first += kBordersAtOnce) {
    std::uint32_t const end = std::min(bins, first + kBordersAtOnce);
    if (!AnyBorderMayWin(first, end)) continue;
    for (std::uint32_t b = first; b < end; ++b) {
      if (count_[b] > 0) TryBetween(below_[b], {b, 0}, {});
    }
  }
  if (column_.has_missing) Try(below_[bins], false, {bins, 0}, {});
}

bool BoundedSearch::AnyBorderMayWin(std::uint32_t first, std::uint32_t end) {
  std::array<double, kBordersAtOnce> gradient, hessian;
  auto const any = [&](FixedSum more) {
    for (std::uint32_t b = first; b < end; ++b) {
      FixedSum const left = below_[b] + more;
      gradient[b - first] = static_cast<double>(left.gradient);
      hessian[b - first] = static_cast<double>(left.hessian);
    }
    return walk_.AnyBeats({}, {gradient.data(), end - first}, {hessian.data(), end - first}, bar_);
  };
  return any({}) || (column_.has_missing && any(column_.missing));
}

// Of a column of one value presence is all that there is to split on.
void BoundedSearch::TryPresence() {
  ValueColumn const values = data_.order.Values(column_.feature);
  auto const any =
      std::find_if(task_->rows.begin(), task_->rows.end(), [&](std::uint32_t row) { return !std::isnan(values[row]); });
  if (column_.may_miss) Try(column_.missing, true, {}, Before(values[*any]));
}

// A candidate between two cells or bins, with missing values right, and left.
void BoundedSearch::TryBetween(FixedSum prefix, Place place, std::optional<float> threshold) {
  Try(prefix, !column_.may_miss, place, threshold);
  if (column_.has_missing) Try(prefix + column_.missing, true, place, threshold);
}

void BoundedSearch::Try(FixedSum left, bool missing_left, Place place, std::optional<float> threshold) {
  FixedSum const right = task_->sums.total - left;
  if (left.hessian < batch_->LeastHessian() || right.hessian < batch_->LeastHessian()) return;
  if (!batch_->Beats<true>(left, right, bar_)) return;
  double const gain = batch_->Gain(task_->sums, column_.feature, left, right);
  auto const order = [](std::uint32_t feature, bool to_left, Place at) {
    return std::make_tuple(feature, to_left, at.bin, at.cell);
  };
  bool const better = gain != best_.gain ? gain > best_.gain
                                         : order(column_.feature, missing_left, place) <
                                               order(best_.feature, best_.missing_left, best_.place);
  if (!better) return;
  best_ = {gain, column_.feature, missing_left, place, threshold, left};
  bar_ = std::max(bar_, batch_->Bar(task_->sums, gain));
}

// Of a candidate at a border, by the values of the node next to it.
float BoundedSearch::ThresholdOf(Found const& found) {
  if (column_.feature != found.feature) MakeExact(found.feature);
  std::uint32_t below = found.place.bin;
  while (below > 0 && count_[below - 1] == 0) --below;
  if (below == 0) return Before(EdgeValue(found.feature, found.place.bin, false));
  float const lower = EdgeValue(found.feature, below - 1, true);
  if (found.place.bin + 1 == below_.size()) return After(lower);
  return Between(lower, EdgeValue(found.feature, found.place.bin, false));
}

// The largest or least value that a bin has in the node.
float BoundedSearch::EdgeValue(std::uint32_t feature, std::uint32_t bin, bool largest) {
  ValueColumn const values = data_.order.Values(feature);
  if (BySegments(data_.order.Count(feature, bin))) {
    MarkRows();
    Span<std::uint32_t const> const rows = data_.order.Rows(feature, bin);
    std::size_t i = largest ? rows.size() - 1 : 0;
    while (!Marked(rows[i])) largest ? --i : ++i;
    return values[rows[i]];
  }
  float edge = largest ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
  CodeColumn const codes(data_.order.Bins(), feature);
  for (auto const row : task_->rows) {
    if (codes.At(row) == bin) edge = largest ? std::max(edge, values[row]) : std::min(edge, values[row]);
  }
  return edge;
}

}  // namespace xgbl
