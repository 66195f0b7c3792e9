// SPDX-License-Identifier: Apache-2.0
#include "predict/row_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"

namespace xgbl {
namespace {

template <class T>
ScalarArray ArrayOf(std::vector<T> const& values, ScalarType type) {
  return {values.data(), values.size(), type};
}

struct Rows {
  std::vector<std::int32_t> begin{0, 2, 2, 4};
  std::vector<std::int64_t> column{1, 0, 2, 1};
  std::vector<double> value{0.5, -1, kMissing, 7};

  CsrView View(std::size_t columns, float missing = kMissing) const {
    return {ArrayOf(begin, ScalarType::kInt32), ArrayOf(column, ScalarType::kInt64),
            ArrayOf(value, ScalarType::kFloat64), columns, missing};
  }
};

TEST(CsrView, GivesOffsetsAndCells) {
  Rows const rows;
  CsrView const view = rows.View(3, 7);
  std::vector<std::uint64_t> offsets(2);
  view.ReadOffsets(2, offsets);
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{2, 4}));
  EXPECT_EQ(view.Missing(), 7);
  view.WithCells([](auto const* columns, auto const* values) {
    EXPECT_EQ(columns[2], 2);
    EXPECT_EQ(static_cast<double>(values[3]), 7);
  });
}

TEST(CsrView, OffsetsMustRiseWithinTheValues) {
  for (std::vector<std::int32_t> const& bad : {std::vector<std::int32_t>{}, {0, 3, 2}, {0, 5}, {-1, 2}}) {
    Rows rows;
    rows.begin = bad;
    EXPECT_THROW(rows.View(3), DataError);
  }
  Rows rows;
  rows.column.pop_back();
  EXPECT_THROW(rows.View(3), DataError);
}

TEST(CsrView, OffsetsThatWereChangedAreRefused) {
  for (std::int32_t const changed : {3, 99, -1}) {
    Rows rows;
    CsrView const view = rows.View(3);
    rows.begin[1] = changed;
    std::vector<std::uint64_t> offsets(4);
    EXPECT_THROW(view.ReadOffsets(0, offsets), DataError) << changed;
  }
}

TEST(RowSource, TellsItsShape) {
  Rows const rows;
  CsrView const csr = rows.View(9);
  ColumnTable table;
  table.rows = 4;
  table.columns.resize(2);
  EXPECT_EQ(RowSource(csr).Rows(), 3U);
  EXPECT_EQ(RowSource(csr).Columns(), 9U);
  EXPECT_TRUE(RowSource(csr).IsSparse());
  EXPECT_EQ(RowSource(table).Rows(), 4U);
  EXPECT_EQ(RowSource(table).Columns(), 2U);
  EXPECT_FALSE(RowSource(table).IsSparse());
}

}  // namespace
}  // namespace xgbl
