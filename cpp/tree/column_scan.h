// SPDX-License-Identifier: Apache-2.0
// The exact greedy scan (Chen and Guestrin 2016, algorithms 1 and 3): one pass over a sorted column finds the best
// threshold on it for every open node at once, with missing values sent right and sent left.
// Costs that matter: rows are met in random order (cell_gather.h); and nearly all candidates lose, so they are screened
// without a division, and only the few that may beat the node's best are worked out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "data/column_blocks.h"
#include "tree/cell_gather.h"
#include "tree/constraints.h"
#include "tree/fixed_point.h"
#include "tree/gain.h"
#include "tree/growing_tree.h"
#include "tree/split.h"
#include "tree/tree_param.h"

namespace xgbl {

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
  /// L2 and L1 in units of the fixed-point sums.
  double Lambda() const { return lambda_; }
  double Alpha() const { return alpha_; }
  /// A gain in units of the screen's scores: gradient units squared per hessian unit.
  double Score(double gain) const { return gain * score_per_gain_; }
  /// The gain of a split of a node; minus infinity if a constraint forbids it.
  double Gain(Node const& node, std::size_t feature, FixedSum left, FixedSum right) const;

 private:
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

  template <bool kHasAlpha>
  void ScanDense(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows);
  template <bool kHasAlpha>
  void ScanWithMissing(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows);

  template <bool kHasAlpha>
  bool MayWin(Slot const& slot, FixedSum left) const;
  void Consider(std::size_t slot, std::size_t column, FixedSum left, float threshold, bool missing_left);
  void Allow(Span<std::uint8_t const> allowed);
  void SumPresent(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows);
  void ResetTouched();

  ScanBatch const& batch_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> touched_;
  std::vector<Split> best_;
};

}  // namespace xgbl
