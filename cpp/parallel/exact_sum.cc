// SPDX-License-Identifier: Apache-2.0
#include "parallel/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/math.h"

namespace xgbl {
namespace {

constexpr std::size_t kSumDigits = ExactSum::kWords - 2;  // the last one takes carries only
constexpr std::size_t kAbove = kSumDigits, kBelow = kSumDigits + 1;
constexpr unsigned kWordBits = 32;
constexpr std::int64_t kWordMask = (std::int64_t{1} << kWordBits) - 1;
constexpr int kLeastExponent = -1074;

constexpr std::size_t kBlock = 512;
constexpr std::size_t kLanes = 32;  // enough for the compiler to make vectors of them, and not to unroll them all
constexpr int kBlockBits = 9;

double Largest(double const* terms, std::size_t count) {
  std::array<double, kLanes> lanes{};
  for (std::size_t i = 0; i < count; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      double const size = std::fabs(terms[i + k]);
      lanes[k] = size > lanes[k] ? size : lanes[k];
    }
  }
  return *std::max_element(lanes.begin(), lanes.end());
}

struct Halves {
  double high = 0;
  double low = 0;
  double rest = 0;  // the largest, without its sign
};

// Adds up the terms down to 2^-84 of the largest, which is below 2^(exponent + 1). What is left of each goes to `rest`
// unless that is nullptr.
template <class Rest>
Halves Split(double const* terms, std::size_t count, int exponent, Rest rest) {
  // Sums around one and a half times a power of two are multiples of one unit, and so is what a term adds to them.
  double const high = std::ldexp(1.5, exponent + kBlockBits + 2);
  double const low = std::ldexp(high, 2 + kBlockBits - 54);  // terms are by now at most half of the unit
  std::array<double, kLanes> highs, lows, rests{};           // NOLINT(*-member-init)
  highs.fill(high);
  lows.fill(low);
  for (std::size_t i = 0; i < count; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      double const above = highs[k] + terms[i + k], left = terms[i + k] - (above - highs[k]);
      double const below = lows[k] + left, more = left - (below - lows[k]);
      highs[k] = above;
      lows[k] = below;
      if constexpr (std::is_same_v<Rest, std::nullptr_t>) {
        double const size = std::fabs(more);
        rests[k] = size > rests[k] ? size : rests[k];
      } else {
        rest[i + k] = more;
      }
    }
  }
  Halves sums;
  for (std::size_t k = 0; k < kLanes; ++k) {
    sums.high += highs[k] - high;
    sums.low += lows[k] - low;
    sums.rest = rests[k] > sums.rest ? rests[k] : sums.rest;
  }
  return sums;
}

}  // namespace

ExactSum& ExactSum::operator+=(double term) {
  constexpr unsigned kMantissaBits = 52, kExponents = 0x7FF;
  std::uint64_t const bits = ToBits(term);
  std::int64_t const sign = static_cast<std::int64_t>(bits) >> 63;  // 0 or -1
  auto const exponent = static_cast<unsigned>(bits >> kMantissaBits) & kExponents;
  if (exponent == kExponents) {
    if (!(term < 0)) ++words_[kAbove];
    if (!(term > 0)) ++words_[kBelow];
    return *this;
  }
  std::uint64_t const hidden = exponent > 0 ? 1 : 0;
  std::uint64_t const mantissa = (bits & ((std::uint64_t{1} << kMantissaBits) - 1)) | hidden << kMantissaBits;
  unsigned const shift = exponent - static_cast<unsigned>(hidden), within = shift % kWordBits;
  auto const low = static_cast<std::int64_t>(mantissa << within) & kWordMask;
  auto const high = static_cast<std::int64_t>(mantissa >> (kWordBits - within));
  std::int64_t* const digit = words_.data() + shift / kWordBits;
  digit[0] += (low ^ sign) - sign;
  digit[1] += (high ^ sign) - sign;
  if (--room_ == 0) Carry();
  return *this;
}

ExactSum& ExactSum::operator+=(ExactSum const& other) {
  int const taken = kRoom - other.room_ + 1;
  if (room_ <= taken) Carry();
  for (std::size_t i = 0; i < kWords; ++i) words_[i] += other.words_[i];
  room_ -= taken;
  if (room_ <= 0) Carry();
  return *this;
}

void ExactSum::Carry() {
  std::int64_t carry = 0;
  for (std::size_t i = 0; i + 1 < kSumDigits; ++i) {
    std::int64_t const digit = words_[i] + carry;
    words_[i] = digit & kWordMask;
    carry = digit >> kWordBits;
  }
  words_[kSumDigits - 1] += carry;
  room_ = kRoom;
}

ExactSum::Words ExactSum::ToWords() const {
  ExactSum copy = *this;
  copy.Carry();
  return copy.words_;
}

void ExactSum::Add(double const* terms, std::size_t count) {
  constexpr std::size_t kFewest = 2 * kLanes;
  for (std::size_t i = 0; i < count; i += kBlock) {
    std::size_t const some = std::min(kBlock, count - i);
    some < kFewest ? AddOneByOne(terms + i, some) : AddBlock(terms + i, some);
  }
}

void ExactSum::AddOneByOne(double const* terms, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (terms[i] != 0) *this += terms[i];
  }
}

void ExactSum::AddBlock(double const* terms, std::size_t count) {
  // Beyond these, what terms are split by, or its unit, is no normal number.
  constexpr double kTiny = 0x1p-900, kHuge = 0x1p1000;
  std::array<std::array<double, kBlock>, 2> space;  // NOLINT(*-member-init)
  double *rest = space[0].data(), *other = space[1].data();
  if (count % kLanes != 0) {
    std::size_t const filled = (count / kLanes + 1) * kLanes;
    std::fill(std::copy(terms, terms + count, other), other + filled, 0.0);
    terms = other;
    count = filled;
  }
  for (double largest = Largest(terms, count); largest > kTiny && largest < kHuge; largest = Largest(terms, count)) {
    int const exponent = std::ilogb(largest);
    Halves const sums = Split(terms, count, exponent, nullptr);
    if (std::isnan(sums.high)) break;  // some term is
    *this += sums.high;
    *this += sums.low;
    if (sums.rest == 0) return;
    Split(terms, count, exponent, rest);
    terms = rest;
    std::swap(rest, other);
  }
  AddOneByOne(terms, count);
}

double ExactSum::Value() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (words_[kAbove] > 0 && words_[kBelow] > 0) return std::numeric_limits<double>::quiet_NaN();
  if (words_[kAbove] > 0 || words_[kBelow] > 0) return words_[kAbove] > 0 ? kInfinity : -kInfinity;
  Words digits = ToWords();
  double const sign = digits[kSumDigits - 1] < 0 ? -1 : 1;
  if (sign < 0) {
    for (std::size_t i = 0; i < kSumDigits; ++i) digits[i] = -digits[i];
    digits = ExactSum(digits).words_;
  }
  if (digits[kSumDigits - 1] != 0) return sign * kInfinity;
  std::size_t first = kSumDigits - 1;
  while (first > 0 && digits[first] == 0) --first;
  if (digits[first] == 0) return 0;
  // The leading 64 bits, the last of which says whether anything is below: the conversion to double rounds them well.
  auto const at = [&](std::size_t back) { return back > first ? 0 : static_cast<std::uint64_t>(digits[first - back]); };
  std::uint64_t leading = at(0) << kWordBits | at(1);
  unsigned up = 0;
  for (; leading >> 63U == 0; leading <<= 1U) ++up;
  leading |= at(2) << up >> kWordBits;
  bool below = (at(2) << up & static_cast<std::uint64_t>(kWordMask)) != 0;
  for (std::size_t i = 0; i + 2 < first; ++i) below = below || digits[i] != 0;
  auto const value = static_cast<double>(leading | (below ? 1U : 0U));
  int const place = static_cast<int>(kWordBits * first) - static_cast<int>(kWordBits + up) + kLeastExponent;
  return sign * std::ldexp(value, place);
}

}  // namespace xgbl
