// SPDX-License-Identifier: Apache-2.0
// The best exact split of one node by branch and bound over bins. A histogram bounds what a split within a bin or at
// its borders can reach (bin_bounds.h). Only bins whose bound is above the best known score are examined. The feature
// with the best border is worked out exactly first, which sets a high bar for all others. For another feature with open
// bins, the rows of these bins are walked in the order of their values (BinWalk), starting from the histogram's sum
// of what is below them. Only if they can still win are the feature's exact sums added up. Clamped weights and monotone
// constraints only lower a gain, so the bounds hold for them. Gives the splits of ColumnScan to the bit: the same
// integers, the same gains, the same order of ties.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "bins/bin_order.h"
#include "exact/bin_bounds.h"
#include "exact/column_scan.h"
#include "parallel/radix_sort.h"
#include "tree/growing_tree.h"

namespace xgbl {

/// A subset of the rows of a table, one bit per row. Those of a million rows, looked up in any order, stay in the
/// cache.
class RowSet {
 public:
  /// `rows`: how many the table has.
  explicit RowSet(std::size_t rows) : words_((rows + 63) / 64) {}

  bool Has(std::uint32_t row) const { return (words_[row / 64] >> row % 64 & 1U) != 0; }

  /// To a set that has none. Both halves at once, as within a half each step waits for the one before.
  void Add(Span<std::uint32_t const> rising) {
    std::size_t half = rising.size() / 2;
    while (half > 0 && rising[half] / 64 == rising[half - 1] / 64) --half;  // halves share no word
    Span<std::uint32_t const> const first = rising.Sub(0, half), second = rising.Sub(half, rising.size() - half);
    Writer one, other;
    for (std::size_t i = 0; i < first.size(); ++i) {
      one.Write(first[i], words_.data());
      other.Write(second[i], words_.data());
    }
    for (std::size_t i = first.size(); i < second.size(); ++i) other.Write(second[i], words_.data());
  }

  /// Takes the rows out that were added.
  void Remove(Span<std::uint32_t const> rows) {
    if (rows.size() >= words_.size()) {
      std::fill(words_.begin(), words_.end(), 0);
    } else {
      for (auto const row : rows) words_[row / 64] = 0;
    }
  }

 private:
  // What is in the word so far is carried from row to row, as reading it would wait for the write before, and written
  // every time, as asking whether it is complete could not be foreseen.
  struct Writer {
    std::size_t at = 0;
    std::uint64_t word = 0;

    void Write(std::uint32_t row, std::uint64_t* words) {
      std::uint64_t const same = row / 64 == at ? ~std::uint64_t{0} : 0;
      at = row / 64;
      word = (word & same) | std::uint64_t{1} << row % 64;
      words[at] = word;
    }
  };

  std::vector<std::uint64_t> words_;
};

/// What all searches of a tree share.
struct SearchData {
  BinOrder const& order;
  Span<FineRow const> exact;  // by row
  CoarseGradients const& coarse;
  SimdLevel simd;
};

/// Of one thread.
class BoundedSearch {
 public:
  explicit BoundedSearch(SearchData const& data);

  struct Task {
    ScanBatch::Node const& sums;
    Span<std::uint32_t const> rows;      // rising
    Span<std::uint32_t const> features;  // that the node may be split on, rising
    Histogram const* histogram;          // by sign; nullptr: too few rows for one, all are sorted
    std::atomic<double>& best_gain;      // that any search of some of the node's features has found so far
  };
  /// None if another search has found a better one by then.
  Split Best(ScanBatch const& batch, Task const& task);

  /// Cells of all nodes that had a histogram, and those of the bins that were looked into: of nodes that several
  /// threads search, these depend on when one hears of what another has found.
  std::size_t Cells() const { return seen_; }
  std::size_t Refined() const { return refined_; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  // Where a candidate is: thresholds rise with the place within a feature and direction.
  struct Place {
    std::uint32_t bin = 0;   // before this bin if `cell` is 0, else within it
    std::uint32_t cell = 0;  // before this cell of the node
  };
  struct Found {
    double gain = Split::kLeastGain;
    std::uint32_t feature = kNone;
    bool missing_left = false;
    Place place;
    std::optional<float> threshold;  // known of one within a bin
    FixedSum left;
  };
  // One feature of the node.
  struct Column {
    std::uint32_t feature = kNone;
    bool may_miss = false;     // in some row of the matrix
    bool has_missing = false;  // in the node, as far as sums can tell
    FixedSum missing;
  };
  using Open = BinBounds::Open;
  struct Group {
    std::size_t place = 0;             // of the feature among the task's
    std::size_t first = 0, count = 0;  // among the open bins
    double bound = 0;
  };
  // Of cells that lie side by side: their sums, and that of the magnitudes of their gradients.
  struct CellSum {
    FixedSum sum;
    std::int64_t magnitude = 0;
  };

  void SearchByBounds();
  std::array<std::uint32_t, 2> RefineAroundBest(std::size_t lead);
  void CollectOpen(std::size_t place, std::array<std::uint32_t, 2> done);
  void Refine(Group const& group);
  void RefineBySegments(std::uint32_t feature, Span<Open> open);
  void RefineByRows(std::uint32_t feature, Span<Open> open);
  void RefineCells(Open const& open, Span<std::uint64_t> cells);
  void SearchDirectly(std::uint32_t feature);
  void Walk(std::uint32_t bin, FixedSum before, Span<std::uint64_t const> cells, std::size_t first = 0);

  void Share();
  bool Beaten() const { return task_->best_gain.load(std::memory_order_relaxed) > best_.gain; }
  bool MayWin(std::size_t place, std::uint32_t bin);
  bool MayWinExactly(std::uint32_t bin);
  bool MayWinWithin(std::uint32_t feature, std::uint32_t bin, Span<NearSum const> left);
  bool BoxBeats(FixedSum before, CellSum const& cells) const;

  Column Describe(std::uint32_t feature, FixedSum present) const;
  bool NeedsFetching() const;
  void MakeExact(std::uint32_t feature);
  void TryBorders();
  bool AnyBorderMayWin(std::uint32_t first, std::uint32_t end);
  void TryPresence();
  void TryBetween(FixedSum prefix, Place place, std::optional<float> threshold);
  void Try(FixedSum left, bool missing_left, Place place, std::optional<float> threshold);
  float ThresholdOf(Found const& found);
  float EdgeValue(std::uint32_t feature, std::uint32_t bin, bool largest);

  bool BySegments(std::size_t cells_of_bins) const;
  void MarkRows();
  bool Marked(std::uint32_t row) const { return marked_all_ || own_rows_.Has(row); }
  Span<std::uint32_t const> OfNode(Span<std::uint32_t const> rows);

  SearchData data_;
  BinBounds bounds_;
  BinWalk walk_;
  ScanBatch const* batch_ = nullptr;
  Task const* task_ = nullptr;
  double bar_ = 0;
  Found best_;
  RowSet own_rows_;                   // the task's, if
  bool marked_ = false;               // they were marked; but
  bool marked_all_ = false;           // they may be all that there are
  Column column_;                     // whose exact sums of the node's rows these are:
  std::vector<FixedSum> below_;       // each bin, and in all of them behind the last one;
  std::vector<std::uint32_t> count_;  // and how many rows there are in each
  std::vector<Open> open_;
  std::vector<Group> groups_;
  BucketSplitter buckets_;
  std::vector<std::uint32_t> rows_;     // picked from the node's
  std::vector<std::uint64_t> cells_;    // their keys
  std::vector<std::uint32_t> of_node_;  // what OfNode() gave last
  std::size_t seen_ = 0;
  std::size_t refined_ = 0;
};

}  // namespace xgbl
