// SPDX-License-Identifier: Apache-2.0
#include "cuts/value_counts.h"

#include <numeric>

#include "cuts/even_parts.h"
#include "parallel/radix_sort.h"

namespace xgbl {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::size_t kMostWanted = 8000;  // ranges at a time: they have two edges each

// The next larger float; 0 is never negative.
float Above(float value) { return std::nextafter(value + 0.0F, kInfinity) + 0.0F; }

// The edges of interval c of a scan.
float Lower(ValueScan const& scan, std::size_t c) { return c == 0 ? -kInfinity : scan.edges[c - 1]; }
float Upper(ValueScan const& scan, std::size_t c) { return c == scan.edges.size() ? kInfinity : scan.edges[c]; }
bool IsSingle(ValueScan const& scan, std::size_t c) { return c > 0 && Above(Lower(scan, c)) == Upper(scan, c); }

// Adds the interval of a single value.
void AddSingle(float value, std::vector<float>* edges) {
  edges->push_back(value);
  edges->push_back(Above(value));
}

template <class Weighted>
std::vector<std::uint64_t> WeightsOf(std::vector<Weighted> const& values) {
  std::vector<std::uint64_t> weights;
  weights.reserve(values.size());
  for (Weighted const& value : values) weights.push_back(value.weight);
  return weights;
}

bool AreSingle(std::vector<ValueRange> const& ranges) {
  return std::all_of(ranges.begin(), ranges.end(), [](ValueRange const& range) { return range.single; });
}

// The values that were collected. If these are not all, those of little weight stand for others as well.
std::vector<CountedValue> Counted(ValueTally const& tally, WeightUnits const& units) {
  std::size_t const cells = tally.collected.size();
  std::vector<float> values(cells);
  std::vector<std::uint32_t> order(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    values[i] = tally.collected[i].value;
    order[i] = static_cast<std::uint32_t>(i);
  }
  ColumnSorter().Sort(values, order);
  std::uint64_t const least = tally.Dropped() ? units(tally.bound.LeastWeight()) : 0;
  std::vector<CountedValue> counted;
  counted.reserve(cells);
  ForEachDistinct(
      Span<float const>(values),
      [&](std::size_t i) { return std::max(units(tally.collected[order[i]].weight), least); },
      [&](CountedValue const& value) { counted.push_back(value); });
  return counted;
}

}  // namespace

void ValueCounts::SetAll(Span<float const> values, Span<std::uint64_t const> weights) {
  present_ = values.size();
  if (values.empty()) return;
  lowest_ = values[0];
  highest_ = values[values.size() - 1];
  ranges_.reserve(values.size());
  ForEachDistinct(
      values, [&](std::size_t i) { return weights.empty() ? 1 : weights[i]; },
      [&](CountedValue const& value) { ranges_.push_back({value.value, true, value.weight}); });
}

void ValueCounts::Begin(std::vector<CountedValue> sample, double kept_share, std::size_t splits) {
  sample_ = std::move(sample);
  wanted_ = {{-kInfinity, kInfinity}};
  begun_ = true;
  Plan(splits, 1 / kept_share);
}

void ValueCounts::Settle(std::size_t bins, std::size_t splits) {
  if (scans_left_ > 0) Want(bins, splits);
  if (!wanted_.empty()) {
    DropUseless();
    Plan(splits, 1);
    return;
  }
  auto const weights = WeightsOf(ranges_);
  auto const parts = AreSingle(ranges_) ? PartsByRank(weights, present_, bins) : PartsByWeight(weights, bins);
  for (std::size_t const first : parts) bin_begins_.push_back(ranges_[first].begin);
  std::vector<ValueRange>().swap(ranges_);  // `= {}` would keep the memory, of all features at once
  std::vector<CountedValue>().swap(sample_);
}

// Finds the ranges that must be known more closely.
void ValueCounts::Want(std::size_t bins, std::size_t splits) {
  limit_ = 0;
  if (AreSingle(ranges_)) return;
  if (ranges_.size() > bins) {
    std::vector<std::uint8_t> single;
    for (ValueRange const& range : ranges_) single.push_back(range.single ? 1 : 0);
    EqualShare const share = ShareOf(WeightsOf(ranges_), single, bins);
    limit_ = std::max(share.weight / 4 * 3, share.weight * share.parts / splits * 3);
  }
  for (std::size_t i = 0; i < ranges_.size() && wanted_.size() < kMostWanted; ++i) {
    if (ranges_[i].single || ranges_[i].weight <= limit_) continue;
    wanted_.push_back({ranges_[i].begin, i + 1 == ranges_.size() ? kInfinity : ranges_[i + 1].begin});
  }
}

// Drops sampled values that are not wanted.
void ValueCounts::DropUseless() {
  auto interval = wanted_.begin();
  auto const useless = [&](CountedValue const& value) {
    while (interval != wanted_.end() && value.value >= interval->end) ++interval;
    return interval == wanted_.end() || value.value < interval->begin;
  };
  sample_.erase(std::remove_if(sample_.begin(), sample_.end(), useless), sample_.end());
}

std::vector<float> ValueCounts::Edges(std::size_t splits) const {
  std::vector<float> edges;
  for (Interval const& interval : wanted_) {
    if (interval.begin > -kInfinity) edges.push_back(interval.begin);
    if (interval.end < kInfinity) edges.push_back(interval.end);
  }
  if (sample_.size() <= splits / 2) {
    for (CountedValue const& value : sample_) AddSingle(value.value, &edges);
  } else {
    auto const first = PartsByWeight(WeightsOf(sample_), splits);
    for (std::size_t part = 0; part < first.size(); ++part) {
      std::size_t const next = part + 1 == first.size() ? sample_.size() : first[part + 1];
      CountedValue const& value = sample_[first[part]];
      edges.push_back(value.value);
      if (next == first[part] + 1 && value.cells > 1) edges.push_back(Above(value.value));
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

// Where an interval has fewer sampled values than it may need edges, its values are collected.
bool ValueCounts::IsThin(Interval const& interval, std::size_t sampled, std::size_t splits) const {
  if (begun_) return sampled < splits;
  return limit_ == 0 || sampled < 4 * (WeightIn(interval) / limit_);
}

void ValueCounts::Plan(std::size_t splits, double cells_a_sampled_one) {
  ValueScan& scan = scan_.emplace();
  scan.first = begun_;
  scan.edges = Edges(splits);
  scan.use.assign(scan.edges.size() + 1, ValueScan::kIgnore);
  std::size_t c = 0;
  auto sampled = sample_.begin();
  for (Interval const& interval : wanted_) {
    auto const end =
        std::find_if(sampled, sample_.end(), [&](CountedValue const& v) { return v.value >= interval.end; });
    bool const thin = IsThin(interval, static_cast<std::size_t>(end - sampled), splits);
    sampled = end;
    while (Lower(scan, c) < interval.begin) ++c;
    for (; c < scan.use.size() && Lower(scan, c) < interval.end; ++c) {
      bool const collect = thin && !IsSingle(scan, c);
      scan.use[c] = collect ? ValueScan::kCollect : ValueScan::kCount;
      scan.collects = scan.collects || collect;
    }
  }
  need_ = scan.collects ? CellsToCollect(cells_a_sampled_one) : 0;
  wanted_.clear();
  std::vector<CountedValue>().swap(sample_);
}

std::uint64_t ValueCounts::WeightIn(Interval const& interval) const {
  auto const before = [](ValueRange const& range, float value) { return range.begin < value; };
  auto const first = std::lower_bound(ranges_.begin(), ranges_.end(), interval.begin, before);
  auto const last = std::lower_bound(first, ranges_.end(), interval.end, before);
  return std::accumulate(first, last, std::uint64_t{0},
                         [](std::uint64_t sum, auto const& r) { return sum + r.weight; });
}

std::size_t ValueCounts::CellsToCollect(double cells_a_sampled_one) const {
  if (!begun_) {
    std::uint64_t weight = 0;
    for (Interval const& interval : wanted_) weight += WeightIn(interval);
    return static_cast<std::size_t>(std::min<std::uint64_t>(weight, present_));
  }
  double cells = 0;
  for (CountedValue const& value : sample_) cells += value.cells == 1 ? 1 : 0;
  return static_cast<std::size_t>(cells * cells_a_sampled_one);
}

void ValueCounts::Absorb(ValueScan const& scan, ValueTally tally, WeightUnits const& units) {
  if (scan.first) {
    present_ = tally.present;
    lowest_ = present_ == 0 ? 0 : tally.lowest + 0.0F;
    highest_ = present_ == 0 ? 0 : tally.highest + 0.0F;
  }
  begun_ = false;
  --scans_left_;
  if (scan.categorical) return;
  tally.Shrink(scan.room);
  std::vector<CountedValue> values = Counted(tally, units);
  Replace(scan, tally, tally.Dropped() ? Span<CountedValue const>() : Span<CountedValue const>(values));
  if (tally.Dropped()) sample_ = std::move(values);
  if (!ranges_.empty() && ranges_.back().begin == highest_) ranges_.back().single = true;
}

// Puts what the scan found in the place of the ranges that it looked into. `collected`: all values of the intervals
// that collect, or none if some are missing.
void ValueCounts::Replace(ValueScan const& scan, ValueTally const& tally, Span<CountedValue const> collected) {
  std::vector<ValueRange> ranges;
  auto old = ranges_.begin();
  auto value = collected.begin();
  for (std::size_t c = 0; c < scan.use.size(); ++c) {
    float const upper = Upper(scan, c);
    for (; old != ranges_.end() && old->begin < upper; ++old) {
      if (scan.use[c] == ValueScan::kIgnore) ranges.push_back(*old);
    }
    if (scan.use[c] == ValueScan::kIgnore || tally.weight[c] == 0) continue;
    if (scan.use[c] == ValueScan::kCollect && !collected.empty()) {
      for (; value != collected.end() && value->value < upper; ++value) {
        ranges.push_back({value->value, true, value->weight});
      }
    } else {
      ranges.push_back({std::max(Lower(scan, c), lowest_), IsSingle(scan, c), tally.weight[c]});
    }
  }
  ranges_ = std::move(ranges);
}

}  // namespace xgbl
