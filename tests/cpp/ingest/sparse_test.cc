// SPDX-License-Identifier: Apache-2.0
#include "ingest/arrays.h"

#include "ingest/fingerprint.h"
#include "ingest/matrices.h"

namespace xgbl {
namespace {

// scipy's three arrays, with 32-bit indices.
struct Arrays {
  std::vector<std::int32_t> offsets;
  std::vector<std::int32_t> indices;
  std::vector<float> values;
  std::size_t width = 0;

  SparseSource Source() const {
    return {{offsets.data(), offsets.size(), ScalarType::kInt32},
            {indices.data(), indices.size(), ScalarType::kInt32},
            {values.data(), values.size(), ScalarType::kFloat32},
            width};
  }
};

// Lines of a random matrix: its rows, or its columns if `by_column`.
Arrays RandomArrays(std::size_t rows, std::size_t columns, bool by_column) {
  Random const random(3, Purpose::kRows, 0);
  Arrays out{{0}, {}, {}, by_column ? rows : columns};
  std::size_t const lines = by_column ? columns : rows;
  for (std::size_t line = 0; line < lines; ++line) {
    for (std::size_t place = 0; place < out.width; ++place) {
      std::size_t const cell = by_column ? place * columns + line : line * columns + place;
      if (random.Uniform(cell) > 0.2) continue;
      out.indices.push_back(static_cast<std::int32_t>(place));
      out.values.push_back(static_cast<float>(random.Uniform(~cell)));
    }
    out.offsets.push_back(static_cast<std::int32_t>(out.values.size()));
  }
  return out;
}

template <class T>
std::vector<T> Copy(Span<T const> values) {
  return {values.begin(), values.end()};
}

void ExpectEqual(SparseTable const& a, SparseTable const& b) {
  EXPECT_EQ(Copy(a.row_begin), Copy(b.row_begin));
  EXPECT_EQ(Copy(a.column), Copy(b.column));
  EXPECT_EQ(Copy(a.value), Copy(b.value));
  EXPECT_EQ(a.columns, b.columns);
}

void ExpectRefused(Arrays const& arrays, std::vector<std::string> const& words) {
  ExpectError<DataError>([&] { IngestCsr(arrays.Source(), {}, Context{}); }, words);
  ExpectError<DataError>([&] { IngestCsc(arrays.Source(), {}, Context{}); }, words);
}

TEST(IngestSparse, KeepsZerosAndDropsNanAndMissing) {
  Arrays const arrays{{0, 3, 3, 5}, {0, 1, 3, 2, 3}, {0, kNan, 2, -1, 5}, 4};
  IngestOptions options;
  options.missing = 5;
  SparseTable const rows = IngestCsr(arrays.Source(), options, Context{});
  EXPECT_EQ(Copy(rows.row_begin), (std::vector<std::size_t>{0, 2, 2, 3}));
  EXPECT_EQ(Copy(rows.column), (std::vector<std::uint32_t>{0, 3, 2}));
  EXPECT_EQ(Copy(rows.value), (std::vector<float>{0, 2, -1}));
  EXPECT_EQ(rows.columns, 4U);
}

TEST(IngestSparse, SortsColumnsWithinARow) {
  Arrays const arrays{{0, 1, 5}, {2, 3, 0, 2, 1}, {9, 3, 0, 2, 1}, 4};
  SparseTable const rows = IngestCsr(arrays.Source(), {}, Context{});
  EXPECT_EQ(Copy(rows.column), (std::vector<std::uint32_t>{2, 0, 1, 2, 3}));
  EXPECT_EQ(Copy(rows.value), (std::vector<float>{9, 0, 1, 2, 3}));
}

TEST(IngestSparse, RowsAndColumnsGiveTheSameForAnyThreads) {
  Arrays const by_row = RandomArrays(3000, 90, false), by_column = RandomArrays(3000, 90, true);
  SparseTable const expected = IngestCsr(by_row.Source(), {}, Context{});
  ASSERT_GT(expected.value.size(), 40000U);
  for (int const threads : {1, 2, 3, 7}) {
    ExpectEqual(IngestCsr(by_row.Source(), {}, Threads(threads)), expected);
    ExpectEqual(IngestCsc(by_column.Source(), {}, Threads(threads)), expected);
  }
}

TEST(IngestSparse, TakesWideIndicesAndOtherValueTypes) {
  std::vector<std::int64_t> const offsets{0, 1, 2};
  std::vector<std::uint64_t> const indices{1, 0};
  std::vector<std::int8_t> const values{-3, 7};
  SparseSource const source{{offsets.data(), 3, ScalarType::kInt64},
                            {indices.data(), 2, ScalarType::kUint64},
                            {values.data(), 2, ScalarType::kInt8},
                            2};
  ExpectSameCells(CellsOf(FeatureMatrix(IngestCsr(source, {}, Context{}))), {kNan, -3, 7, kNan});
  ExpectSameCells(CellsOf(FeatureMatrix(IngestCsc(source, {}, Context{}))), {kNan, 7, -3, kNan});
}

TEST(IngestSparse, TakesMatricesWithoutCells) {
  for (std::size_t const lines : {0U, 1U, 5U}) {
    Arrays const arrays{std::vector<std::int32_t>(lines + 1, 0), {}, {}, 3};
    EXPECT_EQ(IngestCsr(arrays.Source(), {}, Threads(2)).rows(), lines);
    SparseTable const from_columns = IngestCsc(arrays.Source(), {}, Threads(2));
    EXPECT_EQ(from_columns.rows(), 3U);
    EXPECT_EQ(from_columns.columns, lines);
  }
}

// As scipy's arrays of `arrays` come that the user keeps alive, all of them too large to be copied.
SparseTable Referenced(Arrays const& arrays, IngestOptions options = {}) {
  SparseSource source = arrays.Source();
  source.owner = std::make_shared<int>(0);
  options.copied_bytes = 0;
  return IngestCsr(source, options, Threads(2));
}

TEST(IngestSparse, UsesLargeTidyRowsWhereTheyLie) {
  Arrays arrays = RandomArrays(3000, 90, false);
  SparseTable const table = Referenced(arrays);
  EXPECT_EQ(table.value.data(), arrays.values.data());
  ExpectEqual(table, IngestCsr(arrays.Source(), {}, Context{}));
  FeatureMatrix const features(table);
  EXPECT_NO_THROW(CheckUnchanged(features, Threads(3)));
  std::swap(arrays.indices[7], arrays.indices[8]);
  ExpectError<DataError>([&] { CheckUnchanged(features, Context{}); }, {"changed after the DMatrix was made"});
  std::swap(arrays.indices[7], arrays.indices[8]);
  arrays.values.back() += 1;
  ExpectError<DataError>([&] { CheckUnchanged(features, Context{}); }, {"changed after the DMatrix was made"});
}

TEST(IngestSparse, CopiesRowsThatAreNotTidy) {
  for (Arrays const& arrays :
       {Arrays{{0, 2, 3}, {1, 0, 2}, {1, 2, 3}, 3}, Arrays{{0, 2, 3}, {0, 1, 2}, {1, kNan, 3}, 3},
        Arrays{{0, 2, 3}, {0, 1, 2}, {1, 9, 3}, 3}, Arrays{{1, 2, 3}, {0, 1, 2}, {1, 2, 3}, 3}}) {
    IngestOptions options;
    options.missing = 9;
    SparseTable const table = Referenced(arrays, options);
    EXPECT_NE(table.value.data(), arrays.values.data());
    EXPECT_FALSE(table.fingerprint);
    ExpectEqual(table, IngestCsr(arrays.Source(), options, Context{}));
  }
}

TEST(IngestSparse, RefusesWhatIsWrongWithLargeRows) {
  ExpectError<DataError>([] { Referenced({{0, 2}, {0, 5}, {1, 2}, 3}); }, {"index 5", "3 columns"});
  ExpectError<DataError>([] { Referenced({{0, 2}, {0, -1}, {1, 2}, 3}); }, {"index -1"});
  ExpectError<DataError>([] { Referenced({{0, 2}, {1, 1}, {1, 2}, 3}); }, {"more than one value", "column 1"});
  ExpectError<DataError>([] { Referenced({{0, 0, 2}, {0, 2}, {1, -kInf}, 3}); }, {"`inf`", "row 1, column 2"});
}

TEST(IngestSparse, RefusesHostileOffsets) {
  ExpectRefused({{}, {}, {}, 2}, {"`indptr`", "at least one"});
  ExpectRefused({{0, 2, 1}, {0, 1}, {1, 1}, 2}, {"`indptr`", "must rise"});
  ExpectRefused({{0, 3}, {0, 1}, {1, 1}, 2}, {"`indptr`", "2 values"});
  ExpectRefused({{-1, 2}, {0, 1}, {1, 1}, 2}, {"`indptr`"});
  ExpectRefused({{0, 2}, {0, 1}, {1}, 2}, {"as many indices as values", "2 and 1"});
}

TEST(IngestSparse, RefusesIndicesOutOfRange) {
  for (std::int32_t const bad : {3, -1, std::numeric_limits<std::int32_t>::max()}) {
    ExpectRefused({{0, 1, 2}, {0, bad}, {1, 1}, 3}, {"index " + std::to_string(bad), " 1, but only 3"});
  }
}

TEST(IngestSparse, RefusesIndicesThatAreNoIntegers) {
  Arrays const arrays{{0, 1}, {0}, {1}, 1};
  SparseSource source = arrays.Source();
  source.indices.type = ScalarType::kFloat32;
  ExpectError<DataError>([&] { IngestCsr(source, {}, Context{}); }, {"must be integers"});
}

TEST(IngestSparse, RefusesTwoValuesInOneCell) {
  Arrays const arrays{{0, 1, 4}, {0, 1, 0, 1}, {1, 2, 3, 4}, 2};
  ExpectError<DataError>([&] { IngestCsr(arrays.Source(), {}, Context{}); },
                         {"more than one value in row 1, column 1", "sum_duplicates"});
  ExpectError<DataError>([&] { IngestCsc(arrays.Source(), {}, Context{}); },
                         {"more than one value in row 1, column 1", "sum_duplicates"});
}

TEST(IngestSparse, NamesTheInfiniteCell) {
  Arrays const arrays{{0, 0, 2}, {0, 2}, {1, kInf}, 3};
  ExpectError<DataError>([&] { IngestCsr(arrays.Source(), {}, Context{}); },
                         {"Input data contains `inf`", "row 1, column 2"});
  ExpectError<DataError>([&] { IngestCsc(arrays.Source(), {}, Context{}); }, {"row 2, column 1"});
  IngestOptions options;
  options.missing = kInf;
  EXPECT_EQ(Copy(IngestCsr(arrays.Source(), options, Context{}).value), std::vector<float>{1});
}

}  // namespace
}  // namespace xgbl
