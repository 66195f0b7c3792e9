// SPDX-License-Identifier: Apache-2.0
#include "hist/category_levels.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace xgbl {

void CategoryLevels::Reserve(std::size_t count) {
  codes_.resize(count);
  for (auto& sums : sums_) sums.resize(count);
}

void CategoryLevels::Read(Histogram const& histogram, std::size_t first, std::size_t count,
                          HistogramKernels const& kernels) {
  Reserve(count);
  if (histogram.Packed() && sums_.size() == 1) {
    std::int64_t const* const bins = histogram.PackedPlane(0) + first;
    Reserve(kernels.nonzero(bins, count, codes_.data()));
    for (std::size_t i = 0; i < size(); ++i) sums_[0][i] = Histogram::Unpack(bins[codes_[i]]);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) codes_[i] = static_cast<std::uint32_t>(i);
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    for (std::size_t i = 0; i < count; ++i) sums_[k][i] = histogram.Bin(k, first + i);
  }
  KeepOccurring();
}

void CategoryLevels::Read(OccupiedBins const& bins) {
  codes_.assign(bins.Numbers().begin(), bins.Numbers().end());
  for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k].assign(bins.Sums(k), bins.Sums(k) + size());
  KeepOccurring();
}

// Each is written down, but stays only if it occurs: no branch, as nobody can foretell which do.
void CategoryLevels::KeepOccurring() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    bool occurs = false;
    codes_[kept] = codes_[i];
    for (auto& sums : sums_) {
      sums[kept] = sums[i];
      occurs |= !(sums[i] == FixedSum{});
    }
    kept += occurs ? 1 : 0;
  }
  Reserve(kept);
}

void CategoryLevels::AddAbsent(std::size_t count) {
  std::size_t const occurring = size();
  std::size_t next = 0;
  for (std::uint32_t code = 0; code < count; ++code) {
    if (next < occurring && codes_[next] == code) {
      ++next;
    } else {
      codes_.push_back(code);
    }
  }
  Reserve(size());
}

FixedSums CategoryLevels::SumsOf(std::size_t i) const {
  FixedSums sums(sums_.size());
  for (std::size_t k = 0; k < sums_.size(); ++k) sums[k] = sums_[k][i];
  return sums;
}

FixedSums CategoryLevels::Total() const {
  FixedSums total(sums_.size());
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    FixedSum sum;
    for (FixedSum const own : sums_[k]) sum += own;
    total[k] = sum;
  }
  return total;
}

void EndSorter::Sort(Span<float const> weights, std::size_t most) {
  constexpr std::size_t kTooFewBetween = 4;
  if (weights.size() / kTooFewBetween < most || !FillBuckets(weights)) return SortAll(weights, most);
  std::array<std::uint32_t, kBuckets> counts{};
  for (std::uint8_t const bucket : buckets_) ++counts[bucket];
  std::size_t low = 0, high = kBuckets - 1;
  for (std::size_t below = counts[low]; below < most; below += counts[low]) ++low;
  for (std::size_t above = counts[high]; above < most; above += counts[high]) --high;
  SortThose(weights, 0, static_cast<std::uint8_t>(low));
  rising_.assign(numbers_.begin(), numbers_.begin() + static_cast<std::ptrdiff_t>(most));
  SortThose(weights, static_cast<std::uint8_t>(high), kBuckets - 1);
  falling_.assign(numbers_.rbegin(), numbers_.rbegin() + static_cast<std::ptrdiff_t>(most));
}

void EndSorter::SortAll(Span<float const> weights, std::size_t most) {
  weights_.assign(weights.begin(), weights.end());
  numbers_.resize(weights.size());
  std::iota(numbers_.begin(), numbers_.end(), 0U);
  sorter_.Sort(weights_, numbers_);
  auto const wanted = static_cast<std::ptrdiff_t>(std::min(most, weights.size()));
  rising_.assign(numbers_.begin(), numbers_.begin() + wanted);
  falling_.assign(numbers_.rbegin(), numbers_.rbegin() + wanted);
}

// A rising function of the weight, so that only weights of one bucket have to be compared. Whether they are close
// together and fill few buckets is only a matter of time.
bool EndSorter::FillBuckets(Span<float const> weights) {
  float least = weights[0], greatest = weights[0];
  for (float const weight : weights) {
    least = std::min(least, weight);
    greatest = std::max(greatest, weight);
  }
  float const factor = static_cast<float>(kBuckets - 1) / (greatest - least);
  if (!(factor < std::numeric_limits<float>::max())) return false;
  buckets_.resize(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    buckets_[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>((weights[i] - least) * factor));
  }
  return true;
}

// Those of some neighbouring buckets.
void EndSorter::SortThose(Span<float const> weights, std::uint8_t first, std::uint8_t last) {
  constexpr std::size_t kBlock = 32;
  weights_.clear();
  numbers_.clear();
  auto const inside = [=](std::uint8_t bucket) { return static_cast<std::uint8_t>(bucket - first) <= last - first; };
  for (std::size_t begin = 0; begin < weights.size(); begin += kBlock) {
    std::size_t const end = std::min(begin + kBlock, weights.size());
    bool any = false;
    for (std::size_t i = begin; i < end; ++i) any |= inside(buckets_[i]);
    if (!any) continue;
    for (std::size_t i = begin; i < end; ++i) {
      if (!inside(buckets_[i])) continue;
      weights_.push_back(weights[i]);
      numbers_.push_back(static_cast<std::uint32_t>(i));
    }
  }
  sorter_.Sort(weights_, numbers_);
}

}  // namespace xgbl
