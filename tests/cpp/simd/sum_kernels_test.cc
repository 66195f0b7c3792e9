// SPDX-License-Identifier: Apache-2.0
#include "simd/sum_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "simd/level.h"

namespace xgbl {
namespace {

double InUnits(std::int64_t units, unsigned exponent) {
  return std::ldexp(static_cast<double>(units), static_cast<int>(exponent) - 1074);
}

std::vector<double> Floats(std::size_t count, int octaves) {
  Random const random(3, Purpose::kRows, 0);
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto const value = static_cast<float>(random.Uniform(i) - 0.5);
    values[i] = std::ldexp(double{value}, static_cast<int>(i) % octaves);
  }
  return values;
}

TEST(SumKernels, PartsAndRestsAreTheTerms) {
  for (SimdLevel const level : AvailableSimd()) {
    for (std::size_t const count : {1U, 7U, 64U, 1000U}) {
      auto const terms = Floats(count, 20);
      std::vector<double> rest(count);
      SplitSum const sum = SumKernels::Of(level).split(terms.data(), count, rest.data());
      double expected = 0;  // without an error, as all are multiples of 2^-60 and few
      for (double const term : terms) expected += term;
      EXPECT_TRUE(sum.good);
      EXPECT_FALSE(sum.rest);
      EXPECT_EQ(InUnits(sum.high, sum.exponent) + InUnits(sum.low, sum.exponent - 52), expected) << SimdName(level);
    }
  }
}

TEST(SumKernels, WhatCannotBeSplitIsLeft) {
  double const infinity = std::numeric_limits<double>::infinity();
  for (SimdLevel const level : AvailableSimd()) {
    for (double const special : {0x1p1020, 0x1p-950, infinity, -infinity, std::nan("")}) {
      double terms[3] = {0, special, 0}, rest[3];
      EXPECT_FALSE(SumKernels::Of(level).split(terms, 3, rest).good) << special;
    }
    double terms[2] = {0x1p200, 1}, rest[2];
    SplitSum const sum = SumKernels::Of(level).split(terms, 2, rest);
    EXPECT_TRUE(sum.good && sum.rest);
    EXPECT_EQ(rest[0], 0);
    EXPECT_EQ(rest[1], 1);
  }
}

TEST(SumKernels, UnitsAreTakenUntilNothingIsLeft) {
  auto const terms = Floats(500, 200);
  for (SimdLevel const level : AvailableSimd()) {
    std::vector<double> left = terms, got(terms.size());
    std::vector<std::int64_t> units(terms.size());
    for (bool more = true; more;) {
      TakenUnits const taken = SumKernels::Of(level).take_units(left.data(), left.size(), units.data());
      for (std::size_t i = 0; i < got.size(); ++i) got[i] += InUnits(units[i], taken.exponent);
      more = taken.rest;
    }
    EXPECT_EQ(got, terms) << SimdName(level);
  }
}

}  // namespace
}  // namespace xgbl
