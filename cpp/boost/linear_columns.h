// SPDX-License-Identifier: Apache-2.0
// The present cells of each column, rows rising, which coordinate descent goes through again and again. A column
// without missing cells stores no row numbers. If there are only bins, each bin stands for one value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "ingest/feature_matrix.h"

namespace xgbl {

class LinearColumns {
 public:
  struct Column {
    Span<float const> values;
    Span<std::uint32_t const> rows;  // empty: every row has a value

    std::size_t Row(std::size_t i) const { return rows.empty() ? i : rows[i]; }
  };

  LinearColumns(FeatureMatrix const& features, Context const& ctx);

  std::size_t Count() const { return begin_.size() - 1; }
  std::size_t Cells() const { return values_.size(); }
  Column operator[](std::size_t column) const;

 private:
  void CountCells(FeatureMatrix const& features, Context const& ctx);
  void ReadCells(FeatureMatrix const& features, Context const& ctx);

  std::size_t row_count_;
  std::vector<std::size_t> begin_;
  std::vector<float> values_;
  std::vector<std::uint32_t> rows_;  // empty if no column has missing cells
};

}  // namespace xgbl
