// SPDX-License-Identifier: Apache-2.0
#include "base/math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace xgbl {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

// The largest distance, in ulp of the true value, between `ours` and `reference` over floats of every size and sign.
template <class Ours, class Reference>
double WorstUlp(Ours ours, Reference reference, float low, float high) {
  double worst = 0;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32U); bits += 1543) {
    float const x = FromBits<float>(static_cast<std::uint32_t>(bits));
    if (!(x >= low && x <= high)) continue;
    double const truth = reference(double{x});
    float const rounded = static_cast<float>(truth);
    if (std::isinf(rounded) || rounded == 0) {
      bool const next = rounded == 0 ? std::fabs(ours(x)) <= 1.5e-45F : ours(x) == std::nextafter(rounded, 0.0F);
      EXPECT_TRUE(ours(x) == rounded || next) << x << " gives " << ours(x);
      continue;
    }
    double const ulp = std::max(1.4e-45, double{std::nextafter(std::fabs(rounded), kInf)} - std::fabs(double{rounded}));
    worst = std::max(worst, std::fabs(double{ours(x)} - truth) / ulp);
  }
  return worst;
}

// The largest relative error over doubles of every size in [low, high], of both signs if `low` is negative.
template <class Ours, class Reference>
double WorstRelative(Ours ours, Reference reference, double low, double high) {
  double worst = 0;
  for (double size = 1e-300; size < 1e300; size *= 1.00731) {
    for (double const x : {size, -size}) {
      if (x < low || x > high) continue;
      long double const truth = reference(static_cast<long double>(x));
      worst = std::max(worst, static_cast<double>(std::fabs((static_cast<long double>(ours(x)) - truth) / truth)));
    }
  }
  return worst;
}

template <class T>
T TrueSigmoid(T x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

template <class T>
T TrueSoftplus(T x) {
  return std::max(x, T(0)) + std::log1p(std::exp(-std::fabs(x)));
}

TEST(Math, FloatsAreWithinTwoUlpOfTheCLibrary) {
  EXPECT_LT(WorstUlp([](float x) { return Exp(x); }, [](double x) { return std::exp(x); }, -200, 200), 2);
  EXPECT_LT(WorstUlp([](float x) { return Log(x); }, [](double x) { return std::log(x); }, 1e-45F, kInf), 2);
  EXPECT_LT(WorstUlp([](float x) { return Log1p(x); }, [](double x) { return std::log1p(x); }, -0.9999999F, kInf), 2);
  EXPECT_LT(WorstUlp([](float x) { return Sigmoid(x); }, TrueSigmoid<double>, -200, 200), 2);
  EXPECT_LT(WorstUlp([](float x) { return Softplus(x); }, TrueSoftplus<double>, -200, kInf), 2);
}

TEST(Math, DoublesAreWithinAFewRoundings) {
  EXPECT_LT(WorstRelative([](double x) { return Exp(x); }, [](auto x) { return std::exp(x); }, -700, 709), 1e-15);
  EXPECT_LT(WorstRelative([](double x) { return Log(x); }, [](auto x) { return std::log(x); }, 0, 1e300), 1e-15);
  EXPECT_LT(WorstRelative([](double x) { return Log1p(x); }, [](auto x) { return std::log1p(x); }, -0.99, 1e300),
            1e-15);
  EXPECT_LT(WorstRelative([](double x) { return Sigmoid(x); }, TrueSigmoid<long double>, -700, 1e300), 1e-15);
  EXPECT_LT(WorstRelative([](double x) { return Softplus(x); }, TrueSoftplus<long double>, -700, 1e300), 1e-15);
}

TEST(Math, TheErrorFunctionIsWithinAFewRoundings) {
  EXPECT_LT(WorstRelative([](double x) { return Erf(x); }, [](auto x) { return std::erf(x); }, -1e300, 1e300), 1e-15);
  for (double x = 1; x < 7; x += 0.00037) {
    EXPECT_LE(std::fabs(Erf(x) - std::erf(x)), 1.2e-16) << x;  // one ulp below 1
    EXPECT_EQ(Erf(-x), -Erf(x));
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Erf(kInfinity), 1);
  EXPECT_EQ(Erf(-kInfinity), -1);
  EXPECT_EQ(Erf(0.0), 0);
  EXPECT_GT(Erf(5e-324), 0);
  EXPECT_TRUE(std::isnan(Erf(std::nan(""))));
}

template <class T>
class SpecialValues : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(SpecialValues, Reals, );

TYPED_TEST(SpecialValues, AreExact) {
  constexpr TypeParam kInfinity = std::numeric_limits<TypeParam>::infinity();
  for (TypeParam const zero : {TypeParam(0), -TypeParam(0)}) {
    EXPECT_EQ(Exp(zero), 1);
    EXPECT_EQ(Log(zero), -kInfinity);
    EXPECT_EQ(Log1p(zero), 0);
    EXPECT_EQ(Sigmoid(zero), TypeParam(0.5));
  }
  EXPECT_EQ(Log(TypeParam(1)), 0);
  EXPECT_EQ(Log1p(TypeParam(-1)), -kInfinity);
  EXPECT_EQ(Exp(kInfinity), kInfinity);
  EXPECT_EQ(Log(kInfinity), kInfinity);
  EXPECT_EQ(Log1p(kInfinity), kInfinity);
  EXPECT_EQ(Sigmoid(kInfinity), 1);
  EXPECT_EQ(Softplus(kInfinity), kInfinity);
  EXPECT_EQ(Exp(-kInfinity), 0);
  EXPECT_EQ(Sigmoid(-kInfinity), 0);
  EXPECT_EQ(Softplus(-kInfinity), 0);
}

TYPED_TEST(SpecialValues, NanAndWhatIsUndefinedGiveNan) {
  TypeParam const nan = std::numeric_limits<TypeParam>::quiet_NaN();
  for (TypeParam const value : {Exp(nan), Log(nan), Log1p(nan), Sigmoid(nan), Softplus(nan), Log(TypeParam(-1)),
                                Log(-std::numeric_limits<TypeParam>::infinity()), Log1p(TypeParam(-2))}) {
    EXPECT_TRUE(std::isnan(value));
  }
}

TYPED_TEST(SpecialValues, DenormalNumbersAreNotFlushed) {
  using Limits = std::numeric_limits<TypeParam>;
  TypeParam const smallest = Limits::denorm_min();
  EXPECT_EQ(Log1p(smallest), smallest);
  EXPECT_NEAR(double(Log(smallest)), std::log(double(smallest)), 1e-4);
  TypeParam const halfway = Log(Limits::min() / 1024);
  EXPECT_NEAR(double(Exp(halfway) / (Limits::min() / 1024)), 1, 1e-3);
  EXPECT_GT(Exp(Log(smallest)), 0);
}

}  // namespace
}  // namespace xgbl
