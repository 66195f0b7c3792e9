// SPDX-License-Identifier: Apache-2.0
#include "exact/column_scan.h"

#include <limits>
#include <utility>

namespace xgbl {
namespace {

constexpr float kNothingYet = std::numeric_limits<float>::quiet_NaN();

template <class Visit>
void ForEachCell(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows, Visit const& visit) {
  for (std::size_t b = 0; b < columns.BlockCount(column); ++b)
    ForEachOpenCell(columns.GetBlock(column, b), rows, visit);
}

}  // namespace

ScanBatch::ScanBatch(TreeParam const& param, MonotoneConstraints const& monotone, GrowingTree const& tree,
                     std::vector<NodeId> const& nodes)
    : rule_(param), monotone_(monotone), scale_(tree.scales[0]) {
  least_hessian_ = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::ceil(std::min(param.min_child_weight / scale_.hessian_unit, 0x1p62))));
  lambda_ = param.reg_lambda / scale_.hessian_unit;
  alpha_ = param.reg_alpha / scale_.gradient_unit;
  score_per_gain_ = scale_.hessian_unit / (scale_.gradient_unit * scale_.gradient_unit);
  for (NodeId const id : nodes) {
    GrowingNode const& node = tree[id];
    double const gain = rule_.Gain(scale_.Gradient(node.sums[0]), scale_.Hessian(node.sums[0]), node.Bounds(0));
    nodes_.push_back({node.sums[0], node.Bounds(0), gain});
  }
}

Candidates ScanBatch::CandidatesOf(FixedSum total) const {
  Candidates out;
  out.gradient = static_cast<double>(total.gradient);
  out.hessian = static_cast<double>(total.hessian);
  out.lambda = lambda_;
  out.alpha = alpha_;
  out.least_hessian = static_cast<double>(least_hessian_);
  return out;
}

double ScanBatch::Gain(Node const& node, std::size_t feature, FixedSum left, FixedSum right) const {
  double const left_g = scale_.Gradient(left), left_h = scale_.Hessian(left);
  double const right_g = scale_.Gradient(right), right_h = scale_.Hessian(right);
  if (monotone_.Sign(feature) != 0) {
    double const left_w = rule_.Weight(left_g, left_h, node.bounds);
    double const right_w = rule_.Weight(right_g, right_h, node.bounds);
    if (!monotone_.Allows(feature, left_w, right_w)) return -std::numeric_limits<double>::infinity();
  }
  return rule_.Gain(left_g, left_h, node.bounds) + rule_.Gain(right_g, right_h, node.bounds) - node.gain;
}

ColumnScan::ColumnScan(ScanBatch const& batch) : batch_(batch), slots_(batch.Nodes().size()), best_(slots_.size()) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    ScanBatch::Node const& node = batch.Nodes()[i];
    slots_[i].total = node.total;
    slots_[i].bar = batch.Bar(node, Split::kLeastGain);
    slots_[i].last = kNothingYet;
    best_[i].gain = Split::kLeastGain;
    best_[i].feature = std::numeric_limits<std::uint32_t>::max();
  }
}

void ColumnScan::Scan(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows,
                      Span<std::uint8_t const> allowed) {
  Allow(allowed);
  batch_.Alpha() > 0 ? ScanWith<true>(columns, column, rows) : ScanWith<false>(columns, column, rows);
}

void ColumnScan::Allow(Span<std::uint8_t const> allowed) {
  for (std::size_t i = 0; i < allowed.size(); ++i) slots_[i].allowed = allowed[i] != 0;
}

void ColumnScan::ScanIndicator(std::size_t column, float value, Span<FixedSum const> present,
                               Span<std::uint8_t const> allowed) {
  Allow(allowed);
  for (std::size_t at = 0; at < slots_.size(); ++at) {
    FixedSum const missing = slots_[at].total - present[at];
    if (MayWin<true>(slots_[at], missing)) Consider(at, column, missing, Before(value), true);
  }
}

template <bool kHasAlpha>
bool ColumnScan::MayWin(Slot const& slot, FixedSum left) const {
  FixedSum const right = slot.total - left;
  int const enough = int{left.hessian >= batch_.LeastHessian()} & int{right.hessian >= batch_.LeastHessian()};
  return (enough & int{batch_.Beats<kHasAlpha>(left, right, slot.bar)}) != 0;
}

void ColumnScan::Consider(std::size_t slot, std::size_t column, FixedSum left, float threshold, bool missing_left) {
  Slot& state = slots_[slot];
  ScanBatch::Node const& node = batch_.Nodes()[slot];
  if (!state.allowed) return;
  Split split;
  FixedSum const right = state.total - left;
  split.gain = batch_.Gain(node, column, left, right);
  split.feature = static_cast<std::uint32_t>(column);
  split.threshold = threshold;
  split.missing_left = missing_left;
  if (!split.BetterThan(best_[slot])) return;
  split.left = {left};
  split.right = {right};
  best_[slot] = std::move(split);
  state.bar = batch_.Bar(node, best_[slot].gain);
}

// Where cells are missing, a first pass tells how much of each node is; then both directions are tried as one walks.
template <bool kHasAlpha, bool kMissing>
void ColumnScan::ScanCells(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows) {
  ForEachCell(columns, column, rows, [&](std::size_t at, float value, FixedPair pair) {
    Slot& slot = slots_[at];
    if (value != slot.last) {
      if (MayWin<kHasAlpha>(slot, slot.prefix)) {
        Consider(at, column, slot.prefix, Between(slot.last, value), !kMissing);
      }
      if (kMissing && slot.has_missing && MayWin<kHasAlpha>(slot, slot.prefix + slot.missing)) {
        bool const first = std::isnan(slot.last);
        Consider(at, column, slot.prefix + slot.missing, first ? Before(value) : Between(slot.last, value), true);
      }
    }
    slot.prefix += pair;
    slot.last = value;
  });
}

template <bool kHasAlpha>
void ColumnScan::ScanWith(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows) {
  if (!columns.HasMissing(column)) {
    for (Slot& slot : slots_) {
      slot.prefix = {};
      slot.last = kNothingYet;
    }
    return ScanCells<kHasAlpha, false>(columns, column, rows);
  }
  SumPresent(columns, column, rows);
  bool const one_value = !touched_.empty() && columns.HasOneValue(column);  // presence is all that such a column tells
  if (!one_value) ScanCells<kHasAlpha, true>(columns, column, rows);
  for (std::size_t const at : touched_) {
    Slot& slot = slots_[at];
    slot.touched = false;
    FixedSum const left = one_value ? slot.missing : slot.prefix;
    if (!slot.has_missing || !MayWin<kHasAlpha>(slot, left)) continue;
    float const threshold = one_value ? Before(columns.GetBlock(column, 0).values[0]) : After(slot.last);
    Consider(at, column, left, threshold, one_value);
  }
  touched_.clear();
}

void ColumnScan::SumPresent(ColumnBlocks const& columns, std::size_t column, Span<ScanRow const> rows) {
  ForEachCell(columns, column, rows, [&](std::size_t at, float, FixedPair pair) {
    Slot& slot = slots_[at];
    if (!slot.touched) {
      slot.touched = true;
      slot.prefix = {};
      touched_.push_back(at);
    }
    slot.prefix += pair;
  });
  for (std::size_t const at : touched_) {
    Slot& slot = slots_[at];
    slot.missing = slot.total - slot.prefix;
    slot.has_missing = !(slot.missing == FixedSum{});
    slot.prefix = {};
    slot.last = kNothingYet;
  }
}

}  // namespace xgbl
