// SPDX-License-Identifier: Apache-2.0
#include "explain/row_block.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "predict/row_reader.h"

namespace xgbl {
namespace {

constexpr std::size_t kCacheBytes = std::size_t{1} << 20U;
constexpr std::size_t kMostTaskRows = 1024;
constexpr std::size_t kTasksPerThread = 4;

}  // namespace

RowBlock::RowBlock(FeatureMatrix const& features, Span<std::uint32_t const> used, std::size_t begin, std::size_t end,
                   std::size_t extra)
    : rows_(end - begin),
      group_cells_(std::max<std::size_t>(1, 2 * used.size() + extra) * kGroupRows) {  // never nothing to point to
  cells_.assign(Groups() * group_cells_, kMissing);
  RowReader reader(features, used, kGroupRows);
  for (std::size_t group = 0; group < Groups(); ++group) {
    reader.Read(begin + group * kGroupRows, std::min(end, begin + (group + 1) * kGroupRows));
    for (std::size_t i = 0; i < used.size(); ++i) {
      auto const run = reader.RunOf(i);
      float* const right = Cells(group) + i * kGroupRows;
      float* const left = right + used.size() * kGroupRows;
      for (std::size_t row = 0; row < reader.Rows(); ++row) {
        float const value = run.values == nullptr ? kMissing : DenseTable::Present(run.values[row], run.missing);
        right[row] = value;
        left[row] = std::isnan(value) ? -std::numeric_limits<float>::infinity() : value;
      }
    }
  }
}

std::size_t TaskRows(Context const& ctx, std::size_t rows, std::size_t bytes_per_row) {
  std::size_t const tasks = ctx.threads > 1 ? static_cast<std::size_t>(ctx.threads) * kTasksPerThread : 1;
  std::size_t const share = rows / tasks + 1;
  std::size_t const fitting = kCacheBytes / std::max<std::size_t>(1, bytes_per_row);
  std::size_t const groups = std::min({share, fitting, kMostTaskRows}) / kGroupRows;
  return std::max<std::size_t>(1, groups) * kGroupRows;
}

}  // namespace xgbl
