// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>
#include <variant>

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

struct Half {
  std::uint16_t bits;
};

struct Bool {
  std::uint8_t byte;
};

template <class T>
float FloatOf(T value) {
  return static_cast<float>(value);
}

float FloatOf(Bool value) { return value.byte != 0 ? 1.0F : 0.0F; }

// IEEE 754 binary16. Multiplying by 2^112 moves the exponent's bias from 15 to 127 and is exact, subnormals included.
float FloatOf(Half value) {
  std::uint32_t const magnitude = static_cast<std::uint32_t>(value.bits & 0x7FFFU) << 13U;
  std::uint32_t const sign = static_cast<std::uint32_t>(value.bits & 0x8000U) << 16U;
  float number = 0;
  std::memcpy(&number, &magnitude, sizeof(number));
  number *= 0x1p112F;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof(bits));
  if (magnitude >= 0x0F800000U) bits = magnitude | 0x7F800000U;  // infinity and NaN
  bits |= sign;
  std::memcpy(&number, &bits, sizeof(number));
  return number;
}

template <class T>
T Load(char const* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <class T>
void Convert(char const* from, std::ptrdiff_t stride, std::size_t count, float* to) {
  if (stride == static_cast<std::ptrdiff_t>(sizeof(T))) {  // apart, so that it is vectorised
    for (std::size_t i = 0; i < count; ++i) to[i] = FloatOf(Load<T>(from + i * sizeof(T)));
  } else {
    for (std::size_t i = 0; i < count; ++i) to[i] = FloatOf(Load<T>(from + static_cast<std::ptrdiff_t>(i) * stride));
  }
}

// A value of each type, in the order of ScalarType.
using Scalar = std::variant<Bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                            std::uint32_t, std::uint64_t, Half, float, double>;

template <std::size_t... kTypes>
constexpr std::array<Scalar, sizeof...(kTypes)> OneOfEach(std::index_sequence<kTypes...>) {
  return {Scalar(std::in_place_index<kTypes>)...};
}

// Calls `visit` with a value of the type that stands for `type`.
template <class Visit>
auto WithType(ScalarType type, Visit&& visit) {
  static constexpr auto kScalars = OneOfEach(std::make_index_sequence<std::variant_size_v<Scalar>>());
  return std::visit(visit, kScalars.at(static_cast<std::size_t>(type)));
}

template <class T>
bool ConvertIndices(char const* from, std::uint64_t limit, Span<std::uint64_t> to) {
  bool good = true;
  for (std::size_t i = 0; i < to.size(); ++i) {
    // A negative one becomes a huge one.
    auto const index = static_cast<std::uint64_t>(static_cast<std::int64_t>(Load<T>(from + i * sizeof(T))));
    good &= index < limit;
    to[i] = index;
  }
  return good;
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

std::size_t SizeOf(ScalarType type) {
  return WithType(type, [](auto value) { return sizeof(value); });
}

void ToFloat(ScalarType type, void const* from, std::ptrdiff_t stride, std::size_t count, float* to) {
  WithType(type, [&](auto value) { Convert<decltype(value)>(static_cast<char const*>(from), stride, count, to); });
}

void ToFloat(ScalarArray const& array, std::size_t first, Span<float> to) {
  std::size_t const size = SizeOf(array.type);
  ToFloat(array.type, static_cast<char const*>(array.data) + first * size, static_cast<std::ptrdiff_t>(size), to.size(),
          to.data());
}

bool ToIndex(ScalarArray const& array, std::size_t first, std::uint64_t limit, Span<std::uint64_t> to) {
  return WithType(array.type, [&](auto value) {
    using T = decltype(value);
    if constexpr (std::is_integral_v<T>) {
      return ConvertIndices<T>(static_cast<char const*>(array.data) + first * sizeof(T), limit, to);
    } else {
      throw DataError("Indices of sparse data must be integers.");
      return false;
    }
  });
}

}  // namespace xgbl
