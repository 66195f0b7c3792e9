// SPDX-License-Identifier: Apache-2.0
// Splits of numeric features; see histogram_scan.h. Tables of words have thousands of features with a few bins each, so
// that what is done once per feature would take most of the time. Therefore the candidates of many features stand one
// after the other, are scored together, and only the best of them is looked at.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "hist/histogram_scan.h"
#include "parallel/buffer.h"

namespace xgbl {
namespace {

constexpr std::size_t kRunCandidates = 512;  // of one direction: all that belongs to them stays in a near cache

constexpr std::size_t kValueBlock = 4;

using PackedSum = std::int64_t;

template <class Sum>
Sum As(FixedSum sum) {
  if constexpr (std::is_same_v<Sum, FixedSum>) {
    return sum;
  } else {
    return Histogram::Pack(sum);
  }
}
// As unsigned numbers: what stands beyond the last bin may not fit.
PackedSum Total(PackedSum a, PackedSum b) {
  return static_cast<PackedSum>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
FixedSum Total(FixedSum a, FixedSum b) { return a + b; }

FixedSum Whole(PackedSum sum) { return Histogram::Unpack(sum); }
FixedSum Whole(FixedSum sum) { return sum; }

// Running sums by whole blocks, as most features have no more bins than one: no branch depends on their number. Sums
// beyond the last bin mean nothing, and those of the next feature are written over them. Gives the sum of all bins.
template <class Sum>
inline Sum AddUp(Sum const* bins, std::size_t count, Sum* to) {
  constexpr std::size_t kBlock = kCacheLine / sizeof(Sum);
  Sum sum{};
  for (std::size_t i = 0; i < count; i += kBlock) {
    for (std::size_t j = i; j < i + kBlock; ++j) to[j] = sum = Total(sum, bins[j]);
  }
  return to[count - 1];
}

// The same way, one block at least; both arrays have a block of room past the last value.
inline void AddToBlocks(double const* values, std::size_t count, double more, double* to) {
  std::size_t i = 0;
  do {
    double sums[kValueBlock];
    for (std::size_t j = 0; j < kValueBlock; ++j) sums[j] = values[i + j] + more;
    for (std::size_t j = 0; j < kValueBlock; ++j) to[i + j] = sums[j];
    i += kValueBlock;
  } while (i < count);
}

}  // namespace

void HistogramScan::ScanNumeric(Span<std::uint32_t const> features) {
  for (std::size_t i = 0; i < features.size();) {
    auto const rest = features.Sub(i, features.size() - i);
    i += Packed() ? FillRun<PackedSum>(rest) : FillRun<FixedSum>(rest);
    if (run_parts_ == 0) continue;
    Score({run_.data(), run_parts_}, FixedSums(outputs_));
    OfferRun();
  }
}

// Writes the candidates of as many features from the first on as there is room for, and of one at least. Gives their
// number.
template <class Sum>
std::size_t HistogramScan::FillRun(Span<std::uint32_t const> features) {
  MakeRunRoom(std::max<std::size_t>(kRunCandidates, task_.bins.Place(features[0]).bins));
  std::size_t const taken = outputs_ == 1 ? AddUpRun<Sum>(features, std::integral_constant<std::size_t, 1>())
                                          : AddUpRun<Sum>(features, outputs_);
  local_cut_.clear();
  Reserve(2 * RunCandidates() + kValueBlock);
  FillMissingRight<Sum>();
  FillMissingLeft<Sum>();
  if (task_.local_cuts) FindLocalCuts();
  return taken;
}

// A feature that no row of the node has, or that has one bin in all of them, has no candidate. Of the others each bin
// is one; the last bin is too light a split unless rows are missing. `Outputs`: their number, if it is known to the
// compiler.
template <class Sum, class Outputs>
std::size_t HistogramScan::AddUpRun(Span<std::uint32_t const> features, Outputs outputs) {
  bool const of_rows = std::is_same_v<Sum, FixedSum> && OfRows();
  std::vector<Sum> node;
  for (FixedSum const sum : node_->sums) node.push_back(As<Sum>(sum));
  RunPart* part = run_.data();
  std::size_t used = 0, taken = 0;
  for (; taken < features.size(); ++taken) {
    std::uint32_t const feature = features[taken];
    BinPlace const& place = task_.bins.Place(feature);
    if (of_rows && IsConstant(feature)) continue;
    std::size_t const bins = of_rows ? OccupiedOrAll(feature) : place.bins;
    if (used + bins > run_room_) break;
    bool any = false, missing = false;
    for (std::size_t k = 0; k < outputs; ++k) {
      Sum const sum = AddUp(BinsOf<Sum>(k) + (of_rows ? 0 : place.histogram), bins, RunSums<Sum>(k) + used);
      any |= !(sum == Sum{});
      missing |= !(sum == node[k]);
    }
    if (!any || (!missing && bins == 1)) continue;  // in the order that is easy to foretell
    *part++ = {feature, static_cast<std::uint32_t>(used), static_cast<std::uint32_t>(bins), missing, false};
    used += bins;
  }
  run_parts_ = static_cast<std::size_t>(part - run_.data());
  return taken;
}

template <class Sum>
void HistogramScan::FillMissingRight() {
  std::size_t const count = RunCandidates();
  auto const in_real_units = std::is_same_v<Sum, FixedSum> ? kernels_.real_wide : kernels_.real_packed;
  for (std::size_t k = 0; k < outputs_; ++k) {
    FixedScale const& scale = task_.scales[k];
    in_real_units(reinterpret_cast<std::int64_t const*>(RunSums<Sum>(k)), count, scale.gradient_unit,
                  scale.hessian_unit, Gradients(k), Hessians(k));
  }
}

// Nothing would be on the right of the last bin. A feature of one bin has no candidate, and what is written for it is
// written over: no branch depends on the number of bins.
template <class Sum>
void HistogramScan::FillMissingLeft() {
  std::size_t const rights = run_parts_;
  std::size_t used = RunCandidates();
  if (used == rights) return;  // indicators
  RunPart* left = run_.data() + rights;
  for (std::size_t i = 0; i < rights; ++i) {
    RunPart const& part = run_[i];
    if (!part.any_missing) continue;
    std::size_t const from = part.first, count = part.count - 1;
    for (std::size_t k = 0; k < outputs_; ++k) {
      FixedSum const missing = node_->sums[k] - Whole(RunSums<Sum>(k)[from + count]);
      AddToBlocks(Gradients(k) + from, count, task_.scales[k].Gradient(missing), Gradients(k) + used);
      AddToBlocks(Hessians(k) + from, count, task_.scales[k].Hessian(missing), Hessians(k) + used);
    }
    *left = {part.feature, static_cast<std::uint32_t>(used), static_cast<std::uint32_t>(count), true, true};
    left += count > 0 ? 1 : 0;
    used += count;
  }
  run_parts_ = static_cast<std::size_t>(left - run_.data());
}

// Marks the bins of each feature after which the node's hessian passes another max_bin-th of its sum (of the first
// output); the same ones in both directions.
void HistogramScan::FindLocalCuts() {
  local_cut_.assign(RunCandidates(), 1);
  std::size_t left = 0;
  while (left < run_parts_ && !run_[left].missing_left) ++left;
  for (std::size_t i = 0; i < run_parts_ && !run_[i].missing_left; ++i) {
    RunPart const& part = run_[i];
    double const* const hessians = Hessians(0) + part.first;
    std::uint8_t* const cut = local_cut_.data() + part.first;
    double const share = hessians[part.count - 1] / task_.param.max_bin;
    double passed = 0;
    for (std::size_t bin = 0; bin + 1 < part.count && share > 0; ++bin) {
      double const steps = std::floor(hessians[bin] / share);
      cut[bin] = steps > passed ? 1 : 0;
      passed = std::max(passed, steps);
    }
    if (left == run_parts_ || run_[left].feature != part.feature) continue;
    std::copy_n(cut, run_[left].count, local_cut_.data() + run_[left].first);
    ++left;
  }
}

// Of a feature and direction the best candidate is offered, the first one if there are several; and only if it may win.
void HistogramScan::OfferRun() {
  Span<RunPart const> const parts(run_.data(), run_parts_);
  std::size_t const count = RunCandidates();
  for (;;) {
    std::size_t const found = kernels_.first_maximum(gains_.data(), count);
    if (!MayWin(gains_[found])) break;
    RunPart const& part = *(std::upper_bound(parts.begin(), parts.end(), found,
                                             [](std::size_t at, RunPart const& own) { return at < own.first; }) -
                            1);
    OfferNumeric(part, found - part.first);
    std::fill_n(gains_.begin() + part.first, part.count, kForbidden);
  }
  if (!rule_.Monotone()) return;
  for (RunPart const& part : parts) {
    if (part.any_missing && !part.missing_left && task_.monotone.Sign(part.feature) != 0) {
      OfferMissingAlone(part.feature);
    }
  }
}

void HistogramScan::OfferNumeric(RunPart const& part, std::size_t last_left) {
  std::size_t const first = task_.bins.Place(part.feature).histogram, bins = OccupiedOrAll(part.feature);
  auto const bin = OfRows() ? occupied_.Numbers()[last_left] : static_cast<std::uint32_t>(last_left);
  Split split;
  split.feature = part.feature;
  split.missing_left = part.missing_left;
  split.last_left_bin = bin;
  split.threshold = task_.bins.GetCuts().Upper(part.feature)[bin];
  split.left = SumOf(first, last_left + 1);
  if (part.missing_left) split.left = Plus(std::move(split.left), Minus(node_->sums, SumOf(first, bins)));
  split.right = Minus(node_->sums, split.left);
  Offer(std::move(split));
}

// Missing values left, all others right. The mirror image of a candidate of a run, and so of no use unless a monotone
// constraint allows only one of the two.
void HistogramScan::OfferMissingAlone(std::uint32_t feature) {
  Split split;
  split.feature = feature;
  split.missing_left = true;
  split.last_left_bin = Split::kNoBin;
  split.threshold = task_.bins.GetCuts().lowest[feature];
  split.right = SumOf(task_.bins.Place(feature).histogram, OccupiedOrAll(feature));
  split.left = Minus(node_->sums, split.right);
  double left = 0, right = 0;
  for (std::size_t k = 0; k < outputs_; ++k) {
    left += task_.scales[k].Hessian(split.left[k]);
    right += task_.scales[k].Hessian(split.right[k]);
  }
  if (HeavyEnough(left, right)) Offer(std::move(split));
}

// The bins of a feature, or the occupied ones if there is no histogram.
std::size_t HistogramScan::OccupiedOrAll(std::uint32_t feature) {
  if (!OfRows()) return task_.bins.Place(feature).bins;
  occupied_.Count(feature);
  return occupied_.Numbers().size();
}

template <class Sum>
Sum const* HistogramScan::BinsOf(std::size_t output) const {
  if constexpr (std::is_same_v<Sum, FixedSum>) {
    return WideBins(output, 0);
  } else {
    return histogram_->PackedPlane(output);
  }
}

bool HistogramScan::IsConstant(std::uint32_t feature) const {
  return task_.bins.Place(feature).bins == 1 && task_.bins.Present(feature) == task_.bins.Rows();
}

// For the sums of so many bins, and a line that AddUp() may write past them.
void HistogramScan::MakeRunRoom(std::size_t bins) {
  run_room_ = bins;
  run_.resize(std::max(run_.size(), 2 * bins));
  run_words_.resize(std::max(run_words_.size(), outputs_ * RunStride() * sizeof(FixedSum) / sizeof(std::int64_t)));
}

}  // namespace xgbl
