// SPDX-License-Identifier: Apache-2.0
// A sum of doubles that is exact, and rounded once when it is read: neither the order of terms nor how they are cut
// into partial sums matters. NaN and infinities count as in plain addition; a sum of 0 is never negative. It is a whole
// number in units of the least positive double, in digits of 32 bits that leave room in words of 64, so that carries
// may wait (Neal 2015, "Fast exact summation using small and large superaccumulators"). Of many terms at once kernels
// make a few whole numbers (simd/sum_kernels.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/context.h"

namespace xgbl {

class ExactSum {
 public:
  /// Digits, the lowest first, then whether terms were not below and not above all numbers (NaN is both).
  static constexpr std::size_t kWords = 69;
  using Words = std::array<std::int64_t, kWords>;
  static constexpr unsigned kOne = 1074;  // the exponent of units of 1

  ExactSum() = default;
  /// From words, or from sums of the words of up to 2^30 others: so partial sums travel.
  explicit ExactSum(Words const& words) : words_(words) { Carry(); }
  /// The same words for equal sums.
  Words ToWords() const;

  ExactSum& operator+=(double term);
  ExactSum& operator+=(ExactSum const& other);
  /// Adds many; ten times as fast as one by one.
  void Add(double const* terms, std::size_t count, SimdLevel level = SimdLevel::kScalar);
  /// Adds `units` times 2^(exponent - kOne).
  void AddUnits(std::int64_t units, unsigned exponent);

  /// The double nearest to the sum; of two, the even one. Infinite where doubles end.
  double Value() const;

 private:
  static constexpr int kRoom = 1 << 28;  // so often a word may grow by 2^33 before carries are due

  void AddOneByOne(double const* terms, std::size_t count);
  void Carry();

  Words words_{};
  int room_ = kRoom;
};

/// The same, for one term after the other: it collects them and adds many at once.
class BufferedSum {
 public:
  explicit BufferedSum(SimdLevel level = SimdLevel::kScalar) : level_(level) {}

  BufferedSum& operator+=(double term) {
    terms_[count_++] = term;
    if (count_ == terms_.size()) Exact();
    return *this;
  }
  ExactSum const& Exact() {
    sum_.Add(terms_.data(), count_, level_);
    count_ = 0;
    return sum_;
  }
  double Value() { return Exact().Value(); }

 private:
  ExactSum sum_;
  SimdLevel level_;
  std::size_t count_ = 0;
  std::array<double, 512> terms_;  // NOLINT(*-member-init)
};

}  // namespace xgbl
