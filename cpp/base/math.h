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

}  // namespace xgbl
