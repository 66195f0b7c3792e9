// SPDX-License-Identifier: Apache-2.0
#include "objective/cumulative_gain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace xgbl {
namespace {

std::vector<float> const kLabels{2, 0, 3, 1, 0};

TEST(CumulativeGain, DiscountsAreLogarithms) {
  CumulativeGain const gains(true, 1000);
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_NEAR(gains.Discount(i), 1 / std::log2(static_cast<double>(i) + 2), 1e-15);
  }
  EXPECT_EQ(gains.Discount(0), 1);
}

TEST(CumulativeGain, GainsAreExponentialOrLinear) {
  EXPECT_EQ(CumulativeGain(true, 0).Gain(31), 2147483647.0);
  EXPECT_EQ(CumulativeGain(true, 0).Gain(0), 0);
  EXPECT_EQ(CumulativeGain(false, 0).Gain(-2.5F), -2.5);
}

TEST(CumulativeGain, TheIdealSortsByLabel) {
  CumulativeGain const exponential(true, 5), linear(false, 5);
  EXPECT_NEAR(exponential.Ideal(kLabels, 5), 7 + 3 / std::log2(3.0) + 0.5, 1e-12);
  EXPECT_NEAR(exponential.Ideal(kLabels, 2), 7 + 3 / std::log2(3.0), 1e-12);
  EXPECT_NEAR(linear.Ideal(kLabels, 100), 3 + 2 / std::log2(3.0) + 0.5, 1e-12);
  EXPECT_EQ(linear.Ideal(kLabels, 1), 3);
  EXPECT_EQ(exponential.Ideal(std::vector<float>{}, 5), 0);
  EXPECT_EQ(linear.Ideal(std::vector<float>(5, -1.0F), 1), -1);
}

TEST(CumulativeGain, OnlyExponentialGainsNeedGrades) {
  CumulativeGain::CheckLabels(std::vector<float>{0, 31, 7}, true, "x");
  for (float const bad : {-1.0F, 32.0F, 0.5F, 1e30F, HUGE_VALF, std::nanf("")}) {
    EXPECT_THROW(CumulativeGain::CheckLabels(std::vector<float>{0, bad}, true, "x"), DataError) << bad;
    CumulativeGain::CheckLabels(std::vector<float>{0, bad}, false, "x");
  }
}

}  // namespace
}  // namespace xgbl
