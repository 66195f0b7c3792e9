// SPDX-License-Identifier: Apache-2.0
#include "cuts/cut_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ingest/matrices.h"

namespace xgbl {
namespace {

constexpr std::size_t kRows = 100000;

DenseTable RowNumbers() {
  std::vector<float> cells(2 * kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    cells[2 * i] = static_cast<float>(i);
    cells[2 * i + 1] = i % 3 == 0 ? kNan : 1;
  }
  return TableOf(kRows, 2, cells);
}

DenseTable Part(DenseTable table, std::size_t begin, std::size_t end) {
  table.data += begin * table.columns;
  table.rows = end - begin;
  return table;
}

std::vector<std::size_t> Indices(CutSample const& sample) {
  std::vector<std::size_t> rows;
  for (CutSample::Row const& row : sample.Rows()) rows.push_back(row.rank.row);
  return rows;
}

CutSample Whole(DenseTable const& table, std::vector<float> const& weights, std::size_t rows, int threads = 1) {
  CutSample sample(2 * rows, rows);
  sample.Push({FeatureMatrix(table), weights, 0}, Threads(threads));
  sample.Finish(2, Threads(threads));
  return sample;
}

TEST(CutSample, IsEverythingAsLongAsTheRowsAreFew) {
  auto const table = Part(RowNumbers(), 0, 200);
  CutSample const all = Whole(table, {}, 100);
  EXPECT_TRUE(all.Complete());
  ExpectSameCells(CellsOf(all.Cells()), CellsOf(FeatureMatrix(table)));
  CutSample const some = Whole(Part(RowNumbers(), 0, 201), {}, 100);
  EXPECT_FALSE(some.Complete());
  EXPECT_EQ(some.Rows().size(), 100U);
}

TEST(CutSample, HasTheCellsOfItsRowsInOrder) {
  CutSample const sample = Whole(RowNumbers(), {}, 1000, 3);
  auto const rows = Indices(sample);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(sample.Cells().Value(i, 0), static_cast<float>(rows[i]));
}

TEST(CutSample, DoesNotDependOnPiecesOrShape) {
  DenseTable const table = RowNumbers();
  auto const expected = Whole(table, {}, 3000);
  CutSample sample(6000, 3000);
  for (std::size_t begin = 0, step = 1; begin < kRows; step *= 3) {
    std::size_t const end = std::min(kRows, begin + step);
    FeatureMatrix const piece(Part(table, begin, end));
    sample.Push({step % 2 == 0 ? piece : FeatureMatrix(RowsOf(piece)), {}, begin}, Threads(2));
    begin = end;
  }
  sample.Finish(2, Threads(2));
  EXPECT_EQ(Indices(sample), Indices(expected));
  ExpectSameCells(CellsOf(sample.Cells()), CellsOf(expected.Cells()));
  EXPECT_EQ(sample.FirstDropped().row, expected.FirstDropped().row);
}

TEST(CutSample, PrefersHeavyRowsAndKeepsTheHeaviest) {
  std::vector<float> weights(kRows, 1);
  for (std::size_t i = 0; i < kRows; i += 2) weights[i] = 9;
  weights[4711] = 1e30F;
  auto const rows = Indices(Whole(RowNumbers(), weights, 2000));
  EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), 4711U));
  auto const heavy = std::count_if(rows.begin(), rows.end(), [](std::size_t row) { return row % 2 == 0; });
  EXPECT_NEAR(static_cast<double>(heavy), 0.9 * 2000, 100);
}

TEST(CutSample, RowsOfNoWeightComeLastAndAreDrawnAtRandom) {
  std::vector<float> weights(kRows, 0);
  for (std::size_t i = 0; i < 10; ++i) weights[7 * i] = 1e-38F;
  auto const rows = Indices(Whole(RowNumbers(), weights, 1000));
  for (std::size_t i = 0; i < 10; ++i) EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), 7 * i)) << i;
  EXPECT_GT(rows.back(), kRows * 9 / 10);
}

}  // namespace
}  // namespace xgbl
