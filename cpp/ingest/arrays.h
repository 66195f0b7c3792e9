// SPDX-License-Identifier: Apache-2.0
// Turns users' arrays into tables. Large arrays of float32 are used in place, guarded by a fingerprint. All others are
// converted in parallel into memory of our own. That is a snapshot: later writes to the user's array do not reach it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "base/context.h"
#include "base/span.h"
#include "ingest/feature_matrix.h"

namespace xgbl {

/// The number types of users' arrays, which are converted to float32. Memory may be unaligned and have any stride.
/// Integers round to the nearest float32; a float64 beyond float32's range becomes infinity.
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

struct IngestOptions {
  float missing = kMissing;
  bool check_infinity = true;  // infinite cells are an error unless they equal `missing`
  /// float32 arrays up to this size in bytes are copied. 0 with `guard` off serves a table that is used for one call
  /// only.
  std::size_t copied_bytes = std::size_t{4} << 20U;
  bool guard = true;  // take the fingerprint of memory that is not copied
};

/// A dense array of any real type and any strides.
struct DenseSource {
  void const* data = nullptr;
  ScalarType type = ScalarType::kFloat32;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::ptrdiff_t row_stride = 0;      // in bytes
  std::ptrdiff_t column_stride = 0;   // in bytes
  std::shared_ptr<void const> owner;  // keeps `data` alive
};

DenseTable IngestDense(DenseSource const& source, IngestOptions const& options, Context const& ctx);

/// Compressed sparse rows and columns, as scipy has them. NaN, `missing` and what is not listed are absent; listed
/// zeros are values. Offsets and indices may be of any integer type, and nothing about them is trusted. Columns may
/// come in any order within a row, but only once. Parallel over rows or columns; linear, except for rows out of order.
/// Used in place if indices have 32 bits, are in order and complete.
struct SparseSource {
  ScalarArray offsets;  // one more than there are lines (rows of CSR, columns of CSC)
  ScalarArray indices;
  ScalarArray values;
  std::size_t width = 0;                        // columns of CSR, rows of CSC
  std::shared_ptr<void const> owner = nullptr;  // keeps them alive; without one they are copied
};

SparseTable IngestCsr(SparseSource const& source, IngestOptions const& options, Context const& ctx);
SparseTable IngestCsc(SparseSource const& source, IngestOptions const& options, Context const& ctx);

/// The error for an infinite cell.
[[noreturn]] void ThrowInfinity(std::size_t row, std::size_t column);

/// Reads a table of the user's memory once, if `options` ask for it: for infinite cells, which it refuses, and to note
/// the fingerprint.
template <class Table>
void Guard(IngestOptions const& options, Context const& ctx, Table* table);

}  // namespace xgbl
