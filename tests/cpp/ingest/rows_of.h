// SPDX-License-Identifier: Apache-2.0
// What tests and benches make of matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ingest/feature_matrix.h"

namespace xgbl {

/// The same cells as sparse rows.
inline SparseRows RowsOf(FeatureMatrix const& features) {
  SparseRows out;
  out.columns = features.Columns();
  for (std::size_t row = 0; row < features.Rows(); ++row) {
    features.ForEachPresent(row, [&](std::size_t column, float value) {
      out.column.push_back(static_cast<std::uint32_t>(column));
      out.value.push_back(value);
    });
    out.row_begin.push_back(out.column.size());
  }
  return out;
}

/// How many present cells each column has.
inline std::vector<std::size_t> PresentOf(FeatureMatrix const& features) {
  std::vector<std::size_t> present(features.Columns());
  for (std::size_t row = 0; row < features.Rows(); ++row) {
    features.ForEachPresent(row, [&](std::size_t column, float) { ++present[column]; });
  }
  return present;
}

}  // namespace xgbl
