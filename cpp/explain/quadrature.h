// SPDX-License-Identifier: Apache-2.0
// Gauss-Legendre quadrature on [0, 1]: n points integrate polynomials up to degree 2 n - 1 without error. The roots
// come from Newton's method, starting at Tricomi's approximation; O(n^2).
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace xgbl {

struct QuadraturePoint {
  double at = 0;
  double rest = 0;  // 1 - at, not rounded once more
  double weight = 0;
};

/// The Legendre polynomial of degree n at x, and its derivative.
inline std::pair<double, double> Legendre(std::size_t n, double x) {
  double before = 1, value = x;
  for (std::size_t k = 2; k <= n; ++k) {
    auto const degree = static_cast<double>(k);
    before = std::exchange(value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree);
  }
  return {value, static_cast<double>(n) * (before - x * value) / ((1 - x) * (1 + x))};
}

/// Rising; the weights add up to 1.
inline std::vector<QuadraturePoint> Quadrature(std::size_t count) {
  constexpr double kPi = 3.14159265358979323846;
  constexpr int kNewtonSteps = 6;  // it converges quadratically from two digits or more
  std::vector<QuadraturePoint> points(count);
  auto const n = static_cast<double>(count);
  for (std::size_t i = 0; i < (count + 1) / 2; ++i) {
    double x = std::cos(kPi * (static_cast<double>(i) + 0.75) / (n + 0.5));
    if (2 * i + 1 == count) x = 0;
    for (int step = 0; step < kNewtonSteps; ++step) {
      auto const [value, slope] = Legendre(count, x);
      x -= value / slope;
    }
    double const slope = Legendre(count, x).second;
    double const weight = 1 / ((1 - x) * (1 + x) * slope * slope);
    points[i] = {(1 - x) / 2, (1 + x) / 2, weight};
    points[count - 1 - i] = {(1 + x) / 2, (1 - x) / 2, weight};
  }
  return points;
}

}  // namespace xgbl
