// SPDX-License-Identifier: Apache-2.0
#include "ingest/fingerprint.h"

#include "ingest/matrices.h"

namespace xgbl {
namespace {

std::vector<float> Numbers(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
  return values;
}

// A view of `cells` by rows or by columns, or of every second cell.
DenseTable View(std::vector<float>& cells, std::size_t rows, std::size_t columns, std::ptrdiff_t gap = 1) {
  DenseTable table;
  table.data = cells.data();
  table.rows = rows;
  table.columns = columns;
  table.row_stride = static_cast<std::ptrdiff_t>(columns) * gap;
  table.column_stride = gap;
  return table;
}

std::uint64_t Of(DenseTable const& table, int threads = 1) { return Scan(table, Threads(threads)).fingerprint; }

TEST(Fingerprint, ChangesWithEveryCell) {
  std::vector<float> cells = Numbers(50 * 37 * 2);
  for (DenseTable const& table : {View(cells, 50, 37), View(cells, 50, 37, 2), View(cells, 1, 1850)}) {
    std::uint64_t const before = Of(table);
    for (std::size_t i = 0; i < 1850; ++i) {
      float& cell = cells[i * static_cast<std::size_t>(table.column_stride)];
      float const old = std::exchange(cell, cell + 0.5F);
      ASSERT_NE(Of(table), before) << i;
      cell = old;
    }
    EXPECT_EQ(Of(table), before);
  }
}

TEST(Fingerprint, ChangesWhenCellsTradePlaces) {
  std::vector<float> cells = Numbers(4096);
  std::uint64_t const before = Of(View(cells, 4, 1024));
  for (auto const& [a, b] : std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {0, 2}, {3, 19}, {5, 1029}}) {
    std::swap(cells[a], cells[b]);
    EXPECT_NE(Of(View(cells, 4, 1024)), before) << a << " and " << b;
    std::swap(cells[a], cells[b]);
  }
}

TEST(Fingerprint, DoesNotDependOnThreads) {
  std::vector<float> cells = Numbers(100000 * 7);
  for (int const threads : {2, 3, 7}) EXPECT_EQ(Of(View(cells, 100000, 7), threads), Of(View(cells, 100000, 7)));
}

TEST(Fingerprint, FindsInfinityUnlessItIsMissing) {
  std::vector<float> cells = Numbers(33);
  EXPECT_FALSE(Scan(View(cells, 1, 33), Context{}).has_infinity);
  cells[32] = -kInf;
  DenseTable table = View(cells, 1, 33);
  EXPECT_TRUE(Scan(table, Context{}).has_infinity);
  table.missing = -kInf;
  EXPECT_FALSE(Scan(table, Context{}).has_infinity);
  cells = {kNan, std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()};
  EXPECT_FALSE(Scan(View(cells, 3, 1), Context{}).has_infinity);
}

TEST(Fingerprint, TellsThatTheUsersArrayWasChanged) {
  std::vector<float> cells = Numbers(12);
  DenseTable table = View(cells, 3, 4);
  table.fingerprint = Of(table);
  EXPECT_NO_THROW(CheckUnchanged(FeatureMatrix(table), Context{}));
  cells[7] = 0;
  ExpectError<DataError>([&] { CheckUnchanged(FeatureMatrix(table), Context{}); },
                         {"changed after the DMatrix was made", "pass a copy"});
  table.fingerprint.reset();
  EXPECT_NO_THROW(CheckUnchanged(FeatureMatrix(table), Context{}));
}

}  // namespace
}  // namespace xgbl
