// SPDX-License-Identifier: Apache-2.0
// The best exact split of one node by branch and bound over bins. Candidates at the borders of bins are worked out from
// the sums of the bins. What a split within a bin could reach is bounded: its left sums lie in a box, the bin's rise
// and fall of the gradient by its hessian, and the score is convex in them, so none exceeds the largest of the box's
// corners. Only bins whose bound is above what is known already are refined: their rows of the node are walked in the
// order of their values. Clamping of weights and monotone constraints only lower a gain, so the bound holds for them.
// Gives the splits of ColumnScan to the bit: the same integers, the same gains, the same order of ties.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "data/binned_matrix.h"
#include "data/column_blocks.h"
#include "data/feature_matrix.h"
#include "tree/bin_sums.h"
#include "tree/column_scan.h"
#include "tree/split.h"
#include "tree/tree.h"
#include "tree/value_keys.h"

namespace xgbl {

/// What all searches of a tree share. The slot of a record is the row's node.
struct SearchData {
  DenseTable const& table;
  ColumnBlocks const& sorted;
  BinnedMatrix const& bins;
  Span<ScanRow const> records;
};

/// The codes of one feature, row by row.
struct CodeColumn {
  std::uint8_t const* codes;
  std::size_t stride;
  std::uint8_t At(std::size_t row) const { return codes[row * stride]; }
};
CodeColumn CodesOf(BinnedMatrix const& bins, std::uint32_t feature);

/// The largest score, or more, of any split that sends `before` and a part of the bin to the left; minus infinity if
/// none leaves both sides enough hessian.
double BoundOf(ScanBatch const& batch, FixedSum total, FixedSum before, BinSum const& bin);

/// Of one thread.
class BoundedSearch {
 public:
  explicit BoundedSearch(SearchData const& data);

  struct Task {
    ScanBatch::Node const& sums;
    NodeId node;
    Span<std::uint32_t const> rows;      // rising
    Span<std::uint32_t const> features;  // that the node may be split on, rising
    BinSum const* bins = nullptr;        // nullptr: too few rows for bins, all are sorted
  };
  Split Best(ScanBatch const& batch, Task const& task);

  /// Cells of all nodes that had bins, and those of them that were refined.
  std::size_t Cells() const { return seen_; }
  std::size_t Refined() const { return refined_; }

 private:
  static constexpr std::uint32_t kNoBin = 0xFFFFFFFFU;

  // Where a candidate is: thresholds rise with the place within a feature and direction.
  struct Place {
    std::uint32_t bin = 0;   // before this bin if `cell` is 0, else within it
    std::uint32_t cell = 0;  // before this cell of the node
  };
  struct Found {
    double gain = Split::kLeastGain;
    std::uint32_t feature = 0xFFFFFFFFU;
    bool missing_left = false;
    Place place;
    bool has_threshold = false;
    float threshold = 0;
    FixedSum left;
  };
  // One feature of the node.
  struct Column {
    std::uint32_t feature = 0;
    bool may_miss = false;     // in some row of the matrix
    bool has_missing = false;  // in the node, as far as sums can tell
    FixedSum missing;
  };
  // A bin that may hold the best split.
  struct Open {
    std::uint32_t bin = 0;
    FixedSum before;
    double bound = 0;
    std::int64_t rows = 0;
  };
  struct Group {
    Column column;
    std::size_t first = 0, count = 0;  // among the open bins
    double bound = 0;
    std::array<std::uint32_t, 2> done{kNoBin, kNoBin};  // bins that were refined before all others
  };
  // The cells of a bin in the sorted column; none: not looked up yet.
  struct Segment {
    std::size_t begin = 0, end = 0;
  };

  BinSum const* BinsOf(std::uint32_t feature) const;
  Column Describe(std::uint32_t feature, FixedSum present) const;
  void TryBorders(std::uint32_t feature);
  void TryPresence(Column const& column);
  void RefineAroundBest();
  void CollectOpen(Group* group);
  bool MayWin(Column const& column, FixedSum before, BinSum const& bin) const;
  void Refine(Group const& group);
  void RefineBySegments(Column const& column, Span<Open> open);
  void RefineByRows(Column const& column, Span<Open const> open);
  void SearchDirectly(std::uint32_t feature);
  void RefineCells(Column const& column, Open const& open, Span<std::uint64_t> cells);
  void Walk(Column const& column, Open const& open, Span<std::uint64_t const> cells, std::size_t first = 0);

  /// A candidate between two cells or bins, with missing values right, and left.
  void TryBetween(Column const& column, FixedSum prefix, Place place, float const* threshold);
  void Try(Column const& column, FixedSum left, bool missing_left, Place place, float const* threshold);
  float ThresholdOf(Found const& found);

  Segment const& SegmentOf(std::uint32_t feature, std::uint32_t bin);
  template <class Visit>
  void ForEachInSegment(std::uint32_t feature, std::uint32_t bin, Visit&& visit);
  bool OneValue(std::uint32_t feature, std::uint32_t bin);
  float ValueAt(std::uint32_t feature, std::size_t cell) const;
  float EdgeValue(std::uint32_t feature, std::uint32_t bin, bool largest);

  SearchData data_;
  ScanBatch const* batch_ = nullptr;
  Task const* task_ = nullptr;
  double bar_ = 0;
  Found best_;
  std::vector<Open> open_;
  std::vector<Group> groups_;
  std::vector<Segment> segments_;  // by bin of the histogram
  BucketSplitter buckets_;
  std::vector<std::uint32_t> rows_;   // picked from the node's
  std::vector<std::uint64_t> cells_;  // their keys
  std::size_t seen_ = 0;
  std::size_t refined_ = 0;
};

}  // namespace xgbl
