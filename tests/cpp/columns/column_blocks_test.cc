// SPDX-License-Identifier: Apache-2.0
#include "columns/column_blocks.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "ingest/fingerprint.h"
#include "ingest/matrices.h"
#include "parallel/radix_sort.h"

namespace xgbl {
namespace {

using Cells = std::vector<std::pair<float, std::uint32_t>>;

// What the column must be, by the standard library's stable sort.
Cells Expected(FeatureMatrix const& features, std::size_t column) {
  Cells cells;
  for (std::size_t row = 0; row < features.Rows(); ++row) {
    features.ForEachPresent(row, [&](std::size_t at, float value) {
      if (at == column) cells.emplace_back(value, static_cast<std::uint32_t>(row));
    });
  }
  std::stable_sort(cells.begin(), cells.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  return cells;
}

Cells Built(ColumnBlocks const& blocks, std::size_t column) {
  Cells cells;
  for (std::size_t i = 0; i < blocks.BlockCount(column); ++i) {
    ColumnBlocks::Block const block = blocks.GetBlock(column, i);
    EXPECT_LE(block.values.size(), ColumnBlocks::kBlockCells);
    for (std::size_t k = 0; k < block.values.size(); ++k) cells.emplace_back(block.values[k], block.rows[k]);
  }
  return cells;
}

void ExpectSorted(FeatureMatrix const& features) {
  std::vector<Cells> expected;
  for (std::size_t column = 0; column < features.Columns(); ++column) expected.push_back(Expected(features, column));
  for (int const threads : {1, 2, 3, 7}) {
    ColumnBlocks const blocks = ColumnBlocks::Build(features, Threads(threads));
    ASSERT_EQ(blocks.Rows(), features.Rows());
    ASSERT_EQ(blocks.Columns(), features.Columns());
    for (std::size_t column = 0; column < features.Columns(); ++column) {
      EXPECT_EQ(blocks.HasMissing(column), expected[column].size() < features.Rows());
      ASSERT_TRUE(Built(blocks, column) == expected[column]) << "column " << column << ", " << threads << " threads";
    }
  }
}

using Draw = std::function<float(double uniform)>;

DenseTable RandomTable(std::size_t rows, std::size_t columns, double missing_share, Draw const& draw) {
  Random const random(11, Purpose::kRows, rows);
  std::vector<float> cells(rows * columns);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = random.Uniform(~i) < missing_share ? kNan : draw(random.Uniform(i));
  }
  return TableOf(rows, columns, cells);
}

float Wide(double uniform) {
  auto const magnitude = static_cast<float>(std::pow(10.0, 80 * uniform - 43));
  return std::fmod(uniform * 1e6, 2.0) < 1 ? magnitude : -magnitude;
}

float Ties(double uniform) { return std::floor(static_cast<float>(uniform) * 5) - 2; }

// -0.0, denormals, the largest values, all near one another.
float Edge(double uniform) {
  constexpr float kTiny = std::numeric_limits<float>::denorm_min(), kHuge = std::numeric_limits<float>::max();
  constexpr float kValues[] = {0.0F, -0.0F, kTiny, -kTiny, 3 * kTiny, kHuge, -kHuge, 1e-38F};
  return kValues[static_cast<std::size_t>(uniform * 8)];
}

TEST(ColumnBlocks, EqualAStableSortOfDenseTables) {
  for (Draw const& draw : {Draw(Wide), Draw(Ties), Draw(Edge)}) {
    for (double const missing_share : {0.0, 0.3}) {
      ExpectSorted(FeatureMatrix(RandomTable(10000, 5, missing_share, draw)));
    }
    ExpectSorted(FeatureMatrix(RandomTable(100, 300, 0.5, draw)));
  }
}

TEST(ColumnBlocks, EqualAStableSortOfSparseRows) {
  for (Draw const& draw : {Draw(Wide), Draw(Ties), Draw(Edge)}) {
    ExpectSorted(FeatureMatrix(RowsOf(FeatureMatrix(RandomTable(9000, 6, 0.7, draw)))));
    ExpectSorted(FeatureMatrix(RowsOf(FeatureMatrix(RandomTable(50, 2000, 0.99, draw)))));
  }
}

TEST(ColumnBlocks, TakeTablesInColumnOrderAndOtherMissingValues) {
  DenseTable table = RandomTable(60, 500, 0.1, Ties);
  table.rows = 500;
  table.columns = 60;
  table.row_stride = 1;
  table.column_stride = 500;
  table.missing = -1;
  ExpectSorted(FeatureMatrix(table));
}

TEST(ColumnBlocks, TakeMatricesWithoutRowsColumnsOrCells) {
  ExpectSorted(FeatureMatrix());
  ExpectSorted(FeatureMatrix(TableOf(0, 3, {})));
  ExpectSorted(FeatureMatrix(TableOf(3, 0, {})));
  ExpectSorted(FeatureMatrix(TableOf(2, 2, {kNan, kNan, kNan, kNan})));
  ExpectSorted(FeatureMatrix(TableOf(1, 1, {7})));
  SparseRows empty;
  empty.columns = 100000;
  ExpectSorted(FeatureMatrix(empty));
}

TEST(ColumnBlocks, KeepConstantColumnsInRowOrder) {
  ExpectSorted(FeatureMatrix(TableOf(5000, 2, std::vector<float>(10000, -2.5F))));
}

TEST(ColumnBlocks, CutLongColumnsIntoBlocks) {
  std::size_t const rows = 2 * ColumnBlocks::kBlockCells + 3;
  FeatureMatrix const features(RandomTable(rows, 1, 0, Wide));
  ColumnBlocks const blocks = ColumnBlocks::Build(features, Context{});
  EXPECT_EQ(blocks.BlockCount(0), 3U);
  EXPECT_EQ(blocks.GetBlock(0, 2).values.size(), 3U);
  EXPECT_TRUE(Built(blocks, 0) == Expected(features, 0));
}

TEST(ColumnBlocks, StoreNegativeZeroAsZero) {
  ColumnBlocks const blocks = ColumnBlocks::Build(FeatureMatrix(TableOf(2, 1, {0.0F, -0.0F})), Context{});
  auto const values = blocks.GetBlock(0, 0).values;
  EXPECT_FALSE(std::signbit(values[0]) || std::signbit(values[1]));
}

TEST(ColumnBlocks, RefuseAnArrayThatWasChanged) {
  std::vector<float> cells{1, 2, 3, 4};
  DenseTable table = TableOf(2, 2, {});
  table.data = cells.data();
  table.fingerprint = Scan(table, Context{}).fingerprint;
  FeatureMatrix const features(table);
  EXPECT_NO_THROW(ColumnBlocks::Build(features, Context{}));
  cells[3] = 5;
  ExpectError<DataError>([&] { ColumnBlocks::Build(features, Context{}); }, {"changed after the DMatrix was made"});
}

TEST(ColumnSorter, SortsInfinitiesToTheEnds) {
  std::vector<float> values{1, kInf, -kInf, 0};
  std::vector<std::uint32_t> rows{0, 1, 2, 3};
  ColumnSorter().Sort(values, rows);
  EXPECT_EQ(values, (std::vector<float>{-kInf, 0, 1, kInf}));
  EXPECT_EQ(rows, (std::vector<std::uint32_t>{2, 3, 0, 1}));
}

TEST(ColumnBlocks, ColumnsOfOneValueShareIt) {
  SparseRows cells;
  cells.columns = 3;
  for (std::uint32_t row = 0; row < 150'000; ++row) {  // columns 0 and 1 of ones and twos, 2 of all kinds of values
    cells.column.push_back(row % 2);
    cells.value.push_back(row % 2 == 0 ? 1.0F : 2.0F);
    if (row % 10 == 0) {
      cells.column.push_back(2);
      cells.value.push_back(static_cast<float>(row));
    }
    cells.row_begin.push_back(cells.column.size());
  }
  ColumnBlocks const blocks = ColumnBlocks::Build(FeatureMatrix(cells), Context{});
  EXPECT_TRUE(blocks.HasOneValue(0) && blocks.HasOneValue(1) && !blocks.HasOneValue(2));
  EXPECT_EQ(blocks.BlockCount(1), 2U);
  auto const last = blocks.GetBlock(1, 1);
  EXPECT_EQ(last.values.size(), 75'000U - ColumnBlocks::kBlockCells);
  EXPECT_EQ(last.rows[last.rows.size() - 1], 149'999U);
  for (float const value : last.values) EXPECT_EQ(value, 2.0F);
  auto const mixed = blocks.GetBlock(2, 0);
  for (std::size_t i = 0; i < mixed.values.size(); ++i) EXPECT_EQ(mixed.values[i], static_cast<float>(mixed.rows[i]));
}

}  // namespace
}  // namespace xgbl
