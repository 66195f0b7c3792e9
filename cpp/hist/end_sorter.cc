// SPDX-License-Identifier: Apache-2.0
#include "hist/end_sorter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace xgbl {
namespace {

constexpr std::size_t kFew = 128;    // keys that are compared with one another
constexpr std::size_t kSample = 96;  // of more weights than kFew
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;

// Both zeros are one weight.
std::int64_t KeyFor(float weight, std::size_t number) {
  return static_cast<std::int64_t>(KeyOf(weight, static_cast<std::uint32_t>(number)) ^ kSign);
}

float WeightOf(std::int64_t key) { return ValueOf(static_cast<std::uint64_t>(key) ^ kSign); }

std::uint32_t NumberOf(std::int64_t key) { return RowOf(static_cast<std::uint64_t>(key)); }

}  // namespace

void EndSorter::Sort(Span<float const> weights, std::size_t most, HistogramKernels const& kernels) {
  if (weights.size() <= std::max(2 * most, kFew)) {
    SortAll(weights, most, kernels);
  } else {
    SortEnds(weights, most, kernels);
  }
}

void EndSorter::SortAll(Span<float const> weights, std::size_t most, HistogramKernels const& kernels) {
  std::size_t const count = weights.size();
  numbers_.resize(count);
  if (count <= kFew) {
    keys_.resize(count);
    for (std::size_t i = 0; i < count; ++i) keys_[i] = KeyFor(weights[i], i);
    SortLeast(count, kernels);
    std::transform(sorted_.begin(), sorted_.end(), numbers_.begin(), NumberOf);
  } else {
    weights_.assign(weights.begin(), weights.end());
    std::iota(numbers_.begin(), numbers_.end(), 0U);
    sorter_.Sort(weights_, numbers_);
  }
  auto const wanted = static_cast<std::ptrdiff_t>(std::min(most, count));
  rising_.assign(numbers_.begin(), numbers_.begin() + wanted);
  falling_.assign(numbers_.rbegin(), numbers_.rbegin() + wanted);
}

// Puts the least of the keys into `sorted_`.
void EndSorter::SortLeast(std::size_t most, HistogramKernels const& kernels) {
  if (keys_.size() > std::max(most, kFew)) {
    std::nth_element(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(most), keys_.end());
    keys_.resize(most);
  }
  sorted_.resize(keys_.size());
  if (keys_.size() <= kFew) {
    kernels.sort_few(keys_.data(), keys_.size(), sorted_.data());
  } else {
    std::sort(keys_.begin(), keys_.end());
    sorted_.swap(keys_);
  }
  sorted_.resize(std::min(most, sorted_.size()));
}

// A sample tells up to which weight, or from which, there are a few more than are wanted. Once in fifty times there
// are too few, and all are taken.
void EndSorter::SortEnds(Span<float const> weights, std::size_t most, HistogramKernels const& kernels) {
  keys_.resize(kSample);
  std::size_t const stride = weights.size() / kSample;
  for (std::size_t i = 0; i < kSample; ++i) keys_[i] = KeyFor(weights[i * stride], i * stride);
  SortLeast(kSample, kernels);
  double const share = static_cast<double>(kSample * most) / static_cast<double>(weights.size());
  auto const rank = static_cast<std::size_t>(share + 1.5 * std::sqrt(share) + 1);
  bool const tells = rank < kSample;
  float const low = tells ? WeightOf(sorted_[rank]) : kInfinity;
  float const high = tells ? WeightOf(sorted_[kSample - 1 - rank]) : -kInfinity;

  PickKeys(weights, -kInfinity, low, most, kernels);
  SortLeast(most, kernels);
  rising_.resize(most);
  std::transform(sorted_.begin(), sorted_.end(), rising_.begin(), NumberOf);
  PickKeys(weights, high, kInfinity, most, kernels);
  for (Key& key : keys_) key = ~key;
  SortLeast(most, kernels);
  falling_.resize(most);
  std::transform(sorted_.begin(), sorted_.end(), falling_.begin(), [](Key key) { return NumberOf(~key); });
}

// The keys of the weights between bounds, or all if they are fewer than `most`.
void EndSorter::PickKeys(Span<float const> weights, float least, float greatest, std::size_t most,
                         HistogramKernels const& kernels) {
  numbers_.resize(weights.size());
  auto const pick = [&](float from, float to) {
    return kernels.pick_between(weights.data(), weights.size(), from, to, numbers_.data());
  };
  std::size_t found = pick(least, greatest);
  if (found < most) found = pick(-kInfinity, kInfinity);
  keys_.resize(found);
  for (std::size_t i = 0; i < found; ++i) keys_[i] = KeyFor(weights[numbers_[i]], numbers_[i]);
}

}  // namespace xgbl
