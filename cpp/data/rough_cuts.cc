// SPDX-License-Identifier: Apache-2.0
#include "data/rough_cuts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "data/radix_sort.h"
#include "data/rank_groups.h"
#include "data/value_counts.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kSampleRowsABin = 32;
constexpr std::size_t kLeastSampleRows = 32768;

// One row of each of so many equal parts of the rows.
std::vector<float> SampleOf(float const* values, std::size_t rows, std::size_t parts) {
  Random const random(0, Purpose::kCuts, 0);
  std::vector<float> sample;
  sample.reserve(parts);
  for (std::size_t part = 0; part < parts; ++part) {
    std::size_t const begin = part * rows / parts, end = (part + 1) * rows / parts;
    float const value = values[begin + random.Bits(part) % (end - begin)];
    if (!std::isnan(value)) sample.push_back(value);
  }
  return sample;
}

// Where bins end: at values of the sample, which is sorted here; the last one has no end.
std::vector<float> EndsOf(std::vector<float> sample, std::size_t max_bin) {
  std::vector<std::uint32_t> order(sample.size());
  std::iota(order.begin(), order.end(), 0U);
  ColumnSorter().Sort(sample, order);
  std::vector<float> values;
  std::vector<std::uint64_t> counts;
  ForEachDistinct(
      Span<float const>(sample), [](std::size_t) { return std::uint64_t{1}; },
      [&](CountedValue const& value) {
        values.push_back(value.value);
        counts.push_back(value.cells);
      });
  std::vector<float> ends;
  for (auto const first : GroupByRank(counts, sample.size(), max_bin)) {
    if (first > 0) ends.push_back(values[first]);
  }
  ends.push_back(std::numeric_limits<float>::max());
  return ends;
}

}  // namespace

Cuts RoughCuts(DenseTable const& columns, int max_bin, Context const& ctx) {
  auto const bins = static_cast<std::size_t>(max_bin);
  std::size_t const parts = std::min(columns.rows, std::max(kLeastSampleRows, kSampleRowsABin * bins));
  std::vector<std::vector<float>> ends(columns.columns);
  ParallelTasks(ForWork(ctx, parts * columns.columns), columns.columns, [&](std::size_t column, int) {
    float const* const values = columns.data + static_cast<std::ptrdiff_t>(column) * columns.column_stride;
    ends[column] = EndsOf(SampleOf(values, columns.rows, parts), bins);
  });
  Cuts cuts;
  cuts.categorical.assign(columns.columns, 0);
  cuts.lowest.assign(columns.columns, std::numeric_limits<float>::lowest());
  for (auto const& own : ends) {
    cuts.upper.insert(cuts.upper.end(), own.begin(), own.end());
    cuts.begin.push_back(static_cast<std::uint32_t>(cuts.upper.size()));
  }
  return cuts;
}

}  // namespace xgbl
