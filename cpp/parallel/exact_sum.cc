// SPDX-License-Identifier: Apache-2.0
#include "parallel/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.h"
#include "simd/sum_kernels.h"

namespace xgbl {
namespace {

constexpr std::size_t kSumDigits = ExactSum::kWords - 2;  // the last one takes carries only
constexpr std::size_t kAbove = kSumDigits, kBelow = kSumDigits + 1;
constexpr unsigned kWordBits = 32, kMantissaBits = 52;
constexpr std::int64_t kWordMask = (std::int64_t{1} << kWordBits) - 1;
constexpr int kLeastExponent = -1074;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

ExactSum& ExactSum::operator+=(double term) {
  constexpr unsigned kExponents = 0x7FF;
  std::uint64_t const bits = ToBits(term);
  std::int64_t const sign = static_cast<std::int64_t>(bits) >> 63;  // 0 or -1
  auto const exponent = static_cast<unsigned>(bits >> kMantissaBits) & kExponents;
  if (exponent == kExponents) {
    words_[kAbove] |= term < kInfinity ? 0 : 1;
    words_[kBelow] |= term > -kInfinity ? 0 : 1;
    return *this;
  }
  std::uint64_t const hidden = exponent > 0 ? 1 : 0;
  std::uint64_t const mantissa = (bits & ((std::uint64_t{1} << kMantissaBits) - 1)) | hidden << kMantissaBits;
  AddUnits((static_cast<std::int64_t>(mantissa) ^ sign) - sign, exponent - static_cast<unsigned>(hidden));
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

void ExactSum::Add(double const* terms, std::size_t count, SimdLevel level) {
  constexpr std::size_t kFewest = 16;
  std::array<double, kMostSplitTerms> rest;  // NOLINT(*-member-init)
  for (std::size_t some = 0; count > 0; terms += some, count -= some) {
    some = std::min(kMostSplitTerms, count);
    double const* left = terms;
    for (bool more = some > 0; more; left = rest.data()) {
      SplitSum const sum = some < kFewest ? SplitSum() : SumKernels::Of(level).split(left, some, rest.data());
      if (sum.good) {
        AddUnits(sum.high, sum.exponent);
        AddUnits(sum.low, sum.exponent - kMantissaBits);
      } else {
        AddOneByOne(left, some);
      }
      more = sum.rest;
    }
  }
}

void ExactSum::AddOneByOne(double const* terms, std::size_t count) {
  std::int64_t above = 0, below = 0;
  for (std::size_t i = 0; i < count; ++i) {
    above |= terms[i] < kInfinity ? 0 : 1;
    below |= terms[i] > -kInfinity ? 0 : 1;
  }
  words_[kAbove] |= above;
  words_[kBelow] |= below;
  if ((above | below) != 0) return;  // what is finite does not count beside what is not
  for (std::size_t i = 0; i < count; ++i) {
    if (terms[i] != 0) *this += terms[i];
  }
}

void ExactSum::AddUnits(std::int64_t units, unsigned exponent) {
  std::int64_t const factor = std::int64_t{1} << exponent % kWordBits;
  std::int64_t const low = (units & kWordMask) * factor, high = (units >> kWordBits) * factor;
  std::int64_t* const digit = words_.data() + exponent / kWordBits;
  digit[0] += low & kWordMask;
  digit[1] += (low >> kWordBits) + (high & kWordMask);
  digit[2] += high >> kWordBits;
  if (--room_ == 0) Carry();
}

void ExactSum::Carry() {
  bool const above = words_[kAbove] != 0, below = words_[kBelow] != 0;
  if (above || below) words_.fill(0);
  words_[kAbove] = above ? 1 : 0;
  words_[kBelow] = below ? 1 : 0;
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

double ExactSum::Value() const {
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
