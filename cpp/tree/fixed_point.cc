// SPDX-License-Identifier: Apache-2.0
#include "tree/fixed_point.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/error.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

struct Range {
  float gradient = 0;
  float hessian = 0;
  Range& operator+=(Range const& other) {  // the larger of the two, so that ReduceBlocks finds the largest of all
    gradient = std::max(gradient, other.gradient);
    hessian = std::max(hessian, other.hessian);
    return *this;
  }
};

double UnitFor(float largest, int bits) {
  int exponent = 0;
  std::frexp(static_cast<double>(largest), &exponent);
  return largest > 0 ? std::ldexp(1.0, exponent - bits) : 1.0;
}

double Nearest(float value, double unit) { return std::floor(static_cast<double>(value) / unit + 0.5); }

}  // namespace

GradientRange RangeOf(OutputGradients const& gradients, Context const& ctx) {
  Range const range = ReduceBlocks(ctx, gradients.rows, Range{}, [&](std::size_t begin, std::size_t end) {
    Range part;
    for (std::size_t i = begin; i < end; ++i) {
      float const g = std::fabs(gradients.G(i)), h = std::fabs(gradients.H(i));
      Require<DataError>(std::isfinite(g) && std::isfinite(h), "The gradient or hessian of row ", i,
                         " is NaN or infinite. Check the label, the base margin and a custom objective's result.");
      part += {g, h};
    }
    return part;
  });
  return {range.gradient, range.hessian};
}

FixedScale ScaleFor(GradientRange range, int gradient_bits, int hessian_bits) {
  return {UnitFor(range.gradient, gradient_bits), UnitFor(range.hessian, hessian_bits)};
}

int BitsForSum(std::size_t rows) {
  int row_bits = 0;
  while (row_bits < 40 && (std::size_t{1} << row_bits) < rows) ++row_bits;
  return 62 - row_bits;
}

FixedPair Quantise(float gradient, float hessian, FixedScale const& scale) {
  FixedPair pair{static_cast<std::int64_t>(Nearest(gradient, scale.gradient_unit)),
                 static_cast<std::int32_t>(Nearest(hessian, scale.hessian_unit))};
  if (hessian > 0 && pair.hessian == 0) pair.hessian = 1;
  return pair;
}

}  // namespace xgbl
