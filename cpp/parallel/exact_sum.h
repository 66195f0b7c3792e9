// SPDX-License-Identifier: Apache-2.0
// A sum of doubles that is exact, and rounded once when it is read: neither the order of terms nor how they are cut
// into partial sums matters. NaN and infinities count as in plain addition; a sum of 0 is never negative. It is a whole
// number in units of the least positive double, in digits of 32 bits that leave room in words of 64, so that carries
// may wait (Neal 2015, "Fast exact summation using small and large superaccumulators"). Many terms at once are split by
// adding and subtracting a large number, which leaves sums of multiples of one power of two, free of rounding, and what
// is left of the terms (Rump, Ogita and Oishi 2008): for usual terms nothing after two such sums.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace xgbl {

class ExactSum {
 public:
  /// Digits, the lowest first, then how many terms were not below and how many not above all numbers (NaN is both).
  static constexpr std::size_t kWords = 69;
  using Words = std::array<std::int64_t, kWords>;

  ExactSum() = default;
  /// From words, or from sums of the words of up to 2^30 others: so partial sums travel.
  explicit ExactSum(Words const& words) : words_(words) { Carry(); }
  /// The same words for equal sums.
  Words ToWords() const;

  ExactSum& operator+=(double term);
  ExactSum& operator+=(ExactSum const& other);
  /// Adds many; five times as fast as one by one.
  void Add(double const* terms, std::size_t count);

  /// The double nearest to the sum; of two, the even one. Infinite where doubles end.
  double Value() const;

 private:
  static constexpr int kRoom = 512;  // so often a word may grow by 2^52 before carries are due

  void AddOneByOne(double const* terms, std::size_t count);
  void AddBlock(double const* terms, std::size_t count);
  void Carry();

  Words words_{};
  int room_ = kRoom;
};

/// The same, for one term after the other: it collects them and adds many at once.
class BufferedSum {
 public:
  BufferedSum& operator+=(double term) {
    terms_[count_++] = term;
    if (count_ == terms_.size()) Exact();
    return *this;
  }
  ExactSum const& Exact() {
    sum_.Add(terms_.data(), count_);
    count_ = 0;
    return sum_;
  }
  double Value() { return Exact().Value(); }

 private:
  ExactSum sum_;
  std::size_t count_ = 0;
  std::array<double, 512> terms_;  // NOLINT(*-member-init)
};

}  // namespace xgbl
