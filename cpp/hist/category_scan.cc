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
  FixedSums const missing = Minus(node_->sums, SumOf(place.histogram, place.bins));
  if (place.bins < static_cast<std::uint32_t>(task_.param.max_cat_to_onehot)) {
    for (std::uint32_t category = 0; category < place.bins; ++category) ScanSets(feature, {category}, 1, missing);
    return;
  }
  SortCategories(feature);
  std::vector<std::uint32_t> const& rising = order_.rising;
  auto const most = static_cast<std::size_t>(task_.param.max_cat_threshold) - 1;  // as XGBoost counts
  std::size_t const all = rising.size();
  std::vector<std::uint32_t> const falling(rising.rbegin(),
                                           rising.rbegin() + static_cast<std::ptrdiff_t>(std::min(all, most)));
  if (all == place.bins) {
    ScanSets(feature, rising, most, missing);
    if (all > most + 1) ScanSets(feature, falling, most, missing);  // else they are the complements of those seen
    return;
  }
  // Levels that do not occur here are in no set. Of the two sets that split between the weights below 0 and the others,
  // the one of the larger weight comes first, and wins: so those levels go with the smaller weight.
  auto const own_side = [&](bool from_below) { return from_below ? order_.low : all - order_.low; };
  for (bool const from_below : {order_.low_is_larger, !order_.low_is_larger}) {
    ScanSets(feature, from_below ? rising : falling, std::min(most, own_side(from_below)), missing);
  }
  // Sets that reach beyond their own side are the complements of sets of the other side, and so already seen; but not
  // where those are too large, nor all levels against what is missing. On their way they take up the absent levels,
  // which count towards the limit, as in XGBoost.
  if (place.bins <= most + 1 && missing == FixedSums(outputs_)) return;
  for (bool const from_below : {true, false}) {
    if (own_side(from_below) + (place.bins - all) < most)
      ScanSets(feature, AllLevels(feature, from_below), most, missing);
  }
}

// Those that do not occur have the weight 0.
std::vector<std::uint32_t> HistogramScan::AllLevels(std::uint32_t feature, bool from_below) const {
  std::vector<std::uint32_t> levels = order_.rising, absent(task_.bins.Place(feature).bins);
  std::iota(absent.begin(), absent.end(), 0U);
  auto const occurs = [&](std::uint32_t level) { return OccursIn(task_.bins.Place(feature).histogram + level); };
  absent.erase(std::remove_if(absent.begin(), absent.end(), occurs), absent.end());
  levels.insert(levels.begin() + static_cast<std::ptrdiff_t>(order_.low), absent.begin(), absent.end());
  if (!from_below) std::reverse(levels.begin(), levels.end());
  return levels;
}

// The categories that occur in the node, by their weight; equal ones by code. Each is written down, but stays only if
// it occurs: no branch, as nobody can foretell which do.
void HistogramScan::SortCategories(std::uint32_t feature) {
  BinPlace const& place = task_.bins.Place(feature);
  FindDirection(place);
  weights_.resize(place.bins);
  order_.rising.resize(place.bins);
  std::size_t count = 0;
  FixedSums low(outputs_), all(outputs_);
  for (std::uint32_t category = 0; category < place.bins; ++category) {
    FixedSums const sums = SumOf(place.histogram + category, 1);
    weights_[count] = WeightAlong(sums);
    order_.rising[count] = category;
    if (weights_[count] < 0) low = Plus(std::move(low), sums);
    all = Plus(std::move(all), sums);
    count += OccursIn(place.histogram + category) ? 1 : 0;
  }
  weights_.resize(count);
  order_.rising.resize(count);
  sorter_.Sort(weights_, order_.rising);
  order_.low = static_cast<std::size_t>(std::lower_bound(weights_.begin(), weights_.end(), 0.0F) - weights_.begin());
  order_.low_is_larger = -WeightAlong(low) > WeightAlong(Minus(all, low));
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
void HistogramScan::FindDirection(BinPlace const& place) {
  direction_.assign(outputs_, 1);
  if (outputs_ == 1) return;
  double most = -1;
  for (std::uint32_t category = 0; category < place.bins; ++category) {
    FixedSums const sums = SumOf(place.histogram + category, 1);
    double const gain = GainOf(sums);
    if (gain <= most) continue;
    most = gain;
    for (std::size_t k = 0; k < outputs_; ++k) direction_[k] = OrderingWeight(k, sums[k]);
  }
  for (int step = 0; step < 3; ++step) TurnTowardsSpread(place);
  // Which end is called low is no matter to the sets, but one output and copies of it shall have the same trees.
  if (std::accumulate(direction_.begin(), direction_.end(), 0.0) >= 0) return;
  for (double& part : direction_) part = -part;
}

void HistogramScan::TurnTowardsSpread(BinPlace const& place) {
  std::vector<double> turned(outputs_);
  for (std::uint32_t category = 0; category < place.bins; ++category) {
    FixedSums const sums = SumOf(place.histogram + category, 1);
    double along = 0;  // weighted, so that it is a plain sum of gradients
    for (std::size_t k = 0; k < outputs_; ++k) along -= direction_[k] * task_.scales[k].Gradient(sums[k]);
    for (std::size_t k = 0; k < outputs_; ++k) turned[k] += along * OrderingWeight(k, sums[k]);
  }
  double size = 0;
  for (double const part : turned) size = std::max(size, std::abs(part));
  if (size == 0) return;
  for (double& part : turned) part /= size;
  direction_ = std::move(turned);
}

bool HistogramScan::OccursIn(std::size_t bin) const {
  bool occurs = false;
  for (std::size_t k = 0; k < outputs_; ++k) occurs |= !(Bin(k, bin) == FixedSum{});
  return occurs;
}

// Candidate i sends the first i + 1 categories of the order right.
void HistogramScan::ScanSets(std::uint32_t feature, std::vector<std::uint32_t> const& order, std::size_t most,
                             FixedSums const& missing) {
  Span<std::uint32_t const> const offered = Span<std::uint32_t const>(order).Sub(0, std::min(order.size(), most));
  if (offered.empty()) return;
  std::size_t const first = task_.bins.Place(feature).histogram;
  FillInOrder(first, offered);
  for (bool const missing_left : {true, false}) {
    if (!missing_left && missing == FixedSums(outputs_)) continue;
    FixedSums const shift = missing_left ? FixedSums(outputs_) : missing;
    std::size_t const found = BestCandidate(feature, offered.size(), shift);
    if (!MayWin(gains_[found])) continue;
    Split split;
    split.feature = feature;
    split.missing_left = missing_left;
    split.right = shift;
    for (std::uint32_t const category : offered.Sub(0, found + 1)) {
      split.right = Plus(std::move(split.right), SumOf(first + category, 1));
      split.right_categories.push_back(static_cast<std::int32_t>(category));
    }
    std::sort(split.right_categories.begin(), split.right_categories.end());
    split.left = Minus(node_->sums, split.right);
    bool const seen = best_.feature == feature && GainOf(split.left) + GainOf(split.right) - node_gain_ <= best_.gain;
    if (!seen) Offer(std::move(split));
  }
}

void HistogramScan::FillInOrder(std::size_t first, Span<std::uint32_t const> order) {
  Reserve(order.size());
  for (std::size_t k = 0; k < outputs_; ++k) {
    FixedSum sum;
    for (std::size_t i = 0; i < order.size(); ++i) {
      sum += Bin(k, first + order[i]);
      Gradients(k)[i] = task_.scales[k].Gradient(sum);
      Hessians(k)[i] = task_.scales[k].Hessian(sum);
    }
  }
}

}  // namespace xgbl
