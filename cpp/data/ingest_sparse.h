// SPDX-License-Identifier: Apache-2.0
// Compressed sparse rows and columns, as scipy has them, become a SparseTable: absent are NaN, `missing` and what is
// not listed; listed zeros are values. Offsets and indices may be of any integer type and are trusted in nothing.
// Columns may stand in any order within a row, but only once. Parallel over rows, or columns; linear, but for rows out
// of order. Large rows of float32 and indices of 32 bits that are in order, with nothing to leave out, are used where
// they lie, guarded by a fingerprint, as in ingest_dense.h.
#pragma once

#include <cstddef>
#include <memory>

#include "base/context.h"
#include "data/feature_matrix.h"
#include "data/ingest_dense.h"
#include "data/scalar_type.h"

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
