// SPDX-License-Identifier: Apache-2.0
#include "tree/fixed_point.h"

#include <cmath>

#include "base/error.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

// Of the bits of the magnitudes.
struct Range {
  std::uint32_t gradient = 0;
  std::uint32_t hessian = 0;
  Range& operator+=(Range const& other) {  // the larger of the two, so that ReduceBlocks finds the largest of all
    gradient = std::max(gradient, other.gradient);
    hessian = std::max(hessian, other.hessian);
    return *this;
  }
};

Range RangeOfRows(OutputGradients const& gradients, std::size_t begin, std::size_t end) {
  Range range;
  if (gradients.stride == 1) {  // apart, as the compiler makes vector code of it
    for (std::size_t i = begin; i < end; ++i) {
      range += {Magnitude(gradients.gradient[i]), Magnitude(gradients.hessian[i])};
    }
  } else {
    for (std::size_t i = begin; i < end; ++i) range += {Magnitude(gradients.G(i)), Magnitude(gradients.H(i))};
  }
  return range;
}

void CheckFinite(OutputGradients const& gradients, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    Require<DataError>(std::isfinite(gradients.G(i)) && std::isfinite(gradients.H(i)),
                       "The gradient or hessian of row ", i,
                       " is NaN or infinite. Check the label, the base margin and a custom objective's result.");
  }
}

double UnitFor(float largest, int bits) {
  int exponent = 0;
  std::frexp(static_cast<double>(largest), &exponent);
  return largest > 0 ? std::ldexp(1.0, exponent - bits) : 1.0;
}

}  // namespace

GradientRange RangeOf(OutputGradients const& gradients, Context const& ctx) {
  Range const range = ReduceBlocks(ctx, gradients.rows, Range{}, [&](std::size_t begin, std::size_t end) {
    Range const part = RangeOfRows(gradients, begin, end);
    if (std::max(part.gradient, part.hessian) >= kInfinite) CheckFinite(gradients, begin, end);
    return part;
  });
  return {FromBits<float>(range.gradient), FromBits<float>(range.hessian)};
}

FixedScale ScaleFor(GradientRange range, int gradient_bits, int hessian_bits) {
  return {UnitFor(range.gradient, gradient_bits), UnitFor(range.hessian, hessian_bits)};
}

int BitsForSum(std::size_t rows) {
  int row_bits = 0;
  while (row_bits < 40 && (std::size_t{1} << row_bits) < rows) ++row_bits;
  return 62 - row_bits;
}

}  // namespace xgbl
