// SPDX-License-Identifier: Apache-2.0
// The number types of users' arrays, and their conversion to float32. Memory may be unaligned and have any stride.
// Integers round to the nearest float32; a float64 beyond float32's range becomes infinity.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/span.h"

namespace xgbl {

enum class ScalarType {
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kFloat16,
  kFloat32,
  kFloat64
};

std::size_t SizeOf(ScalarType type);

/// A run of values of any type without gaps, in memory that the caller keeps alive.
struct ScalarArray {
  void const* data = nullptr;
  std::size_t size = 0;
  ScalarType type = ScalarType::kFloat32;
};

/// Writes `count` values, which lie `stride` bytes apart from `from` on, to `to`.
void ToFloat(ScalarType type, void const* from, std::ptrdiff_t stride, std::size_t count, float* to);

/// The values [first, first + to.size()) of an array.
void ToFloat(ScalarArray const& array, std::size_t first, Span<float> to);

/// The same for integers, which must be in [0, limit): false if one is not. Only for integer types.
bool ToIndex(ScalarArray const& array, std::size_t first, std::uint64_t limit, Span<std::uint64_t> to);

}  // namespace xgbl
