// SPDX-License-Identifier: Apache-2.0
#include "hist/histogram_scan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace xgbl {
namespace {

// Rounding of scores must never cost a winner: a candidate this much short of the best is still worked out.
constexpr double kScreenSlack = 1e-9;

}  // namespace

HistogramScan::HistogramScan(ScanTask const& task)
    : task_(task),
      kernels_(HistogramKernels::Of(task.simd)),
      rule_(task.param),
      outputs_(task.scales.size()),
      occupied_(task.bins, task.gradients),
      levels_(outputs_) {
  auto const& categorical = task.bins.GetCuts().categorical;
  has_categories_ = std::any_of(categorical.begin(), categorical.end(), [](std::uint8_t one) { return one != 0; });
}

Split HistogramScan::Best(GrowingNode const& node, Histogram const& histogram, Span<std::uint32_t const> rows,
                          Span<std::uint32_t const> features) {
  histogram_ = &histogram;
  if (OfRows()) occupied_.SetRows(rows);
  node_ = &node;
  node_gain_ = GainOf(node.sums);
  best_ = Split();
  best_.gain = Split::kLeastGain;
  best_.feature = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i < features.size();) {
    std::size_t const numeric = CountNumeric(features.Sub(i, features.size() - i));
    ScanNumeric(features.Sub(i, numeric));
    i += numeric;
    if (i < features.size()) ScanCategories(features[i++]);
  }
  std::sort(best_.right_categories.begin(), best_.right_categories.end());
  return std::move(best_);
}

// How many features from the first on are numeric.
std::size_t HistogramScan::CountNumeric(Span<std::uint32_t const> features) const {
  if (!has_categories_) return features.size();
  auto const other = std::find_if(features.begin(), features.end(), [&](std::uint32_t feature) {
    return task_.bins.GetCuts().categorical[feature] != 0;
  });
  return static_cast<std::size_t>(other - features.begin());
}

FixedSums HistogramScan::SumOf(std::size_t first, std::size_t count) const {
  FixedSums sums(outputs_);
  for (std::size_t k = 0; k < outputs_; ++k) {
    if (Packed()) {
      std::int64_t const* const bins = histogram_->PackedPlane(k) + first;
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < count; ++i) sum += bins[i];
      sums[k] = Histogram::Unpack(sum);
    } else {
      FixedSum const* const bins = WideBins(k, first);
      for (std::size_t i = 0; i < count; ++i) sums[k] += bins[i];
    }
  }
  return sums;
}

void HistogramScan::Reserve(std::size_t count) {
  if (count <= width_) return;
  width_ = count;
  gradients_.resize(width_ * outputs_);
  hessians_.resize(width_ * outputs_);
  gains_.resize(width_);
}

std::size_t HistogramScan::BestCandidate(std::uint32_t feature, std::size_t count, FixedSums const& shift) {
  RunPart part;
  part.feature = feature;
  part.count = static_cast<std::uint32_t>(count);
  Score({&part, 1}, shift);
  return kernels_.first_maximum(gains_.data(), count);
}

void HistogramScan::Score(Span<RunPart const> parts, FixedSums const& shift) {
  RunPart const& last = parts[parts.size() - 1];
  std::size_t const count = last.first + last.count;
  std::fill_n(gains_.begin(), count, 0.0);
  if (rule_.Clamps()) {
    for (RunPart const& part : parts) SumConstrainedGains(part, shift);
  } else {
    SumGains(count, shift);
  }
  if (outputs_ > 1) DropLightSides(count, shift);
  for (std::size_t i = 0; i < std::min(count, local_cut_.size()); ++i) {
    if (local_cut_[i] == 0) gains_[i] = kForbidden;
  }
}

// One output: a side that is too light forbids the split. Several: their mean decides (DropLightSides), and an output
// without any hessian on one side gains nothing.
void HistogramScan::SumGains(std::size_t count, FixedSums const& shift) {
  for (std::size_t k = 0; k < outputs_; ++k) {
    FixedScale const& scale = task_.scales[k];
    GainTask gains;
    gains.left_gradient = Gradients(k);
    gains.left_hessian = Hessians(k);
    gains.gradient_shift = scale.Gradient(shift[k]);
    gains.hessian_shift = scale.Hessian(shift[k]);
    gains.count = count;
    gains.gradient = scale.Gradient(node_->sums[k]);
    gains.hessian = scale.Hessian(node_->sums[k]);
    gains.lambda = rule_.Lambda();
    gains.alpha = rule_.Alpha();
    bool const alone = outputs_ == 1;
    gains.least_hessian = alone ? std::max(task_.param.min_child_weight, scale.hessian_unit) : scale.hessian_unit;
    gains.otherwise = alone ? kForbidden : rule_.Gain(gains.gradient, gains.hessian, node_->Bounds(k));
    gains.gain = gains_.data();
    kernels_.add_gains(gains);
  }
}

void HistogramScan::SumConstrainedGains(RunPart const& part, FixedSums const& shift) {
  for (std::size_t k = 0; k < outputs_; ++k) {
    FixedScale const& scale = task_.scales[k];
    double const gradient = scale.Gradient(node_->sums[k]), hessian = scale.Hessian(node_->sums[k]);
    double const least = std::max(task_.param.min_child_weight, scale.hessian_unit);
    for (std::size_t i = part.first; i < part.first + part.count; ++i) {
      double const left_g = Gradients(k)[i] + scale.Gradient(shift[k]), right_g = gradient - left_g;
      double const left_h = Hessians(k)[i] + scale.Hessian(shift[k]), right_h = hessian - left_h;
      bool const heavy = outputs_ > 1 || (left_h >= least && right_h >= least);
      gains_[i] += heavy ? ConstrainedGain(part.feature, k, {left_g, left_h}, {right_g, right_h}) : kForbidden;
    }
  }
}

// Of a single output a split against the constraint is forbidden: with one weight on both sides it would gain nothing.
double HistogramScan::ConstrainedGain(std::uint32_t feature, std::size_t output, Side const& left,
                                      Side const& right) const {
  WeightBounds const bounds = node_->Bounds(output);
  if (task_.monotone.Sign(feature) != 0 &&
      !task_.monotone.Allows(feature, rule_.Weight(left.gradient, left.hessian, bounds),
                             rule_.Weight(right.gradient, right.hessian, bounds))) {
    if (outputs_ == 1) return kForbidden;
    return rule_.Gain(left.gradient + right.gradient, left.hessian + right.hessian, bounds, 2);
  }
  return rule_.Gain(left.gradient, left.hessian, bounds) + rule_.Gain(right.gradient, right.hessian, bounds);
}

void HistogramScan::DropLightSides(std::size_t count, FixedSums const& shift) {
  for (std::size_t i = 0; i < count; ++i) {
    double left = 0, right = 0;
    for (std::size_t k = 0; k < outputs_; ++k) {
      double const own = Hessians(k)[i] + task_.scales[k].Hessian(shift[k]);
      left += own;
      right += task_.scales[k].Hessian(node_->sums[k]) - own;
    }
    if (!HeavyEnough(left, right)) gains_[i] = kForbidden;
  }
}

bool HistogramScan::HeavyEnough(double left, double right) const {
  double const least = task_.param.min_child_weight * static_cast<double>(outputs_);
  return left > 0 && right > 0 && left >= least && right >= least;
}

bool HistogramScan::MayWin(double score) const {
  double const bar = node_gain_ + best_.gain;
  return score > bar - std::fabs(bar) * kScreenSlack;
}

bool HistogramScan::Offer(Split candidate) {
  candidate.gain = GainOf(candidate) - node_gain_;
  bool const wins = candidate.BetterThan(best_) && Allowed(candidate);
  if (wins) best_ = std::move(candidate);
  return wins;
}

double HistogramScan::GainOf(FixedSums const& sums) const {
  double gain = 0;
  for (std::size_t k = 0; k < outputs_; ++k) {
    gain += rule_.Gain(task_.scales[k].Gradient(sums[k]), task_.scales[k].Hessian(sums[k]), node_->Bounds(k));
  }
  return gain;
}

double HistogramScan::GainOf(Split const& split) const {
  if (task_.monotone.Sign(split.feature) == 0) return GainOf(split.left) + GainOf(split.right);
  double gain = 0;
  for (std::size_t k = 0; k < outputs_; ++k) {
    gain += ConstrainedGain(split.feature, k, SideOf(split.left, k), SideOf(split.right, k));
  }
  return gain;
}

// Whether any output goes the way of the constraint.
bool HistogramScan::Allowed(Split const& split) const {
  if (task_.monotone.Sign(split.feature) == 0) return true;
  for (std::size_t k = 0; k < outputs_; ++k) {
    auto const weight = [&, k](Side const& side) {
      return rule_.Weight(side.gradient, side.hessian, node_->Bounds(k));
    };
    if (task_.monotone.Allows(split.feature, weight(SideOf(split.left, k)), weight(SideOf(split.right, k))))
      return true;
  }
  return false;
}

}  // namespace xgbl
