// SPDX-License-Identifier: Apache-2.0
// The used features of one row after the other, side by side; NaN where a value is missing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "predict/block_reader.h"
#include "predict/row_source.h"
#include "predict/small_buffer.h"
#include "simd/serving_tasks.h"

namespace xgbl {

/// Of a row whose features lie `stride` values apart.
inline void ReadRow(float const* row, std::ptrdiff_t stride, float missing, Span<std::uint32_t const> used,
                    float* values) {
  for (std::size_t i = 0; i < used.size(); ++i) {
    float const value = row[static_cast<std::ptrdiff_t>(used[i]) * stride];
    values[i] = value == missing ? kMissing : value;
  }
}

/// Calls `take(row, values)` for rows [begin, end).
template <class Take>
void ForEachRow(RowSource const& source, Span<std::uint32_t const> used, std::size_t begin, std::size_t end,
                Take const& take) {
  if (begin >= end) return;
  if (source.Features() != nullptr && source.Features()->Dense() != nullptr) {
    DenseTable const& table = *source.Features()->Dense();
    SmallBuffer values(used.size());
    for (std::size_t row = begin; row < end; ++row) {
      float const* const first = table.data + static_cast<std::ptrdiff_t>(row) * table.row_stride;
      ReadRow(first, table.column_stride, table.missing, used, values.data());
      take(row, values.data());
    }
    return;
  }
  constexpr std::size_t kMostValues = std::size_t{1} << 18U;  // of rows that are read together
  std::size_t const width = used.size() + 1;
  std::size_t const together = std::clamp<std::size_t>(kMostValues / width, 1, std::min(end - begin, kCodeRows));
  BlockReader reader(source, used, together);
  std::vector<float> values(width * together);
  for (; begin < end; begin += together) {
    reader.Read(begin, std::min(end, begin + together));
    for (std::size_t i = 0; i < used.size(); ++i) {
      auto const run = reader.RunOf(i);
      for (std::size_t row = 0; row < reader.Rows(); ++row) {
        float const value = run.values == nullptr ? kMissing : run.values[row];
        values[row * width + i] = value == run.missing ? kMissing : value;
      }
    }
    for (std::size_t row = 0; row < reader.Rows(); ++row) take(begin + row, values.data() + row * width);
  }
}

}  // namespace xgbl
