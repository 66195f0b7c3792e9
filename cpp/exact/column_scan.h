// SPDX-License-Identifier: Apache-2.0
// The exact greedy scan (Chen and Guestrin 2016, algorithms 1 and 3). One pass over a sorted column finds the best
// threshold on it for every open node at once, with missing values sent right and sent left.
// Two costs matter. Rows come in random order (cell_gather.h). And nearly all candidates lose, so they are screened
// without a division, and only the few that may beat the node's best are worked out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "columns/column_blocks.h"
#include "exact/cell_gather.h"
#include "tree/fixed_point.h"
#include "tree/gain.h"
#include "tree/growing_tree.h"
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
  /// The score itself.
  double ScoreOf(FixedSum left, FixedSum right) const {
    auto const part = [&](FixedSum sum) {
      double const shrunk = std::max(std::fabs(static_cast<double>(sum.gradient)) - alpha_, 0.0);
      return shrunk * shrunk / (static_cast<double>(sum.hessian) + lambda_);
    };
    return part(left) + part(right);
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
