// SPDX-License-Identifier: Apache-2.0
#include "ingest/feature_matrix.h"

#include "ingest/matrices.h"

namespace xgbl {
namespace {

TEST(FeatureMatrix, DenseAndSparseHaveTheSameCells) {
  FeatureMatrix const dense(TableOf(3, 2, {1, kNan, 0, 4, kNan, kNan})), sparse(TableOf(RowsOf(dense)));
  for (FeatureMatrix const* matrix : {&dense, &sparse}) {
    EXPECT_EQ(matrix->Rows(), 3U);
    EXPECT_EQ(matrix->Columns(), 2U);
    EXPECT_EQ(matrix->Value(1, 1), 4);
    EXPECT_TRUE(std::isnan(matrix->Value(2, 0)));
    std::size_t present = 0;
    for (std::size_t row = 0; row < 3; ++row) matrix->ForEachPresent(row, [&](std::size_t, float) { ++present; });
    EXPECT_EQ(present, 3U);
    EXPECT_NO_THROW(matrix->NeedValues("A test"));
  }
}

TEST(FeatureMatrix, MayBeEmpty) {
  FeatureMatrix const none;
  EXPECT_EQ(none.Rows(), 0U);
  EXPECT_EQ(none.Columns(), 0U);
}

TEST(SortRow, OrdersColumnsWithTheirValuesAndNamesOneThatOccursTwice) {
  std::vector<std::uint32_t> columns{5, 1, 3};
  std::vector<float> values{50, 10, 30};
  EXPECT_EQ(SortRow(columns, values), std::nullopt);
  EXPECT_EQ(columns, (std::vector<std::uint32_t>{1, 3, 5}));
  EXPECT_EQ(values, (std::vector<float>{10, 30, 50}));
  columns = {4, 2, 4};
  EXPECT_EQ(SortRow(columns, values), 4U);
}

TEST(CheckShape, RefusesMoreThanNumbersOfRowsAndColumnsHold) {
  EXPECT_NO_THROW(CheckShape(std::size_t{0xFFFFFFFF}, std::size_t{0x7FFFFFFF}));
  EXPECT_THROW(CheckShape(std::size_t{1} << 32U, 1), DataError);
  EXPECT_THROW(CheckShape(1, std::size_t{1} << 31U), DataError);
  float* cells = nullptr;
  EXPECT_THROW(NewTable(std::size_t{1} << 40U, std::size_t{1} << 40U, &cells), std::bad_alloc);
}

}  // namespace
}  // namespace xgbl
