// SPDX-License-Identifier: Apache-2.0
#include "explain/quadrature.h"

#include <gtest/gtest.h>

#include <cmath>

namespace xgbl {
namespace {

class QuadratureOf : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Points, QuadratureOf, testing::Values(1, 2, 3, 4, 5, 15, 16, 100));

TEST_P(QuadratureOf, IntegratesPowersUpToItsDegree) {
  auto const points = Quadrature(GetParam());
  for (std::size_t degree = 0; degree < 2 * GetParam(); ++degree) {
    double sum = 0;
    for (auto const& point : points) sum += point.weight * std::pow(point.at, static_cast<double>(degree));
    EXPECT_NEAR(sum * static_cast<double>(degree + 1), 1, 1e-12) << degree;
  }
}

TEST_P(QuadratureOf, PointsLieInsideAndMirrorEachOther) {
  auto const points = Quadrature(GetParam());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_GT(points[i].at, i == 0 ? 0 : points[i - 1].at);
    EXPECT_EQ(points[i].at, points[points.size() - 1 - i].rest);
    EXPECT_NEAR(points[i].at + points[i].rest, 1, 1e-16);
  }
}

}  // namespace
}  // namespace xgbl
