// SPDX-License-Identifier: Apache-2.0
// Exp, Log, Log1p, Sigmoid and Softplus for float and double, and Erf for double. The C library's results differ
// between versions and machines, so nothing that decides a model's bits may use it. Accurate to 2 ulp in float and
// 1e-14 in double over the whole range, including denormals; exact at 0, infinities and NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace xgbl {

#include "base/math_functions.inl"

/// Floats as unsigned integers in reverse order: sorting the integers puts the largest float first. Both zeros are
/// equal, and NaN is last. Free of branches, so that loops over it vectorise.
inline std::uint32_t FallingKey(float value) {
  std::uint32_t const bits = ToBits(value + 0.0F);
  std::uint32_t const if_negative = 0U - (bits >> 31U);
  std::uint32_t const key = bits ^ (~if_negative & 0x7fffffffU);
  return value == value ? key : 0xffffffffU;
}

}  // namespace xgbl
