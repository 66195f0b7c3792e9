// SPDX-License-Identifier: Apache-2.0
#include "data/dmatrix.h"

#include <thread>

#include "ingest/fingerprint.h"
#include "ingest/matrices.h"

namespace xgbl {
namespace {

FeatureMatrix Dense() { return FeatureMatrix(TableOf(3, 2, {1, kNan, 3, 4, kNan, 6})); }
FeatureMatrix Sparse() { return FeatureMatrix(RowsOf(Dense())); }

Meta Labelled(std::size_t rows) {
  Meta meta;
  meta.labels = Matrix<float>(rows, 1, 1.0F);
  meta.feature_names = {"a", "b"};
  return meta;
}

TEST(DMatrix, CountsPresentCells) {
  EXPECT_EQ(DMatrix(Dense(), {}).Present(), 4U);
  EXPECT_EQ(DMatrix(Sparse(), {}).Present(), 4U);
  EXPECT_EQ(DMatrix(FeatureMatrix(), {}).Present(), 0U);
}

TEST(DMatrix, ChecksInfoAndKeepsTheOldOneWhenRefusing) {
  EXPECT_THROW(DMatrix(Dense(), Labelled(4)), DataError);
  DMatrix matrix(Dense(), Labelled(3));
  auto const version = matrix.InfoVersion();
  EXPECT_THROW(matrix.SetInfo(Labelled(2)), DataError);
  EXPECT_EQ(matrix.Info().labels.rows, 3U);
  EXPECT_EQ(matrix.InfoVersion(), version);
  matrix.SetInfo({});
  EXPECT_GT(matrix.InfoVersion(), version);
}

TEST(DMatrix, BuildsSortedColumnsOnceForAllThreads) {
  DMatrix const matrix(Dense(), {});
  std::vector<ColumnBlocks const*> seen(4);
  std::vector<std::thread> threads;
  for (auto& view : seen) threads.emplace_back([&matrix, &view] { view = matrix.Sorted(Context{}).get(); });
  for (auto& thread : threads) thread.join();
  for (auto const* view : seen) EXPECT_EQ(view, seen[0]);
  EXPECT_EQ(seen[0]->Present(1), 2U);
}

TEST(DMatrix, KeepsBinsUntilWeightsOrTypesChange) {
  DMatrix matrix(FeatureMatrix(TableOf(4, 1, {0, 1, 2, 3})), {});
  auto const bins = matrix.Binned(Context{}, 2);
  EXPECT_EQ(matrix.Binned(Context{}, 2), bins);
  EXPECT_NE(matrix.Binned(Context{}, 3), bins);
  Meta meta = matrix.Info();
  meta.labels = Matrix<float>(4, 1, 1.0F);
  matrix.SetInfo(meta);
  EXPECT_EQ(matrix.Binned(Context{}, 2), bins);
  meta.weights = {1, 30, 1, 1};
  matrix.SetInfo(meta);
  EXPECT_NE(matrix.Binned(Context{}, 2)->GetCuts().upper, bins->GetCuts().upper);
  meta.feature_types = {"c"};
  matrix.SetInfo(meta);
  EXPECT_EQ(matrix.Binned(Context{}, 2)->GetCuts().Bins(0), 4U);
}

TEST(DMatrix, WeightsOfQueryGroupsCountForTheirRows) {
  FeatureMatrix const features(TableOf(6, 1, {0, 1, 2, 3, 4, 5}));
  Meta by_row, by_group;
  by_row.weights = {30, 30, 30, 1, 1, 1};
  by_group.group_begin = {0, 3, 6};
  by_group.weights = {30, 1};
  DMatrix const rows(features, by_row), groups(features, by_group);
  EXPECT_EQ(rows.Binned(Context{}, 2)->GetCuts(), groups.Binned(Context{}, 2)->GetCuts());
  EXPECT_FALSE(rows.Binned(Context{}, 2)->GetCuts() == DMatrix(features, {}).Binned(Context{}, 2)->GetCuts());
}

TEST(DMatrix, SliceKeepsTheShapeAndPicksRows) {
  for (FeatureMatrix const& features : {Dense(), Sparse()}) {
    DMatrix const matrix(features, Labelled(3));
    auto const slice = matrix.Slice(std::vector<std::size_t>{2, 0, 2}, false);
    EXPECT_EQ(slice->Features().Dense() != nullptr, features.Dense() != nullptr);
    ExpectSameCells(CellsOf(slice->Features()), {kNan, 6, 1, kNan, kNan, 6});
    EXPECT_EQ(slice->Info().labels.rows, 3U);
    EXPECT_EQ(slice->Info().feature_names, matrix.Info().feature_names);
  }
}

TEST(DMatrix, SliceMayBeEmptyButNotBeyondTheRows) {
  for (FeatureMatrix const& features : {Dense(), Sparse()}) {
    DMatrix const matrix(features, Labelled(3));
    auto const empty = matrix.Slice({}, false);
    EXPECT_EQ(empty->Rows(), 0U);
    EXPECT_EQ(empty->Columns(), 2U);
    ExpectError<DataError>([&] { matrix.Slice(std::vector<std::size_t>{3}, false); }, {"Row 3", "has 3 rows"});
  }
}

TEST(DMatrix, RowsThatAreReferredToAreLikeASlice) {
  std::vector<std::size_t> const some{2, 0, 2}, fewer{1, 2};
  for (FeatureMatrix const& features : {Dense(), Sparse()}) {
    DMatrix const matrix(features, Labelled(3));
    auto const slice = matrix.Slice(some, false), referring = matrix.Refer(some, false);
    EXPECT_EQ(referring->Rows(), 3U);
    EXPECT_EQ(referring->Present(), slice->Present());
    EXPECT_EQ(referring->Info().labels.values, slice->Info().labels.values);
    EXPECT_EQ(referring->Binned(Context{}, 4)->GetCuts(), slice->Binned(Context{}, 4)->GetCuts());
    ExpectSameCells(CellsOf(referring->Slice(fewer, false)->Features()), {1, kNan, kNan, 6});
    ExpectSameCells(CellsOf(referring->Refer(fewer, false)->Features()), {1, kNan, kNan, 6});
    ExpectSameCells(CellsOf(referring->PassingFeatures()), CellsOf(slice->Features()));
    ExpectSameCells(CellsOf(referring->Features()), CellsOf(slice->Features()));
    EXPECT_EQ(&referring->Features(), &referring->Features());
    EXPECT_THROW(referring->Refer(std::vector<std::size_t>{3}, false), DataError);
  }
}

TEST(DMatrix, RowsThatAreReferredToMustNotChange) {
  std::vector<float> cells{1, 2};
  DenseTable table = TableOf(2, 1, {});
  table.data = cells.data();
  table.fingerprint = Scan(table, Context{}).fingerprint;
  auto const referring = DMatrix(FeatureMatrix(table), {}).Refer(std::vector<std::size_t>{0}, false);
  cells[1] = 9;
  EXPECT_EQ(referring->Present(), 1U);  // counted where they are
  EXPECT_THROW(referring->Features(), DataError);
}

TEST(DMatrix, SliceRefusesAnArrayThatWasChanged) {
  std::vector<float> cells{1, 2};
  DenseTable table = TableOf(2, 1, {});
  table.data = cells.data();
  table.fingerprint = Scan(table, Context{}).fingerprint;
  DMatrix const matrix(FeatureMatrix(table), {});
  cells[0] = 9;
  EXPECT_THROW(matrix.Slice(std::vector<std::size_t>{0}, false), DataError);
}

}  // namespace
}  // namespace xgbl
