// SPDX-License-Identifier: Apache-2.0
#include "parallel/exact_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/math.h"
#include "simd/level.h"

namespace xgbl {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kLeast = std::numeric_limits<double>::denorm_min();

using Terms = std::vector<double>;

double SumOf(Terms const& terms) {
  ExactSum sum;
  for (double const term : terms) sum += term;
  return sum.Value();
}

std::mt19937_64& Draw() {
  static std::mt19937_64 draw(7);
  return draw;
}

// Any bits but those of NaN and infinity, with exponents in a range.
Terms AnyNumbers(std::size_t count, int least, int most) {
  Terms terms(count);
  for (double& term : terms) {
    double const mantissa = static_cast<double>(Draw()() >> 11U) * 0x1p-53 * (Draw()() % 2 == 0 ? 1 : -1);
    term = std::ldexp(mantissa, std::uniform_int_distribution<int>(least, most)(Draw()));
  }
  return terms;
}

// The same terms, shuffled, cut anywhere, each piece added one by one or at once, and the pieces in any order.
double SumOfPieces(Terms terms) {
  std::shuffle(terms.begin(), terms.end(), Draw());
  std::vector<ExactSum> pieces;
  for (std::size_t begin = 0; begin < terms.size();) {
    std::size_t const count = std::min<std::size_t>(terms.size() - begin, 1 + Draw()() % 1500);
    pieces.emplace_back();
    if (Draw()() % 3 == 0) {
      for (std::size_t i = 0; i < count; ++i) pieces.back() += terms[begin + i];
    } else {
      auto const levels = AvailableSimd();
      pieces.back().Add(terms.data() + begin, count, levels[Draw()() % levels.size()]);
    }
    begin += count;
  }
  std::shuffle(pieces.begin(), pieces.end(), Draw());
  ExactSum sum;
  for (ExactSum const& piece : pieces) sum += piece;
  return sum.Value();
}

TEST(ExactSum, RoundsOnceToTheNearest) {
  EXPECT_EQ(SumOf({}), 0);
  EXPECT_EQ(SumOf({0.1}), 0.1);
  EXPECT_EQ(SumOf({1e16, 1, -1e16}), 1);
  EXPECT_EQ(SumOf({1, 0x1p-53}), 1);                      // halfway: to even
  EXPECT_EQ(SumOf({1 + 0x1p-52, 0x1p-53}), 1 + 0x1p-51);  // the other way
  EXPECT_EQ(SumOf({1, 0x1p-53, kLeast}), 1 + 0x1p-52);    // a trace above halfway
  EXPECT_EQ(SumOf({-1, -0x1p-53, -kLeast}), -1 - 0x1p-52);
  EXPECT_EQ(SumOf({1, 0x1p-53, 1e300, -kLeast, -1e300}), 1);  // and below
  EXPECT_EQ(SumOf({0x1p64, -0x1p11, 0x1p-300}), 0x1p64 - 0x1p11);
}

TEST(ExactSum, GoesToBothEndsOfDoubles) {
  EXPECT_EQ(SumOf({kLeast, kLeast, kLeast}), 3 * kLeast);
  EXPECT_EQ(SumOf({0x1p-1022, -kLeast}), 0x1p-1022 - kLeast);  // a denormal number
  EXPECT_EQ(SumOf({kLargest, kLargest, -kLargest}), kLargest);
  EXPECT_EQ(SumOf({kLargest, kLargest}), kInfinity);
  EXPECT_EQ(SumOf({-kLargest, -kLargest}), -kInfinity);
  EXPECT_EQ(SumOf({kLargest, 0x1p970}), kInfinity);  // halfway to what would be the next
  EXPECT_EQ(SumOf({kLargest, 0x1p970, -kLeast}), kLargest);
  ExactSum many;
  for (int i = 0; i < 100'000; ++i) many += i % 2 == 0 ? kLargest : -kLargest / 2;
  EXPECT_EQ(many.Value(), kInfinity);
  for (int i = 0; i < 50'000; ++i) many += -kLargest / 2;
  EXPECT_EQ(many.Value(), 0);
}

TEST(ExactSum, NanAndInfinityAreAsInPlainAddition) {
  Terms const ordinary(600, 0.1);
  for (Terms const& special : {Terms{kInfinity}, Terms{-kInfinity}, Terms{kInfinity, -kInfinity}, Terms{std::nan("")},
                               Terms{kInfinity, std::nan("")}}) {
    double plain = 0;
    for (double const term : special) plain += term;
    for (std::size_t const place : {std::size_t{0}, std::size_t{37}, std::size_t{600}}) {
      Terms terms = ordinary;
      terms.insert(terms.begin() + static_cast<std::ptrdiff_t>(place), special.begin(), special.end());
      for (double const got : {SumOf(terms), SumOfPieces(terms)}) {
        EXPECT_TRUE(std::isnan(plain) ? std::isnan(got) : got == plain) << got << " for " << plain;
      }
    }
  }
  Terms zeros(600, 0.0);
  zeros[300] = std::nan("");
  EXPECT_TRUE(std::isnan(SumOfPieces(zeros)));
}

TEST(ExactSum, ZeroIsPositive) {
  for (Terms const& terms : {Terms{-0.0}, Terms{1.5, -1.5}, Terms(100, -0.0)}) {
    EXPECT_FALSE(std::signbit(SumOf(terms)));
    EXPECT_FALSE(std::signbit(SumOfPieces(terms)));
  }
}

TEST(ExactSum, NoCutAndNoOrderMatters) {
  for (auto const& [least, most] :
       {std::pair{-1, 1}, {-60, 20}, {-200, 200}, {-1100, -1000}, {900, 1023}, {-1074, 1023}}) {
    Terms terms = AnyNumbers(4000, least, most);
    for (std::size_t i = 0; i < 1000; ++i) terms.push_back(-terms[i]);  // much of which cancels
    double const expected = SumOf(terms);
    for (int turn = 0; turn < 20; ++turn) EXPECT_EQ(ToBits(SumOfPieces(terms)), ToBits(expected));
    ExactSum one_by_one;
    for (double const term : terms) one_by_one += term;
    for (SimdLevel const level : AvailableSimd()) {
      ExactSum sum;
      sum.Add(terms.data(), terms.size(), level);
      EXPECT_EQ(sum.ToWords(), one_by_one.ToWords()) << SimdName(level);
    }
  }
}

// Integers of 100 bits have an oracle of their own.
TEST(ExactSum, IsTheSumOfIntegers) {
  for (int turn = 0; turn < 200; ++turn) {
    std::int64_t high = 0, low = 0;
    Terms terms;
    for (int i = 0; i < 700; ++i) {
      std::int64_t const a = static_cast<std::int64_t>(Draw()() % 2000) - 1000;
      std::int64_t const b = static_cast<std::int64_t>(Draw()() % 2000) - 1000;
      high += a, low += b;
      terms.push_back(std::ldexp(static_cast<double>(a), 80));
      terms.push_back(static_cast<double>(b));
    }
    // Below 2^53 units of 2^80 the rest decides halfway cases only, of which there are none.
    double const expected = high == 0 ? static_cast<double>(low) : std::ldexp(static_cast<double>(high), 80);
    EXPECT_EQ(SumOfPieces(terms), expected + static_cast<double>(low));
  }
}

TEST(ExactSum, TravelsAsWords) {
  Terms const terms = AnyNumbers(3000, -300, 300);
  ExactSum all;
  ExactSum::Words words{};
  for (std::size_t part = 0; part < 3; ++part) {
    ExactSum sum;
    sum.Add(terms.data() + part * 1000, 1000);
    auto const own = sum.ToWords();
    for (std::size_t i = 0; i < words.size(); ++i) words[i] += own[i];
    all += sum;
  }
  EXPECT_EQ(ExactSum(words).ToWords(), all.ToWords());
  EXPECT_EQ(ExactSum(words).Value(), SumOf(terms));
}

TEST(ExactSum, BuffersAddWhatTheyHave) {
  Terms const terms = AnyNumbers(1300, -20, 20);
  BufferedSum sum;
  for (double const term : terms) sum += term;
  EXPECT_EQ(sum.Value(), SumOf(terms));
  sum += 1;
  EXPECT_EQ(ExactSum(sum.Exact().ToWords()).Value(), sum.Value());
}

}  // namespace
}  // namespace xgbl
