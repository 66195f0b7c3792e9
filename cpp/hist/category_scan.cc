// SPDX-License-Identifier: Apache-2.0
// Splits of categorical features; see histogram_scan.h. Candidates are sets of categories that go right. Missing values
// and categories outside the set go left, unless missing values are better off with the set.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "hist/histogram_scan.h"

namespace xgbl {

void HistogramScan::ScanCategories(std::uint32_t feature) {
  BinPlace const& place = task_.bins.Place(feature);
  local_cut_.clear();  // of the numeric feature before
  if (OfRows()) {
    occupied_.Count(feature);
    levels_.Read(occupied_);
  } else {
    levels_.Read(*histogram_, place.histogram, place.bins, kernels_);
  }
  FixedSums const missing = Minus(node_->sums, levels_.Total());
  if (place.bins < static_cast<std::uint32_t>(task_.param.max_cat_to_onehot)) return ScanSingles(feature, missing);
  auto const most = static_cast<std::size_t>(task_.param.max_cat_threshold) - 1;  // as XGBoost counts
  std::size_t const all = levels_.size();
  SortLevels(place.bins, most);
  if (all == place.bins) {
    ScanSets(feature, order_.Rising(), missing);
    if (all > most + 1) ScanSets(feature, order_.Falling(), missing);  // else they are the complements of those seen
    return;
  }
  // Levels that do not occur here are in no set. Of the two sets that split between the weights below 0 and the others,
  // the one of the larger weight comes first, and wins: so those levels go with the smaller weight.
  auto const own_side = [&](bool from_below) { return from_below ? low_ : all - low_; };
  for (bool const from_below : {low_is_larger_, !low_is_larger_}) {
    ScanSets(feature, (from_below ? order_.Rising() : order_.Falling()).Sub(0, std::min(most, own_side(from_below))),
             missing);
  }
  // Sets that reach beyond their own side are the complements of sets of the other side, and so already seen; but not
  // where those are too large, nor all levels against what is missing. On their way they take up the absent levels,
  // which count towards the limit, as in XGBoost.
  if (place.bins <= most + 1 && missing == FixedSums(outputs_)) return;
  std::size_t const absent = place.bins - all;
  if (std::min(own_side(true), own_side(false)) + absent >= most) return;
  levels_.AddAbsent(place.bins);
  for (bool const from_below : {true, false}) {
    if (own_side(from_below) + absent < most) ScanSets(feature, AllLevels(place.bins, all, most, from_below), missing);
  }
}

// One against the rest.
void HistogramScan::ScanSingles(std::uint32_t feature, FixedSums const& missing) {
  std::uint32_t const count = task_.bins.Place(feature).bins;
  levels_.AddAbsent(count);
  std::vector<std::uint32_t> by_code(count);
  for (std::uint32_t i = 0; i < count; ++i) by_code[levels_.Code(i)] = i;
  for (std::uint32_t const level : by_code) ScanSets(feature, {&level, 1}, missing);
}

// The order with the absent levels in the place of their weight, which is 0.
std::vector<std::uint32_t> HistogramScan::AllLevels(std::size_t all, std::size_t occurring, std::size_t most,
                                                    bool from_below) const {
  Span<std::uint32_t const> const order = from_below ? order_.Rising() : order_.Falling();
  std::size_t const own_side = from_below ? low_ : occurring - low_;
  std::vector<std::uint32_t> levels(order.begin(), order.begin() + own_side);
  levels.resize(own_side + all - occurring);
  std::iota(levels.begin() + static_cast<std::ptrdiff_t>(own_side), levels.end(),
            static_cast<std::uint32_t>(occurring));
  if (!from_below) std::reverse(levels.begin() + static_cast<std::ptrdiff_t>(own_side), levels.end());
  levels.insert(levels.end(), order.begin() + own_side, order.end());
  if (levels.size() > most) levels.resize(most);
  return levels;
}

// By their weight; equal ones by code.
void HistogramScan::SortLevels(std::size_t bins, std::size_t most) {
  weights_.resize(levels_.size());
  FixedSums const low = outputs_ == 1 ? WeighLevels() : WeighVectors(bins);
  order_.Sort(weights_, most, kernels_);
  low_is_larger_ = -WeightAlong(low) > WeightAlong(Minus(levels_.Total(), low));
}

// Gives the sums of those with weights below 0.
FixedSums HistogramScan::WeighLevels() {
  direction_.assign(1, 1);
  LevelTask task;
  task.gradient_unit = task_.scales[0].gradient_unit;
  task.hessian_unit = task_.scales[0].hessian_unit;
  task.lambda = rule_.Lambda();
  task.smooth = task_.param.cat_smooth;
  task.weights = weights_.data();
  LowLevels const low = levels_.Weigh(task, kernels_);
  low_ = low.count;
  return FixedSum{low.gradient, low.hessian};
}

// The same of several outputs.
FixedSums HistogramScan::WeighVectors(std::size_t bins) {
  FindDirection(bins);
  FixedSums low(outputs_);
  low_ = 0;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    weights_[i] = WeightAlong(levels_.SumsOf(i));
    if (!(weights_[i] < 0)) continue;
    low = Plus(std::move(low), levels_.SumsOf(i));
    ++low_;
  }
  return low;
}

double HistogramScan::OrderingWeight(std::size_t output, FixedSum sum) const {
  FixedScale const& scale = task_.scales[output];
  double const hessian = scale.Hessian(sum) + rule_.Lambda() + task_.param.cat_smooth;
  return hessian > 0 ? -scale.Gradient(sum) / hessian : 0;
}

float HistogramScan::WeightAlong(FixedSums const& sums) const {
  double weight = 0;
  for (std::size_t k = 0; k < outputs_; ++k) weight += direction_[k] * OrderingWeight(k, sums[k]);
  return static_cast<float>(weight);
}

// The axis along which the categories' vectors of weights differ most, found by power iteration from the vector of the
// category that gains most. A few steps: the order needs no digits.
void HistogramScan::FindDirection(std::size_t bins) {
  direction_.assign(outputs_, 1);
  double most = -1;
  auto const offer = [&](FixedSums const& sums) {
    double const gain = GainOf(sums);
    if (gain <= most) return;
    most = gain;
    for (std::size_t k = 0; k < outputs_; ++k) direction_[k] = OrderingWeight(k, sums[k]);
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (levels_.Code(i) > next) offer(FixedSums(outputs_));  // those that do not occur gain 0
    offer(levels_.SumsOf(i));
    next = levels_.Code(i) + 1;
  }
  if (bins > next) offer(FixedSums(outputs_));
  for (int step = 0; step < 3; ++step) TurnTowardsSpread();
  // Which end is called low is no matter to the sets, but one output and copies of it shall have the same trees.
  if (std::accumulate(direction_.begin(), direction_.end(), 0.0) >= 0) return;
  for (double& part : direction_) part = -part;
}

void HistogramScan::TurnTowardsSpread() {
  std::vector<double> turned(outputs_);
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    double along = 0;  // weighted, so that it is a plain sum of gradients
    for (std::size_t k = 0; k < outputs_; ++k) along -= direction_[k] * task_.scales[k].Gradient(levels_.Sum(k, i));
    for (std::size_t k = 0; k < outputs_; ++k) turned[k] += along * OrderingWeight(k, levels_.Sum(k, i));
  }
  double size = 0;
  for (double const part : turned) size = std::max(size, std::abs(part));
  if (size == 0) return;
  for (double& part : turned) part /= size;
  direction_ = std::move(turned);
}

// Candidate i sends the first i + 1 levels of the order right.
void HistogramScan::ScanSets(std::uint32_t feature, Span<std::uint32_t const> order, FixedSums const& missing) {
  if (order.empty()) return;
  FillInOrder(order);
  for (bool const missing_left : {true, false}) {
    if (!missing_left && missing == FixedSums(outputs_)) continue;
    FixedSums const shift = missing_left ? FixedSums(outputs_) : missing;
    std::size_t const found = BestCandidate(feature, order.size(), shift);
    if (!MayWin(gains_[found])) continue;
    Split split;
    split.feature = feature;
    split.missing_left = missing_left;
    split.right = shift;
    auto const set = order.Sub(0, found + 1);
    for (std::uint32_t const level : set) split.right = Plus(std::move(split.right), levels_.SumsOf(level));
    split.left = Minus(node_->sums, split.right);
    bool const seen = best_.feature == feature && GainOf(split.left) + GainOf(split.right) - node_gain_ <= best_.gain;
    if (seen || !Offer(std::move(split))) continue;
    best_.right_categories.clear();  // rising at last: see Best()
    for (std::uint32_t const level : set) {
      best_.right_categories.push_back(static_cast<std::int32_t>(levels_.Code(level)));
    }
  }
}

void HistogramScan::FillInOrder(Span<std::uint32_t const> order) {
  Reserve(order.size());
  for (std::size_t k = 0; k < outputs_; ++k) {
    FixedSum sum;
    for (std::size_t i = 0; i < order.size(); ++i) {
      sum += levels_.Sum(k, order[i]);
      Gradients(k)[i] = task_.scales[k].Gradient(sum);
      Hessians(k)[i] = task_.scales[k].Hessian(sum);
    }
  }
}

}  // namespace xgbl
