// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>

#include "base/error.h"
#include "ingest/arrays.h"
#include "ingest/fingerprint.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kDenseBlockCells = std::size_t{1} << 16U;  // a unit of work
constexpr std::size_t kDenseTileRows = 32;

constexpr auto kFloatBytes = static_cast<std::ptrdiff_t>(sizeof(float));

bool CanBeReferenced(DenseSource const& source, std::size_t copied_bytes) {
  bool const aligned = reinterpret_cast<std::uintptr_t>(source.data) % alignof(float) == 0 &&
                       source.row_stride % kFloatBytes == 0 && source.column_stride % kFloatBytes == 0;
  return source.type == ScalarType::kFloat32 && aligned && source.rows * source.columns * sizeof(float) > copied_bytes;
}

[[noreturn]] void ThrowFirstInfinity(FeatureMatrix const& features) {
  for (std::size_t row = 0; row < features.Rows(); ++row) {
    features.ForEachPresent(row, [&](std::size_t column, float value) {
      if (std::isinf(value)) ThrowInfinity(row, column);
    });
  }
  throw DataError("Input data contains `inf`, but was changed while it was read.");
}

DenseTable Reference(DenseSource const& source, IngestOptions const& options, Context const& ctx) {
  DenseTable table{
      static_cast<float const*>(source.data), source.rows,     source.columns, source.row_stride / kFloatBytes,
      source.column_stride / kFloatBytes,     options.missing, source.owner,   {}};
  Guard(options, ctx, &table);
  return table;
}

char const* CellAt(DenseSource const& source, std::size_t row, std::size_t column) {
  return static_cast<char const*>(source.data) + static_cast<std::ptrdiff_t>(row) * source.row_stride +
         static_cast<std::ptrdiff_t>(column) * source.column_stride;
}

void CopyRows(DenseSource const& source, std::size_t begin, std::size_t end, float* to) {
  for (std::size_t row = begin; row < end; ++row, to += source.columns) {
    ToFloat(source.type, CellAt(source, row, 0), source.column_stride, source.columns, to);
  }
}

// For memory in column order: tiles of few rows, so that both sides stay in the cache.
void CopyColumns(DenseSource const& source, std::size_t begin, std::size_t end, float* to) {
  std::array<float, kDenseTileRows> run;
  for (std::size_t row = begin; row < end; row += kDenseTileRows, to += kDenseTileRows * source.columns) {
    std::size_t const count = std::min(kDenseTileRows, end - row);
    for (std::size_t column = 0; column < source.columns; ++column) {
      ToFloat(source.type, CellAt(source, row, column), source.row_stride, count, run.data());
      for (std::size_t i = 0; i < count; ++i) to[i * source.columns + column] = run[i];
    }
  }
}

// Turns `missing` into NaN; true if an infinite value is left.
bool Tidy(Span<float> cells, float missing) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  unsigned infinite = 0;
  for (float& cell : cells) {
    cell = cell == missing ? kMissing : cell;
    infinite |= static_cast<unsigned>(std::fabs(cell) > kLargest);
  }
  return infinite != 0;
}

DenseTable Convert(DenseSource const& source, IngestOptions const& options, Context const& ctx) {
  float* cells = nullptr;
  DenseTable table = NewTable(source.rows, source.columns, &cells);
  bool const by_columns = std::abs(source.row_stride) < std::abs(source.column_stride);
  std::size_t const wanted = kDenseBlockCells / std::max<std::size_t>(1, source.columns);
  std::size_t const block = std::max(kDenseTileRows, wanted / kDenseTileRows * kDenseTileRows);
  std::atomic<bool> has_infinity{false};
  ParallelBlocks(ctx, source.rows, block, [&](std::size_t begin, std::size_t end) {
    float* const to = cells + begin * source.columns;
    by_columns ? CopyColumns(source, begin, end, to) : CopyRows(source, begin, end, to);
    if (Tidy({to, (end - begin) * source.columns}, options.missing)) has_infinity = true;
  });
  if (options.check_infinity && has_infinity) ThrowFirstInfinity(FeatureMatrix(table));
  return table;
}

}  // namespace

void ThrowInfinity(std::size_t row, std::size_t column) {
  throw DataError(
      Text("Input data contains `inf` or a value too large for float32, while `missing` is not set to `inf`:"
           " row ",
           row, ", column ", column, ". Replace such values, for instance by NaN, which stands for a missing one."));
}

template <class Table>
void Guard(IngestOptions const& options, Context const& ctx, Table* table) {
  if (!options.check_infinity && !options.guard) return;
  TableScan const scan = Scan(*table, ctx);
  if (options.check_infinity && scan.has_infinity) ThrowFirstInfinity(FeatureMatrix(*table));
  if (options.guard) table->fingerprint = scan.fingerprint;
}
template void Guard(IngestOptions const&, Context const&, SparseTable*);

DenseTable IngestDense(DenseSource const& source, IngestOptions const& options, Context const& ctx) {
  CheckShape(source.rows, source.columns);
  return CanBeReferenced(source, options.copied_bytes) ? Reference(source, options, ctx)
                                                       : Convert(source, options, ctx);
}

}  // namespace xgbl
