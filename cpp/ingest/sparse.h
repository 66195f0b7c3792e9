// SPDX-License-Identifier: Apache-2.0
// Turns compressed sparse rows and columns, as scipy has them, into a SparseTable. NaN, `missing` and what is not
// listed are absent; listed zeros are values. Offsets and indices may be of any integer type, and nothing about them is
// trusted. Columns may come in any order within a row, but only once. Parallel over rows or columns; linear, except for
// rows out of order. Large arrays of float32 values and 32-bit indices that are in order and complete are used in
// place, guarded by a fingerprint, as in ingest_dense.h.
#pragma once

#include <cstddef>
#include <memory>

#include "base/context.h"
#include "ingest/dense.h"
#include "ingest/feature_matrix.h"
#include "ingest/scalar_type.h"

namespace xgbl {

struct SparseSource {
  ScalarArray offsets;  // one more than there are lines (rows of CSR, columns of CSC)
  ScalarArray indices;
  ScalarArray values;
  std::size_t width = 0;                        // columns of CSR, rows of CSC
  std::shared_ptr<void const> owner = nullptr;  // keeps them alive; without one they are copied
};

SparseTable IngestCsr(SparseSource const& source, IngestOptions const& options, Context const& ctx);
SparseTable IngestCsc(SparseSource const& source, IngestOptions const& options, Context const& ctx);

}  // namespace xgbl
