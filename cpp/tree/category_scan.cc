// SPDX-License-Identifier: Apache-2.0
// Splits of categorical features; see histogram_scan.h. Candidates are sets of categories that go right; what is
// missing, and what is in no set, goes left unless missing is found better off with the set.
#include <algorithm>
#include <utility>

#include "tree/histogram_scan.h"

namespace xgbl {

void HistogramScan::ScanCategories(std::uint32_t feature) {
  BinPlace const& place = task_.bins.Place(feature);
  local_cut_.clear();  // of the numeric feature before
  FixedSums const missing = Minus(node_->sums, SumOf(place.histogram, place.bins));
  if (place.bins < static_cast<std::uint32_t>(task_.param.max_cat_to_onehot)) {
    for (std::uint32_t category = 0; category < place.bins; ++category) ScanSets(feature, {category}, 1, missing);
    return;
  }
  std::vector<std::uint32_t> order = SortedCategories(feature);
  auto const most = static_cast<std::size_t>(task_.param.max_cat_threshold);
  ScanSets(feature, order, most, missing);
  if (order.size() <= most) return;  // the sets from the other end are the complements of those seen
  std::reverse(order.begin(), order.end());
  ScanSets(feature, order, most, missing);
}

// The categories that occur in the node, by their weight; equal ones by code.
std::vector<std::uint32_t> HistogramScan::SortedCategories(std::uint32_t feature) const {
  BinPlace const& place = task_.bins.Place(feature);
  std::size_t const output = TellingOutput(feature);
  FixedScale const& scale = task_.scales[output];
  std::vector<std::pair<double, std::uint32_t>> weights;
  for (std::uint32_t category = 0; category < place.bins; ++category) {
    bool occurs = false;
    for (std::size_t k = 0; k < outputs_; ++k) occurs = occurs || !(Bin(k, place.histogram + category) == FixedSum{});
    if (!occurs) continue;
    FixedSum const sum = Bin(output, place.histogram + category);
    double const hessian = scale.Hessian(sum) + rule_.Lambda() + task_.param.cat_smooth;
    weights.emplace_back(hessian > 0 ? -scale.Gradient(sum) / hessian : 0.0, category);
  }
  std::sort(weights.begin(), weights.end());
  std::vector<std::uint32_t> order;
  order.reserve(weights.size());
  for (auto const& weight : weights) order.push_back(weight.second);
  return order;
}

// Of several outputs the one whose gain would be largest if every category were a child of its own.
std::size_t HistogramScan::TellingOutput(std::uint32_t feature) const {
  BinPlace const& place = task_.bins.Place(feature);
  std::size_t best = 0;
  double most = -1;
  for (std::size_t k = 0; k < outputs_ && outputs_ > 1; ++k) {
    FixedScale const& scale = task_.scales[k];
    double gain = 0;
    for (std::size_t bin = 0; bin < place.bins; ++bin) {
      FixedSum const sum = Bin(k, place.histogram + bin);
      gain += rule_.Gain(scale.Gradient(sum), scale.Hessian(sum), WeightBounds{});
    }
    if (gain > most) {
      most = gain;
      best = k;
    }
  }
  return best;
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
    Candidate const found = BestOf(feature, offered.size(), shift);
    if (!MayWin(found.score)) continue;
    Split split;
    split.feature = feature;
    split.missing_left = missing_left;
    split.right = shift;
    for (std::uint32_t const category : offered.Sub(0, found.place + 1)) {
      split.right = Plus(std::move(split.right), SumOf(first + category, 1));
      split.right_categories.push_back(static_cast<std::int32_t>(category));
    }
    std::sort(split.right_categories.begin(), split.right_categories.end());
    split.left = Minus(node_->sums, split.right);
    Offer(std::move(split));
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
