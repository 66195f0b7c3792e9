// SPDX-License-Identifier: Apache-2.0
// Floats as unsigned integers in reverse order: sorting the integers puts the largest float first. Both zeros are
// equal, and NaN is last. Free of branches, so that loops over it vectorise.
#pragma once

#include <cstdint>

#include "base/math.h"

namespace xgbl {

inline std::uint32_t FallingKey(float value) {
  std::uint32_t const bits = ToBits(value + 0.0F);
  std::uint32_t const if_negative = 0U - (bits >> 31U);
  std::uint32_t const key = bits ^ (~if_negative & 0x7fffffffU);
  return value == value ? key : 0xffffffffU;
}

}  // namespace xgbl
