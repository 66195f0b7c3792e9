// SPDX-License-Identifier: Apache-2.0
#include "tree/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace xgbl {
namespace {

FixedScale ScaleOf(std::vector<float> const& g, std::vector<float> const& h) {
  return ScaleFor(RangeOf({g.data(), h.data(), g.size(), 1}, Context{}), 40, 30);
}

TEST(FixedPoint, TheLargestValueFitsAndIsExact) {
  for (float const largest : {1.0F, 0.7F, 3e38F, 1e-38F, std::numeric_limits<float>::denorm_min()}) {
    FixedScale const scale = ScaleOf({largest, -largest / 3}, {largest, 0});
    FixedPair const pair = Quantise(-largest, largest, scale);
    EXPECT_LE(std::abs(pair.gradient), std::int64_t{1} << 40);
    EXPECT_EQ(static_cast<float>(static_cast<double>(pair.gradient) * scale.gradient_unit), -largest);
    EXPECT_EQ(static_cast<float>(pair.hessian * scale.hessian_unit), largest);
  }
}

TEST(FixedPoint, ErrorIsHalfAUnitAtMost) {
  FixedScale const scale = ScaleOf({1e6F}, {1});
  for (float g = -1e6F; g < 1e6F; g += 12345.678F) {
    EXPECT_LE(
        std::fabs(static_cast<double>(Quantise(g, 1, scale).gradient) * scale.gradient_unit - static_cast<double>(g)),
        scale.gradient_unit / 2);
  }
}

TEST(FixedPoint, APositiveHessianStaysPositiveAndZeroStaysZero) {
  FixedScale const scale = ScaleOf({1}, {1e30F});
  EXPECT_EQ(Quantise(0, 1e-30F, scale).hessian, 1);
  EXPECT_EQ(Quantise(0, 0, scale).hessian, 0);
}

// Models depend on it.
TEST(FixedPoint, TiesGoUp) {
  auto const nearest = [](float value) { return NearestUnit(value, 0.25); };
  EXPECT_EQ(nearest(0.125F), 1);
  EXPECT_EQ(nearest(0.375F), 2);
  EXPECT_EQ(nearest(-0.125F), 0);
  EXPECT_EQ(nearest(-0.375F), -1);
  EXPECT_EQ(nearest(-0.3751F), -2);
  EXPECT_EQ(nearest(-0.25F), -1);
  EXPECT_EQ(nearest(-0.0F), 0);
  EXPECT_EQ(nearest(-std::numeric_limits<float>::denorm_min()), 0);
}

TEST(FixedPoint, AllZeroIsFine) {
  FixedScale const scale = ScaleOf({0, 0}, {0, 0});
  EXPECT_EQ(Quantise(0, 0, scale).gradient, 0);
}

}  // namespace
}  // namespace xgbl
