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

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "cuts/cut_sample.h"

namespace xgbl {

/// Row weights as integers, so that sums do not depend on the order. The largest becomes about 2^40, or less if there
/// are so many rows that the sum could exceed 2^62. Every row counts at least one unit.
class WeightUnits {
 public:
  /// All rows are equal.
  WeightUnits() = default;
  WeightUnits(float largest, std::size_t rows) {
    if (!(largest > 0)) return;  // no row has any weight
    int bits = kMostBits;
    while (bits > 1 && (rows >> static_cast<unsigned>(62 - bits)) != 0) --bits;
    int exponent = 0;
    static_cast<void>(std::frexp(largest, &exponent));
    factor_ = std::ldexp(1.0, bits - exponent);
  }

  bool AllEqual() const { return factor_ == 0; }
  std::uint64_t operator()(double weight) const {
    if (AllEqual()) return 1;
    double const units = weight * factor_ + 0.5;
    return units < 1 ? 1 : static_cast<std::uint64_t>(std::min(units, kMost));
  }

 private:
  static constexpr int kMostBits = 40;
  static constexpr double kMost = 0x1p40;
  double factor_ = 0;
};

/// One look at the values of a feature: how much weight lies between given edges, and single values where those are
/// wanted. Interval c holds the values in [edges[c - 1], edges[c]).
struct ValueScan {
  enum Use : std::uint8_t { kIgnore, kCount, kCollect };

  std::size_t feature = 0;
  std::vector<float> edges;       // rising
  std::vector<std::uint8_t> use;  // by interval: a Use
  std::size_t room = 0;           // for collected values, at least one
  bool collects = false;          // some interval does
  bool first = false;             // range and number of the present cells are wanted, too
  bool categorical = false;       // all that is wanted, after a check that the cells are categories
};

struct CollectedValue {
  std::uint32_t row = 0;
  float weight = 0;  // of the row
  float value = 0;

  RowRank Rank() const { return RowRank::Of(row, weight); }
};

/// A run of cells of one feature, NaN if missing.
struct CellRun {
  Span<float const> values;
  std::uint32_t const* rows = nullptr;  // the row of each within its piece; nullptr: they follow one another
  std::size_t first = 0;                // the first of them then
};

/// Throws DataError for a present value that is not the code of a category.
void CheckCategories(std::size_t feature, Span<float const> values);

/// What scans find. One thread fills a tally; tallies are then merged. Sums are integers, so the way that blocks of
/// rows are shared does not change them. Collected values take bounded memory: those of the rows with the lowest ranks
/// (cut_sample.h) are kept, so the result does not depend on the order of the rows.
struct ValueTally {
  std::vector<std::uint64_t> weight;  // by interval; one more for missing cells
  std::size_t present = 0;
  float lowest = std::numeric_limits<float>::infinity();
  float highest = -std::numeric_limits<float>::infinity();
  std::vector<CollectedValue> collected;
  RowRank bound = RowRank::End();  // no value of this row or a later one is kept

  /// Prepares it for the next scan.
  void Reset(ValueScan const& scan);
  /// `codes`: room for as many as the run has values.
  void Add(ValueScan const& scan, CellRun const& run, RowPiece const& piece, Context const& ctx, std::uint16_t* codes);
  void Merge(ValueScan const& scan, ValueTally const& other);
  /// Whether collected values had to be left out.
  bool Dropped() const { return bound < RowRank::End(); }
  /// Leaves no more collected values than there is room for.
  void Shrink(std::size_t room);

 private:
  void Measure(Span<float const> values);
  void Count(CellRun const& run, Span<std::uint64_t const> units, std::uint16_t const* codes);
  void Collect(ValueScan const& scan, CellRun const& run, RowPiece const& piece, std::uint16_t const* codes);
  void Keep(CollectedValue const& value, std::size_t room);
};

/// The scan of one feature and what it has found so far.
struct FeatureScan {
  ValueScan scan;
  ValueTally tally;
};

/// Runs the scans of many features, which rise, over a piece of the rows. Dense tables are read in blocks of rows that
/// are transposed in the cache. Cells of sparse rows are sorted by column within a block, so only present cells cost
/// time or memory. Threads share the blocks.
void ScanCells(RowPiece const& piece, std::vector<FeatureScan>* scans, Context const& ctx);

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

  bool IsPlanned() const { return scan_.has_value(); }
  /// About how many values the planned scan collects.
  std::size_t Need() const { return need_; }
  /// The planned scan; the caller sets its room.
  ValueScan TakeScan() { return *std::exchange(scan_, std::nullopt); }
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
  std::optional<ValueScan> scan_;     // if one is planned
  bool begun_ = false;                // no scan was made
  std::size_t need_ = 0;
  int scans_left_ = 8;  // values could be such that every scan finds too few of those that matter
  std::size_t present_ = 0;
  float lowest_ = 0;
  float highest_ = 0;
  std::vector<float> bin_begins_;
};

}  // namespace xgbl
