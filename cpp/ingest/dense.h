// SPDX-License-Identifier: Apache-2.0
// Turns dense arrays of any real type and any strides into a DenseTable. Large float32 arrays are used in place,
// guarded by a fingerprint. All others are converted in parallel into rows of our own memory. That is a snapshot: later
// writes to the user's array do not reach it.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>

#include "base/context.h"
#include "ingest/feature_matrix.h"
#include "ingest/scalar_type.h"

namespace xgbl {

struct DenseSource {
  void const* data = nullptr;
  ScalarType type = ScalarType::kFloat32;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::ptrdiff_t row_stride = 0;      // in bytes
  std::ptrdiff_t column_stride = 0;   // in bytes
  std::shared_ptr<void const> owner;  // keeps `data` alive
};

struct IngestOptions {
  float missing = kMissing;
  bool check_infinity = true;  // infinite cells are an error unless they equal `missing`
  /// float32 arrays up to this size in bytes are copied. 0 with `guard` off serves a table that is used for one call
  /// only.
  std::size_t copied_bytes = std::size_t{64} << 20U;
  bool guard = true;  // take the fingerprint of memory that is not copied
};

DenseTable IngestDense(DenseSource const& source, IngestOptions const& options, Context const& ctx);

/// The error for an infinite cell.
[[noreturn]] void ThrowInfinity(std::size_t row, std::size_t column);

}  // namespace xgbl
