// SPDX-License-Identifier: Apache-2.0
#include "hist/category_levels.h"

namespace xgbl {

void CategoryLevels::Reserve(std::size_t count) {
  if (count <= codes_.size()) return;
  codes_.resize(count);
  packed_.resize(count);
  for (auto& sums : wide_) sums.resize(count);
}

void CategoryLevels::Read(Histogram const& histogram, std::size_t first, std::size_t count,
                          HistogramKernels const& kernels) {
  Reserve(count);
  is_packed_ = histogram.Packed() && wide_.size() == 1;
  if (is_packed_) {
    count_ = kernels.take_nonzero(histogram.PackedPlane(0) + first, count, codes_.data(), packed_.data());
    std::int64_t total = 0;
    for (std::size_t i = 0; i < count_; ++i) total += packed_[i];
    total_ = Histogram::Unpack(total);
    return;
  }
  auto const number_of = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
  KeepOccurring(count, number_of, [&](std::size_t k, std::size_t i) { return histogram.Bin(k, first + i); });
}

void CategoryLevels::Read(OccupiedBins const& bins) {
  std::size_t const count = bins.Numbers().size();
  Reserve(count);
  is_packed_ = false;
  auto const number_of = [&](std::size_t i) { return bins.Numbers()[i]; };
  KeepOccurring(count, number_of, [&](std::size_t k, std::size_t i) { return bins.Sums(k)[i]; });
}

// Each is written down, but stays only if it occurs: no branch, as nobody can foretell which do.
template <class NumberOf, class SumOf>
void CategoryLevels::KeepOccurring(std::size_t count, NumberOf const& number_of, SumOf const& sum_of) {
  total_ = FixedSums(wide_.size());
  count_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bool occurs = false;
    codes_[count_] = number_of(i);
    for (std::size_t k = 0; k < wide_.size(); ++k) {
      FixedSum const sum = sum_of(k, i);
      wide_[k][count_] = sum;
      total_[k] += sum;
      occurs |= !(sum == FixedSum{});
    }
    count_ += occurs ? 1 : 0;
  }
}

void CategoryLevels::AddAbsent(std::size_t count) {
  Reserve(count);
  std::size_t const occurring = count_;
  std::size_t next = 0;
  for (std::uint32_t code = 0; code < count; ++code) {
    if (next < occurring && codes_[next] == code) {
      ++next;
      continue;
    }
    codes_[count_] = code;
    packed_[count_] = 0;
    for (auto& sums : wide_) sums[count_] = {};
    ++count_;
  }
}

FixedSums CategoryLevels::SumsOf(std::size_t i) const {
  FixedSums sums(wide_.size());
  for (std::size_t k = 0; k < wide_.size(); ++k) sums[k] = Sum(k, i);
  return sums;
}

LowLevels CategoryLevels::Weigh(LevelTask task, HistogramKernels const& kernels) const {
  task.sums = is_packed_ ? packed_.data() : reinterpret_cast<std::int64_t const*>(wide_[0].data());
  task.count = count_;
  return is_packed_ ? kernels.weigh_packed(task) : kernels.weigh_wide(task);
}

}  // namespace xgbl
