// SPDX-License-Identifier: Apache-2.0
#include "boost/linear_columns.h"

#include <algorithm>
#include <cmath>

#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

// Neighbouring columns that are read together: a cache line of a table in row order.
constexpr std::size_t kColumnsAtOnce = 16;

// Calls `visit(row, column, value)` for all present cells; those of one column in the order of rows, columns in
// parallel where that is possible.
template <class Visit>
void ForEachCell(FeatureMatrix const& features, Context const& ctx, Visit const& visit) {
  std::size_t const rows = features.Rows();
  if (DenseTable const* table = features.Dense()) {
    ParallelBlocks(ForWork(ctx, rows * table->columns), table->columns, kColumnsAtOnce,
                   [&](std::size_t begin, std::size_t end) {
                     for (std::size_t row = 0; row < rows; ++row) {
                       for (std::size_t column = begin; column < end; ++column) {
                         float const value = table->At(row, column);
                         if (!std::isnan(value)) visit(row, column, value);
                       }
                     }
                   });
    return;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    features.ForEachPresent(row, [&](std::size_t column, float value) { visit(row, column, value); });
  }
}

}  // namespace

LinearColumns::LinearColumns(FeatureMatrix const& features, Context const& ctx)
    : row_count_(features.Rows()), begin_(features.Columns() + 1, 0) {
  CountCells(features, ctx);
  ReadCells(features, ctx);
}

void LinearColumns::CountCells(FeatureMatrix const& features, Context const& ctx) {
  ForEachCell(features, ctx, [&](std::size_t, std::size_t column, float) { ++begin_[column + 1]; });
  for (std::size_t column = 0; column + 1 < begin_.size(); ++column) begin_[column + 1] += begin_[column];
}

void LinearColumns::ReadCells(FeatureMatrix const& features, Context const& ctx) {
  std::vector<std::size_t> place(begin_.begin(), begin_.end() - 1);
  values_.resize(begin_.back());
  if (values_.size() < row_count_ * Count()) rows_.resize(values_.size());
  ForEachCell(features, ctx, [&](std::size_t row, std::size_t column, float value) {
    std::size_t const at = place[column]++;
    values_[at] = value;
    if (!rows_.empty()) rows_[at] = static_cast<std::uint32_t>(row);
  });
}

LinearColumns::Column LinearColumns::operator[](std::size_t column) const {
  std::size_t const begin = begin_[column], count = begin_[column + 1] - begin;
  bool const whole = count == row_count_;
  Span<float const> const values(values_);
  if (whole) return {values.Sub(begin, count), {}};
  return {values.Sub(begin, count), Span<std::uint32_t const>(rows_).Sub(begin, count)};
}

}  // namespace xgbl
