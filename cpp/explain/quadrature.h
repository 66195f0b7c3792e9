// SPDX-License-Identifier: Apache-2.0
// Gauss-Legendre quadrature on [0, 1]: n points integrate polynomials up to degree 2 n - 1 without error. The roots
// come from Newton's method, starting at Tricomi's approximation; O(n^2).
#pragma once

#include <cstddef>
#include <vector>

namespace xgbl {

struct QuadraturePoint {
  double at = 0;
  double rest = 0;  // 1 - at, not rounded once more
  double weight = 0;
};

/// Rising; the weights add up to 1.
std::vector<QuadraturePoint> Quadrature(std::size_t count);

}  // namespace xgbl
