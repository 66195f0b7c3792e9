// SPDX-License-Identifier: Apache-2.0
// The exact greedy scan (Chen and Guestrin 2016, algorithms 1 and 3). One pass over a sorted column finds the best
// threshold on it for every open node at once, with missing values sent right and sent left.
// Two costs matter. Rows come in random order (ForEachOpenCell). And nearly all candidates lose, so they are screened
// without a division, and only the few that may beat the node's best are worked out.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bits.h"
#include "base/span.h"
#include "columns/column_blocks.h"
#include "simd/histogram_kernels.h"
#include "tree/fixed_point.h"
#include "tree/gain.h"
#include "tree/growing_tree.h"
#include "tree/tree_param.h"

namespace xgbl {

/// A threshold between two neighbouring values of a node, so that the lower one goes left and the upper one right:
/// their midpoint, unless rounding or overflow moved it onto the lower value or out of range.
inline float Between(float lower, float upper) {
  float const middle = (lower + upper) * 0.5F;
  return middle > lower && middle <= upper ? middle : upper;
}

/// Thresholds outside all values of a node, where only presence matters.
constexpr float kEdgeGap = 1e-6F;
inline float Before(float first) { return first - (std::fabs(first) + kEdgeGap); }
inline float After(float last) { return last + (std::fabs(last) + kEdgeGap); }

/// A FixedPair and the place of the row's node in the batch that is evaluated.
struct ScanRow {
  std::int64_t gradient;
  std::int32_t hessian;
  std::int32_t slot;

  FixedPair Pair() const { return {gradient, hessian}; }
};
static_assert(sizeof(ScanRow) == 16, "four to a cache line");

// Slots of rows that take no part; all are negative.
constexpr std::int32_t kNoSlot = -1;      // the node is not in the batch
constexpr std::int32_t kNotSampled = -2;  // the tree is not grown on the row

/// Calls `visit(slot, value, pair)` for the cells of open nodes, in the column's order. Their rows lie anywhere in
/// memory (Chen and Guestrin 2016, section 4.2). The records of a chunk of cells are fetched into a small buffer at
/// once, and those of the next chunk are prefetched, before the cells are processed one after the other. So the cache
/// misses of many rows overlap. bench/cpp/cell_gather_bench.cc shows the gain.
template <class Visit>
void ForEachOpenCell(ColumnBlocks::Block const& block, Span<ScanRow const> rows, Visit&& visit) {
  constexpr std::size_t kChunk = 64;
  std::array<ScanRow, kChunk> buffer;
  std::size_t const size = block.rows.size();
  for (std::size_t begin = 0; begin < size; begin += kChunk) {
    std::size_t const count = std::min(kChunk, size - begin);
    std::size_t const next_end = std::min(size, begin + 2 * kChunk);
    for (std::size_t k = begin + count; k < next_end; ++k) Prefetch(&rows[block.rows[k]]);
    for (std::size_t k = 0; k < count; ++k) buffer[k] = rows[block.rows[begin + k]];
    for (std::size_t k = 0; k < count; ++k) {
      if (buffer[k].slot < 0) continue;
      visit(static_cast<std::size_t>(buffer[k].slot), block.values[begin + k], buffer[k].Pair());
    }
  }
}

/// What all columns and threads share while a batch of nodes is evaluated.
class ScanBatch {
 public:
  ScanBatch(TreeParam const& param, MonotoneConstraints const& monotone, GrowingTree const& tree,
            std::vector<NodeId> const& nodes);

  struct Node {
    FixedSum total;
    WeightBounds bounds;
    double gain = 0;  // of the node unsplit
  };

  std::vector<Node> const& Nodes() const { return nodes_; }
  std::int64_t LeastHessian() const { return least_hessian_; }
  /// L1 in units of the fixed-point sums.
  double Alpha() const { return alpha_; }
  /// Candidates of a node with these sums, without their left sides.
  Candidates CandidatesOf(FixedSum total) const;
  /// The score up to which no split of a node can win once one of this gain is known. Scores are gains in gradient
  /// units squared per hessian unit. Rounding must never cost a winner: a bar is lower by a share that is far more than
  /// double loses.
  double Bar(Node const& node, double gain) const {
    double const score = (node.gain + gain) * score_per_gain_;
    return score - std::fabs(score) * kScreenSlack;
  }
  /// Whether the best conceivable score of a split could be above the bar: G_l^2 / H_l + G_r^2 / H_r > bar, multiplied
  /// out. Clamping of weights can only lower a gain, so the screen holds for it too.
  template <bool kHasAlpha>
  bool Beats(FixedSum left, FixedSum right, double bar) const {
    auto left_g = static_cast<double>(left.gradient), right_g = static_cast<double>(right.gradient);
    if constexpr (kHasAlpha) {
      left_g = std::max(std::fabs(left_g) - alpha_, 0.0);
      right_g = std::max(std::fabs(right_g) - alpha_, 0.0);
    }
    double const left_h = static_cast<double>(left.hessian) + lambda_;
    double const right_h = static_cast<double>(right.hessian) + lambda_;
    return left_g * left_g * right_h + right_g * right_g * left_h > bar * (left_h * right_h);
  }
  /// The gain of a split of a node; minus infinity if a constraint forbids it.
  double Gain(Node const& node, std::size_t feature, FixedSum left, FixedSum right) const;

 private:
  static constexpr double kScreenSlack = 1e-9;

  GainRule rule_;
  MonotoneConstraints const& monotone_;
  FixedScale scale_;
  std::vector<Node> nodes_;
  std::int64_t least_hessian_;
  double lambda_;
  double alpha_;
  double score_per_gain_;
};

/// One thread's scan over columns: the best split of each node among the columns it has seen.
class ColumnScan {
 public:
  explicit ColumnScan(ScanBatch const& batch);

  /// `allowed` has a flag per slot; empty means that every node may split on this column.
  void Scan(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows,
            Span<std::uint8_t const> allowed);

  /// A column in which all cells equal `value`; `present` has the sum of the rows with a cell per slot.
  void ScanIndicator(std::size_t column, float value, Span<FixedSum const> present, Span<std::uint8_t const> allowed);

  std::vector<Split> const& Best() const { return best_; }

 private:
  // The state of one node within a column.
  struct Slot {
    FixedSum prefix;   // of the cells met so far
    FixedSum missing;  // of the node's rows without a cell in this column
    FixedSum total;    // of the node
    double bar = 0;    // screen: scores up to this can't win
    float last = 0;    // value of the last cell met, NaN at the column's begin
    bool has_missing = false;
    bool touched = false;  // any cell met in this column
    bool allowed = true;
  };

  template <bool kHasAlpha, bool kMissing>
  void ScanCells(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows);
  template <bool kHasAlpha>
  void ScanWith(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows);
  template <bool kHasAlpha>
  bool MayWin(Slot const& slot, FixedSum left) const;
  void Consider(std::size_t slot, std::size_t column, FixedSum left, float threshold, bool missing_left);
  void Allow(Span<std::uint8_t const> allowed);
  void SumPresent(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows);

  ScanBatch const& batch_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> touched_;
  std::vector<Split> best_;
};

}  // namespace xgbl
