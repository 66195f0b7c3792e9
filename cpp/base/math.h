// SPDX-License-Identifier: Apache-2.0
// Exp, Log, Log1p, Sigmoid and Softplus for float and double, Erf for double: what decides a model's bits must not
// depend on the C library, whose results differ between versions and machines. Within 2 ulp in float and 1e-14 in
// double over the whole range, denormal results and arguments included; right at 0, infinities and NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace xgbl {

#include "base/math_functions.inl"

}  // namespace xgbl
