// SPDX-License-Identifier: Apache-2.0
// What the makers of cuts know about the values of one feature: ranges that together hold all of them, each with its
// exact weight. Some ranges are known to hold a single value. Life: SetAll if all values are at hand. Otherwise Begin
// with a sample; then, as long as a scan IsPlanned(): TakeScan, scan the rows, Absorb. After SetAll and Absorb, Settle
// either finds the bins or plans another scan, because some range must be known better:
//   - the feature may have no more distinct values than bins, but some range may hold more than one value; or
//   - a range of several values is heavier than half a bin's share, and a cut might be needed within.
// A wanted range is split at quantiles of values that were sampled from it. If there are too few of these, its values
// are collected. If all fit, each becomes a range of its own; otherwise they are the sample for the next scan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/span.h"
#include "cuts/value_scan.h"
#include "labels/weight_units.h"

namespace xgbl {

/// A value that occurs `cells` times in a sample, or in all rows.
struct CountedValue {
  float value = 0;
  std::uint32_t cells = 0;
  std::uint64_t weight = 0;
};

/// Joins equal neighbours among values that rise: calls `visit(counted value)` for each. `weight_of(i)`: of value i.
template <class WeightOf, class Visit>
void ForEachDistinct(Span<float const> values, WeightOf&& weight_of, Visit&& visit) {
  for (std::size_t i = 0; i < values.size();) {
    CountedValue distinct{values[i], 0, 0};
    do {
      ++distinct.cells;
      distinct.weight += weight_of(i++);
    } while (i < values.size() && values[i] == distinct.value);
    visit(distinct);
  }
}

/// The values from `begin` to where the next range begins.
struct ValueRange {
  float begin = 0;
  bool single = false;  // all of them equal `begin`
  std::uint64_t weight = 0;
};

class ValueCounts {
 public:
  /// The most ranges that one scan splits the values into: the edges are numbered in 16 bits, and a single value has
  /// two.
  static constexpr std::size_t kMostSplits = 16000;

  /// All cells of the feature, values rising. `weights`: of each; empty: 1.
  void SetAll(Span<float const> values, Span<std::uint64_t const> weights);
  /// Values of some cells; their weights are what they stand for. `kept_share`: of the rows. Plans a scan that splits
  /// them into about this many ranges.
  void Begin(std::vector<CountedValue> sample, double kept_share, std::size_t splits);

  bool IsPlanned() const { return planned_; }
  /// About how many values the planned scan collects.
  std::size_t Need() const { return need_; }
  /// The planned scan; the caller sets its room.
  ValueScan TakeScan();
  void Absorb(ValueScan const& scan, ValueTally tally, WeightUnits const& units);
  /// Cuts the values into at most this many bins, or plans the scan that this needs.
  void Settle(std::size_t bins, std::size_t splits);

  std::size_t Present() const { return present_; }
  float Lowest() const { return lowest_; }
  float Highest() const { return highest_; }
  /// Where the bins begin: values of the data that rise, the first of them the lowest. Empty without cells.
  Span<float const> BinBegins() const { return bin_begins_; }

 private:
  struct Interval {
    float begin = 0;
    float end = 0;  // not in it
  };

  void Want(std::size_t bins, std::size_t splits);
  void DropUseless();
  void Plan(std::size_t splits, double cells_a_sampled_one);
  std::vector<float> Edges(std::size_t splits) const;
  bool IsThin(Interval const& interval, std::size_t sampled, std::size_t splits) const;
  std::uint64_t WeightIn(Interval const& interval) const;
  std::size_t CellsToCollect(double cells_a_sampled_one) const;
  void Replace(ValueScan const& scan, ValueTally const& tally, Span<CountedValue const> collected);

  std::vector<ValueRange> ranges_;    // none empty; dropped once the bins are known
  std::vector<Interval> wanted_;      // rising, disjoint
  std::uint64_t limit_ = 0;           // ranges of more weight are wanted
  std::vector<CountedValue> sample_;  // of what is wanted
  ValueScan scan_;                    // if one is planned
  bool planned_ = false;
  bool begun_ = false;  // no scan was made
  std::size_t need_ = 0;
  int scans_left_ = 8;  // values could be such that every scan finds too few of those that matter
  std::size_t present_ = 0;
  float lowest_ = 0;
  float highest_ = 0;
  std::vector<float> bin_begins_;
};

}  // namespace xgbl
