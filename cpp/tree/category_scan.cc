// SPDX-License-Identifier: Apache-2.0
// Splits of categorical features; see histogram_scan.h. Candidates are sets of categories that go right; what is
// missing, and what is in no set, goes left unless missing is found better off with the set.
#include <algorithm>
#include <numeric>

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
  std::size_t const output = TellingOutput(feature);
  FixedScale const& scale = task_.scales[output];
  double const pull = rule_.Lambda() + task_.param.cat_smooth;
  auto const weight = [&](FixedSum sum) {
    double const hessian = scale.Hessian(sum) + pull;
    return hessian > 0 ? static_cast<float>(-scale.Gradient(sum) / hessian) : 0.0F;
  };
  weights_.resize(place.bins);
  order_.rising.resize(place.bins);
  std::size_t count = 0;
  FixedSum low, all;
  for (std::uint32_t category = 0; category < place.bins; ++category) {
    FixedSum const sum = Bin(output, place.histogram + category);
    weights_[count] = weight(sum);
    order_.rising[count] = category;
    low += weights_[count] < 0 ? sum : FixedSum{};
    all += sum;
    count += OccursIn(place.histogram + category) ? 1 : 0;
  }
  weights_.resize(count);
  order_.rising.resize(count);
  sorter_.Sort(weights_, order_.rising);
  order_.low = static_cast<std::size_t>(std::lower_bound(weights_.begin(), weights_.end(), 0.0F) - weights_.begin());
  order_.low_is_larger = -weight(low) > weight(all - low);
}

bool HistogramScan::OccursIn(std::size_t bin) const {
  bool occurs = false;
  for (std::size_t k = 0; k < outputs_; ++k) occurs |= !(Bin(k, bin) == FixedSum{});
  return occurs;
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
    Candidate const found = BestCandidate(feature, offered.size(), shift);
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
