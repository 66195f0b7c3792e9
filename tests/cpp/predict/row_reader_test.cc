// SPDX-License-Identifier: Apache-2.0
#include "predict/row_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "predict/sample_rows.h"

namespace xgbl {
namespace {

constexpr std::size_t kRows = 70, kColumns = 4, kAtOnce = 32;
std::vector<std::uint32_t> const kUsed = {1, 3};

void ExpectValue(Table const& table, std::size_t row, std::size_t i, float value) {
  float const expected = table.values[row * kColumns + kUsed[i]];
  EXPECT_TRUE(std::isnan(expected) ? std::isnan(value) : value == expected) << row << ", " << i;
}

// All used values, block by block, NaN where missing; none reads as all missing.
std::vector<float> Read(RowSource const& source) {
  RowReader reader(source, kUsed, kAtOnce);
  std::vector<float> found(kRows * kUsed.size());
  for (std::size_t begin = 0; begin < kRows; begin += kAtOnce) {
    reader.Read(begin, std::min(kRows, begin + kAtOnce));
    for (std::size_t i = 0; i < kUsed.size(); ++i) {
      auto const run = reader.RunOf(i);
      for (std::size_t row = 0; row < reader.Rows(); ++row) {
        float const value = run.values == nullptr ? kMissing : run.values[row];
        found[(begin + row) * kUsed.size() + i] = value == run.missing ? kMissing : value;
      }
    }
  }
  return found;
}

// Feature by feature, and row by row.
void ExpectTable(Table const& table, RowSource const& source) {
  auto const found = Read(source);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t i = 0; i < kUsed.size(); ++i) ExpectValue(table, row, i, found[row * kUsed.size() + i]);
  }
  for (std::size_t const end : {std::size_t{2}, kRows}) {
    std::size_t next = 1;
    ForEachRow(source, kUsed, 1, end, [&](std::size_t row, float const* values) {
      EXPECT_EQ(row, next++);
      for (std::size_t i = 0; i < kUsed.size(); ++i) ExpectValue(table, row, i, values[i]);
    });
    EXPECT_EQ(next, end);
  }
}

TEST(RowReader, MatricesOfAnyLayout) {
  Table const table = RandomTable(kRows, kColumns);
  FeatureMatrix const by_row = table.ByRow(), sparse = table.Sparse();
  ExpectTable(table, by_row);
  ExpectTable(table, sparse);
  std::vector<float> turned(table.values.size());
  for (std::size_t i = 0; i < turned.size(); ++i) turned[i % kColumns * kRows + i / kColumns] = table.values[i];
  DenseTable dense;
  dense.data = turned.data();
  dense.rows = kRows;
  dense.columns = kColumns;
  dense.row_stride = 1;
  dense.column_stride = kRows;
  FeatureMatrix const by_column(dense);
  ExpectTable(table, by_column);
}

TEST(RowReader, ColumnsOfOtherTypesWithGapsAndWithout) {
  Table const table = RandomTable(kRows, kColumns);
  std::vector<double> values(table.values.begin(), table.values.end()), turned(values.size());
  for (std::size_t i = 0; i < turned.size(); ++i) turned[i % kColumns * kRows + i / kColumns] = values[i];
  ColumnTable gaps, gapless;
  gaps.rows = gapless.rows = kRows;
  for (std::size_t c = 0; c < kColumns; ++c) {
    gaps.columns.push_back({&values[c], ScalarType::kFloat64, kColumns * sizeof(double)});
    gapless.columns.push_back({&turned[c * kRows], ScalarType::kFloat64, sizeof(double)});
  }
  ExpectTable(table, gaps);
  ExpectTable(table, gapless);
}

TEST(RowReader, RowsOfAnyTypeThatLieAnywhere) {
  Table const table = RandomTable(kRows, kColumns);
  constexpr std::size_t kRowBytes = kColumns * sizeof(float) + 3;
  std::vector<char> bytes(kRows * kRowBytes + 1);
  ColumnTable rows;
  rows.rows = kRows;
  for (std::size_t row = 0; row < kRows; ++row) {
    std::memcpy(&bytes[1 + row * kRowBytes], &table.values[row * kColumns], kColumns * sizeof(float));
  }
  for (std::size_t c = 0; c < kColumns; ++c) {
    rows.columns.push_back({&bytes[1 + c * sizeof(float)], ScalarType::kFloat32, kRowBytes});
  }
  ExpectTable(table, rows);
}

struct Cells {
  std::vector<std::int64_t> begin;
  std::vector<std::int32_t> column;
  std::vector<double> value;

  CsrView View(std::size_t columns, float missing = kMissing) const {
    return {{begin.data(), begin.size(), ScalarType::kInt64},
            {column.data(), column.size(), ScalarType::kInt32},
            {value.data(), value.size(), ScalarType::kFloat64},
            columns,
            missing};
  }
};

constexpr float kGone = -77;

std::vector<float> ValuesOf(RowReader::Run const& run) {
  std::vector<float> values(run.values, run.values + 3);
  for (float& value : values) value = std::isnan(value) || value == run.missing ? kGone : value;
  return values;
}

TEST(RowReader, CellsOfRowsInAnyOrder) {
  Cells const cells{{0, 3, 3, 6}, {3, 0, 1, 1, 2, 3}, {0.5, 2, -1, 9, kMissing, 7}};
  Cells const rising{{0, 3, 3, 6}, {0, 1, 3, 1, 2, 3}, {2, -1, 0.5, 9, kMissing, 7}};
  for (Cells const& given : {cells, rising}) {
    CsrView const view = given.View(kColumns, 9);
    RowReader reader(view, kUsed, 3);
    reader.Read(0, 3);
    EXPECT_EQ(ValuesOf(reader.RunOf(0)), (std::vector<float>{-1, kGone, kGone}));
    EXPECT_EQ(ValuesOf(reader.RunOf(1)), (std::vector<float>{0.5, kGone, 7}));
    std::vector<float> by_row;
    ForEachRow(view, kUsed, 0, 3, [&](std::size_t, float const* values) {
      for (std::size_t i = 0; i < 2; ++i) by_row.push_back(std::isnan(values[i]) ? kGone : values[i]);
    });
    EXPECT_EQ(by_row, (std::vector<float>{-1, 0.5, kGone, kGone, kGone, 7}));
  }
}

template <class Index, class Number>
void ExpectFullRows() {
  Table table = RandomTable(kRows, kColumns);
  // The second piece has a gap, and so has the third.
  std::size_t const gap = 40 * kColumns + 1, first_gone = 65 * kColumns;
  table.values[gap] = table.values[first_gone] = kMissing;
  std::vector<std::int64_t> begin{0};
  std::vector<Index> column;
  std::vector<Number> value;
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    if (i != gap && i != first_gone) {
      column.push_back(static_cast<Index>(i % kColumns));
      value.push_back(static_cast<Number>(table.values[i]));
    }
    if (i % kColumns == kColumns - 1) begin.push_back(static_cast<std::int64_t>(column.size()));
  }
  bool const wide = sizeof(Index) == 8, precise = sizeof(Number) == 8;
  CsrView const view({begin.data(), begin.size(), ScalarType::kInt64},
                     {column.data(), column.size(), wide ? ScalarType::kInt64 : ScalarType::kInt32},
                     {value.data(), value.size(), precise ? ScalarType::kFloat64 : ScalarType::kFloat32}, kColumns,
                     kMissing);
  ExpectTable(table, view);
}

TEST(RowReader, FullRowsAmongOthers) {
  ExpectFullRows<std::int32_t, float>();
  ExpectFullRows<std::int32_t, double>();
  ExpectFullRows<std::int64_t, float>();
  ExpectFullRows<std::int64_t, double>();
}

TEST(RowReader, AsManyCellsAsFullRowsHaveAreNotFullRows) {
  // Cells as of two full rows in a row, of which the second begins too early; and twice the same wrong column.
  Cells const shifted{{0, 3, 8}, {0, 1, 2, 3, 0, 1, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8}};
  Cells const twice{{0, 4, 8}, {0, 1, 1, 3, 0, 1, 1, 3}, {1, 2, 3, 4, 5, 6, 7, 8}};
  for (Cells const& bad : {shifted, twice}) {
    CsrView const view = bad.View(kColumns);
    RowReader reader(view, kUsed, 2);
    EXPECT_THROW(reader.Read(0, 2), DataError);
  }
}

TEST(RowReader, ColumnsMustBeThereAndOnce) {
  for (std::vector<std::int32_t> const& bad : {std::vector<std::int32_t>{1, 4}, {-1, 1}, {3, -2}, {5, 0}, {3, 3}}) {
    Cells const cells{{0, 2}, bad, {1, 2}};
    CsrView const view = cells.View(kColumns);
    RowReader reader(view, kUsed, 1);
    EXPECT_THROW(reader.Read(0, 1), DataError) << bad[0] << ", " << bad[1];
  }
}

TEST(RowReader, SparseFeaturesThatNoRowOfABlockHasAreNotThere) {
  SparseRows rows;
  rows.columns = kColumns;
  rows.row_begin = {0, 1, 1, 2};
  rows.column = {1, 3};
  rows.value = {5, 6};
  FeatureMatrix const features(rows);
  RowReader reader(features, kUsed, 2);
  reader.Read(0, 2);
  EXPECT_EQ(reader.RunOf(0).values[0], 5);
  EXPECT_TRUE(std::isnan(reader.RunOf(0).values[1]));
  EXPECT_EQ(reader.RunOf(1).values, nullptr);
  reader.Read(2, 3);
  EXPECT_EQ(reader.RunOf(0).values, nullptr);
  EXPECT_EQ(reader.RunOf(1).values[0], 6);
}

}  // namespace
}  // namespace xgbl
