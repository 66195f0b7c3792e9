// SPDX-License-Identifier: Apache-2.0
// What the makers of cuts know about the values of one feature: ranges that together hold all of them, each with its
// exact weight; of some it is known that all their values are equal. Life: SetAll if all values are at hand; else Begin
// with a sample, and then Plan, a scan of the rows, and Absorb as long as Wants() finds ranges to be known more closely:
//   - the feature may have no more distinct values than bins, but some range is not known to be a single one; or
//   - a range that is no single value is heavier than half a bin's share, and a cut might be needed within.
// A wanted range is split at quantiles of values that were sampled from it. If there are too few of these, its values are
// collected; if all can be kept, each becomes a range of its own, else they are the sample for the next scan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/span.h"
#include "data/value_scan.h"
#include "data/weight_units.h"

namespace xgbl {

/// A value that occurs `cells` times in a sample, or in all rows.
struct CountedValue {
  float value = 0;
  std::uint64_t weight = 0;
  std::size_t cells = 0;
};

/// Adds a cell to values that rise.
void AddCell(float value, std::uint64_t weight, std::vector<CountedValue>* values);

/// The values from `begin` to where the next range begins.
struct ValueRange {
  float begin = 0;
  bool single = false;  // all of them equal `begin`
  std::uint64_t weight = 0;
};

class ValueCounts {
 public:
  /// The most ranges that one scan splits the values into: the edges are numbered in 16 bits, and a single value has two.
  static constexpr std::size_t kMostSplits = 16000;

  /// All values of the feature.
  void SetAll(Span<CountedValue const> values);
  /// Values of some cells; their weights are what they stand for. `kept_share`: of the rows.
  void Begin(std::vector<CountedValue> sample, double kept_share);

  /// Whether a scan is needed for so many bins.
  bool Wants(std::size_t bins, std::size_t splits);
  /// The scan that is needed; splits the sampled values into at most so many ranges. The caller sets its room.
  ValueScan Plan(std::size_t splits) const;
  /// About how many values the next scan collects.
  std::size_t Need(ValueScan const& scan) const;
  void Absorb(ValueScan const& scan, ValueTally tally, WeightUnits const& units);

  std::size_t Present() const { return present_; }
  float Lowest() const { return lowest_; }
  float Highest() const { return highest_; }
  std::size_t SampledValues() const { return sample_.size(); }
  /// Where at most so many bins begin: values of the data that rise, the first of them the lowest. Empty without cells.
  std::vector<float> BinBegins(std::size_t bins) const;

 private:
  struct Interval {
    float begin = 0;
    float end = 0;  // not in it
  };

  std::vector<float> Edges(std::size_t splits) const;
  bool IsThin(Interval const& interval, std::size_t sampled, std::size_t splits) const;
  std::uint64_t WeightIn(Interval const& interval) const;
  void Replace(ValueScan const& scan, ValueTally const& tally, Span<CountedValue const> collected);

  std::vector<ValueRange> ranges_;    // none empty
  std::vector<Interval> wanted_;      // rising, disjoint
  std::uint64_t limit_ = 0;           // ranges of more weight are wanted
  std::vector<CountedValue> sample_;  // of what is wanted
  double kept_share_ = 1;             // of the rows in the first sample
  bool begun_ = false;                // the first scan is still to be made
  int scans_left_ = 8;                // values could be such that every scan finds too few of those that matter
  std::size_t present_ = 0;
  float lowest_ = 0;
  float highest_ = 0;
};

}  // namespace xgbl
