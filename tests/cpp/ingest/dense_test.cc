// SPDX-License-Identifier: Apache-2.0
#include "ingest/arrays.h"

#include <cstring>

#include "ingest/fingerprint.h"
#include "ingest/matrices.h"

namespace xgbl {
namespace {

template <class T>
DenseSource Source(T const* data, ScalarType type, std::size_t rows, std::size_t columns) {
  constexpr auto kSize = static_cast<std::ptrdiff_t>(sizeof(T));
  return {data, type, rows, columns, kSize * static_cast<std::ptrdiff_t>(columns), kSize, nullptr};
}

DenseSource Floats(std::vector<float> const& data, std::size_t rows, std::size_t columns) {
  return Source(data.data(), ScalarType::kFloat32, rows, columns);
}

IngestOptions ByReference() {
  IngestOptions options;
  options.copied_bytes = 0;
  return options;
}

// The cells that one value of type T becomes.
template <class T>
float Converted(T value, ScalarType type) {
  return IngestDense(Source(&value, type, 1, 1), {}, Context{}).At(0, 0);
}

TEST(IngestDense, ConvertsEveryType) {
  EXPECT_EQ(Converted<std::uint8_t>(2, ScalarType::kBool), 1.0F);
  EXPECT_EQ(Converted<std::int8_t>(-128, ScalarType::kInt8), -128.0F);
  EXPECT_EQ(Converted<std::int16_t>(-32768, ScalarType::kInt16), -32768.0F);
  EXPECT_EQ(Converted<std::int32_t>(16777217, ScalarType::kInt32), 16777216.0F);
  EXPECT_EQ(Converted<std::int64_t>(-(1LL << 40), ScalarType::kInt64), -0x1p40F);
  EXPECT_EQ(Converted<std::uint8_t>(255, ScalarType::kUint8), 255.0F);
  EXPECT_EQ(Converted<std::uint16_t>(65535, ScalarType::kUint16), 65535.0F);
  EXPECT_EQ(Converted<std::uint32_t>(1U << 31U, ScalarType::kUint32), 0x1p31F);
  EXPECT_EQ(Converted<std::uint64_t>(~0ULL, ScalarType::kUint64), 0x1p64F);
  EXPECT_EQ(Converted<float>(1e-44F, ScalarType::kFloat32), 1e-44F);
  EXPECT_EQ(Converted<double>(0.1, ScalarType::kFloat64), 0.1F);
}

TEST(IngestDense, ConvertsHalfPrecision) {
  auto const half = [](std::uint16_t bits) { return Converted<std::uint16_t>(bits, ScalarType::kFloat16); };
  EXPECT_EQ(half(0x3C00), 1.0F);
  EXPECT_EQ(half(0xC500), -5.0F);
  EXPECT_EQ(half(0x7BFF), 65504.0F);
  EXPECT_EQ(half(0x0001), 0x1p-24F);
  EXPECT_TRUE(std::signbit(half(0x8000)));
  EXPECT_TRUE(std::isnan(half(0x7E00)));
  EXPECT_THROW(half(0xFC00), DataError);
}

TEST(IngestDense, TakesAnyStrides) {
  std::vector<double> data(200 * 70);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<double>(i);
  DenseSource source{data.data() + 199 * 70, ScalarType::kFloat64, 100, 35, -2 * 70 * 8, 2 * 8, nullptr};
  DenseTable const by_row = IngestDense(source, {}, Threads(2));
  std::swap(source.rows, source.columns);
  std::swap(source.row_stride, source.column_stride);
  DenseTable const by_column = IngestDense(source, {}, Threads(2));
  for (std::size_t row = 0; row < 100; ++row) {
    for (std::size_t column = 0; column < 35; ++column) {
      auto const expected = static_cast<float>((199 - 2 * row) * 70 + 2 * column);
      ASSERT_EQ(by_row.At(row, column), expected);
      ASSERT_EQ(by_column.At(column, row), expected);
    }
  }
}

TEST(IngestDense, TakesUnalignedMemory) {
  std::vector<char> bytes(4 * 6 + 1);
  std::vector<float> const values{1, 2, 3, 4, 5, 6};
  std::memcpy(bytes.data() + 1, values.data(), 24);
  DenseSource const source{bytes.data() + 1, ScalarType::kFloat32, 3, 2, 8, 4, nullptr};
  ExpectSameCells(CellsOf(FeatureMatrix(IngestDense(source, ByReference(), Context{}))), values);
}

TEST(IngestDense, CopiesSmallFloatsAndReferencesLargeOnes) {
  std::vector<float> data{1, 2, 3, 4};
  EXPECT_NE(IngestDense(Floats(data, 2, 2), {}, Context{}).data, data.data());
  DenseTable const referenced = IngestDense(Floats(data, 2, 2), ByReference(), Context{});
  EXPECT_EQ(referenced.data, data.data());
  EXPECT_TRUE(referenced.fingerprint.has_value());
}

TEST(IngestDense, KeepsTheOwnerAliveOnlyWhileItIsReferenced) {
  auto const data = std::make_shared<std::vector<float>>(6, 1.0F);
  DenseSource source = Floats(*data, 2, 3);
  source.owner = data;
  DenseTable const referenced = IngestDense(source, ByReference(), Context{});
  DenseTable const copied = IngestDense(source, {}, Context{});
  source.owner.reset();
  EXPECT_EQ(data.use_count(), 2);
}

TEST(IngestDense, NamesTheFirstInfiniteCell) {
  std::vector<float> data(1000 * 30, 1.0F);
  data[700 * 30 + 4] = -kInf;
  data[900 * 30 + 1] = kInf;
  std::vector<std::string> const words{"Input data contains `inf`", "row 700, column 4", "NaN"};
  for (IngestOptions const& options : {IngestOptions{}, ByReference()}) {
    ExpectError<DataError>([&] { IngestDense(Floats(data, 1000, 30), options, Threads(2)); }, words);
  }
  double const large = 1e300;
  ExpectError<DataError>([&] { IngestDense(Source(&large, ScalarType::kFloat64, 1, 1), {}, Context{}); },
                         {"too large"});
}

TEST(IngestDense, AllowsInfinityWhereItIsMissingOrNotChecked) {
  std::vector<float> const data{1, kInf, 2, kNan};
  for (IngestOptions options : {IngestOptions{}, ByReference()}) {
    options.missing = kInf;
    ExpectSameCells(CellsOf(FeatureMatrix(IngestDense(Floats(data, 2, 2), options, Context{}))), {1, kNan, 2, kNan});
    options.missing = kNan;
    options.check_infinity = false;
    ExpectSameCells(CellsOf(FeatureMatrix(IngestDense(Floats(data, 2, 2), options, Context{}))), {1, kInf, 2, kNan});
  }
}

TEST(IngestDense, TakesMissingValuesOfEveryType) {
  std::vector<std::int32_t> const data{0, 1, 0, -1};
  IngestOptions options;
  options.missing = 0;
  DenseTable const table = IngestDense(Source(data.data(), ScalarType::kInt32, 2, 2), options, Context{});
  ExpectSameCells(CellsOf(FeatureMatrix(table)), {kNan, 1, kNan, -1});
}

TEST(IngestDense, TakesTablesWithoutCells) {
  DenseTable const no_rows = IngestDense(Floats({}, 0, 5), ByReference(), Threads(2));
  EXPECT_EQ(no_rows.columns, 5U);
  DenseTable const no_columns = IngestDense(Floats({}, 5, 0), {}, Threads(2));
  EXPECT_EQ(no_columns.rows, 5U);
}

TEST(IngestDense, RefusesMoreRowsThanCanBeNumbered) {
  DenseSource source = Floats({}, std::size_t{1} << 32U, 0);
  ExpectError<DataError>([&] { IngestDense(source, {}, Context{}); }, {"Too many rows", "4294967296"});
}

}  // namespace
}  // namespace xgbl
