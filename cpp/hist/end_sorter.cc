// SPDX-License-Identifier: Apache-2.0
#include "hist/end_sorter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace xgbl {
namespace {

constexpr std::size_t kBlock = 4;    // weights that are compared at once
constexpr std::size_t kFew = 128;    // keys that are compared with one another
constexpr std::size_t kSample = 96;  // of more weights than kFew
constexpr std::int64_t kNoBar = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kRoom = 64;  // for keys beyond those that are wanted, at least

// Both zeros are one weight.
std::int64_t KeyFor(float weight, std::size_t number) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return static_cast<std::int64_t>(KeyOf(weight, static_cast<std::uint32_t>(number)) ^ kSign);
}

float WeightOf(std::int64_t key) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return ValueOf(static_cast<std::uint64_t>(key) ^ kSign);
}

std::uint32_t NumberOf(std::int64_t key) { return static_cast<std::uint32_t>(static_cast<std::uint64_t>(key)); }

bool AnyUpTo(float bar, float const* block) {
  bool any = false;
  for (std::size_t i = 0; i < kBlock; ++i) any |= block[i] <= bar;
  return any;
}

bool AnyFrom(float bar, float const* block) {
  bool any = false;
  for (std::size_t i = 0; i < kBlock; ++i) any |= block[i] >= bar;
  return any;
}

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
    least_.Start(count, kNoBar);
    for (std::size_t i = 0; i < count; ++i) least_.Add(KeyFor(weights[i], i));
    auto const keys = least_.Take(count, kernels);
    std::transform(keys.begin(), keys.end(), numbers_.begin(), NumberOf);
  } else {
    weights_.assign(weights.begin(), weights.end());
    std::iota(numbers_.begin(), numbers_.end(), 0U);
    sorter_.Sort(weights_, numbers_);
  }
  auto const wanted = static_cast<std::ptrdiff_t>(std::min(most, count));
  rising_.assign(numbers_.begin(), numbers_.begin() + wanted);
  falling_.assign(numbers_.rbegin(), numbers_.rbegin() + wanted);
}

void EndSorter::Least::Start(std::size_t most, Key first_bar) {
  std::size_t const room = most + std::max(3 * most, kRoom);
  if (keys.size() < room) keys.resize(room);
  count = 0;
  bar = first_bar;
}

// Unless there is room for another block. Whether the bar moved.
bool EndSorter::Least::Shrink(std::size_t most) {
  if (count + kBlock <= keys.size()) return false;
  Keep(most);
  return true;
}

void EndSorter::Least::Keep(std::size_t most) {
  auto const end = keys.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(keys.begin(), end, keys.begin() + static_cast<std::ptrdiff_t>(count));
  bar = *end;
  count = most;
}

// Leaves them in order.
Span<EndSorter::Key const> EndSorter::Least::Take(std::size_t most, HistogramKernels const& kernels) {
  if (count > most) Keep(most);
  if (count > kFew) {
    std::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count));
    return {keys.data(), count};
  }
  sorted.resize(count);
  kernels.sort_few(keys.data(), count, sorted.data());
  return sorted;
}

// Begins with bars from a sample. They are too low once in hundreds of times, and then there are none.
void EndSorter::SortEnds(Span<float const> weights, std::size_t most, HistogramKernels const& kernels) {
  Key keys[kSample], sample[kSample];
  std::size_t const stride = weights.size() / kSample;
  for (std::size_t i = 0; i < kSample; ++i) keys[i] = KeyFor(weights[i * stride], i * stride);
  kernels.sort_few(keys, kSample, sample);
  double const share = static_cast<double>(kSample * most) / static_cast<double>(weights.size());
  auto const rank = static_cast<std::size_t>(share + 2 * std::sqrt(share) + 2);
  Collect(weights, most, rank < kSample ? sample[rank] : kNoBar, rank < kSample ? ~sample[kSample - 1 - rank] : kNoBar);
  if (least_.count < most || greatest_.count < most) Collect(weights, most, kNoBar, kNoBar);
  rising_.clear();
  for (Key const key : least_.Take(most, kernels)) rising_.push_back(NumberOf(key));
  falling_.clear();
  for (Key const key : greatest_.Take(most, kernels)) falling_.push_back(NumberOf(~key));
}

void EndSorter::Collect(Span<float const> weights, std::size_t most, Key least_bar, Key greatest_bar) {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  least_.Start(most, least_bar);
  greatest_.Start(most, greatest_bar);
  float low = least_bar == kNoBar ? kInfinite : WeightOf(least_bar);
  float high = greatest_bar == kNoBar ? -kInfinite : WeightOf(~greatest_bar);
  for (std::size_t begin = 0; begin < weights.size(); begin += kBlock) {
    std::size_t const end = std::min(begin + kBlock, weights.size());
    bool const whole = end - begin == kBlock;
    if (!whole || AnyUpTo(low, weights.data() + begin)) {
      for (std::size_t i = begin; i < end; ++i) least_.Add(KeyFor(weights[i], i));
      if (least_.Shrink(most)) low = WeightOf(least_.bar);
    }
    if (!whole || AnyFrom(high, weights.data() + begin)) {
      for (std::size_t i = begin; i < end; ++i) greatest_.Add(~KeyFor(weights[i], i));
      if (greatest_.Shrink(most)) high = WeightOf(~greatest_.bar);
    }
  }
}

}  // namespace xgbl
