// SPDX-License-Identifier: Apache-2.0
// Ranks by counting. Included by kernels.inl, once per instruction set. Comparing all pairs has no branches to be
// mispredicted and is faster than sorting up to some hundreds of values.

// Integers in the reverse order of the floats; both zeros are one, and NaN is last.
inline std::int32_t FallingKey(float value) {
  auto const bits = static_cast<std::int32_t>(ToBits(value + 0.0F));
  std::int32_t const key = bits < 0 ? bits ^ std::numeric_limits<std::int32_t>::min() : ~bits;
  return value == value ? key : std::numeric_limits<std::int32_t>::max();
}

inline void RanksOf(float const* values, std::size_t count, std::uint32_t* rank) {
  constexpr std::size_t kLanes = 16;
  constexpr std::int32_t kTogether = 4;  // rows that the others are compared with in one go
  std::int32_t keys[kMostRanked], before[kMostRanked];
  auto const whole = static_cast<std::int32_t>((count + kLanes - 1) / kLanes * kLanes);
  for (std::size_t i = 0; i < count; ++i) keys[i] = FallingKey(values[i]);
  for (std::int32_t i = static_cast<std::int32_t>(count); i < whole; ++i) {
    keys[i] = std::numeric_limits<std::int32_t>::max();
  }
  for (std::int32_t i = 0; i < whole; ++i) before[i] = 0;
  for (std::int32_t i = 0; i < whole; i += kTogether) {
    std::int32_t const a = keys[i], b = keys[i + 1], c = keys[i + 2], d = keys[i + 3];
    XGBL_INDEPENDENT
    for (std::int32_t k = 0; k < whole; ++k) {
      // Less, or equal and earlier: keys are integers and above the least one.
      std::int32_t const own = keys[k];
      std::int32_t const first = a - (k > i ? 1 : 0) < own ? 1 : 0, second = b - (k > i + 1 ? 1 : 0) < own ? 1 : 0;
      std::int32_t const third = c - (k > i + 2 ? 1 : 0) < own ? 1 : 0, last = d - (k > i + 3 ? 1 : 0) < own ? 1 : 0;
      before[k] += (first + second) + (third + last);
    }
  }
  for (std::size_t i = 0; i < count; ++i) rank[i] = static_cast<std::uint32_t>(before[i]);
}
