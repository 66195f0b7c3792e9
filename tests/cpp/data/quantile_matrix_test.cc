// SPDX-License-Identifier: Apache-2.0
#include "data/quantile_matrix.h"

#include "bins/bins.h"
#include "ingest/fingerprint.h"

namespace xgbl {
namespace {

Random const kRandom(6, Purpose::kRows, 0);

FeatureMatrix Table(std::size_t rows, std::size_t columns) {
  std::vector<float> cells(rows * columns);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = kRandom.Uniform(i + cells.size()) < 0.2 ? kNan : static_cast<float>(kRandom.Uniform(i) * 100);
  }
  return FeatureMatrix(TableOf(rows, columns, cells));
}

FeatureMatrix Part(FeatureMatrix const& table, std::size_t first, std::size_t count) {
  DenseTable part = *table.Dense();
  part.data += first * part.columns;
  part.rows = count;
  return FeatureMatrix(part);
}

void PushAll(QuantileMatrixBuilder* builder, FeatureMatrix const& table, std::size_t batch) {
  do {
    for (std::size_t first = 0; first < table.Rows(); first += batch) {
      builder->Push(Part(table, first, std::min(batch, table.Rows() - first)), {}, Threads(2));
    }
  } while (builder->EndPass(Threads(2)));
}

void ExpectSameBins(DMatrix const& a, DMatrix const& b) {
  BinnedMatrix const &bins = *a.Quantised(), &other = *b.Quantised();
  EXPECT_EQ(bins.GetCuts(), other.GetCuts());
  ASSERT_EQ(a.Rows(), b.Rows());
  for (std::size_t row = 0; row < a.Rows(); ++row) {
    for (std::size_t f = 0; f < a.Columns(); ++f) ASSERT_EQ(bins.BinOf(row, f), other.BinOf(row, f));
  }
}

TEST(QuantileMatrix, BatchesGiveWhatTheWholeGives) {
  FeatureMatrix const table = Table(135000, 3);
  DMatrix const whole(table, {});
  QuantileMatrixBuilder builder(std::vector<std::uint8_t>(3), 64);
  PushAll(&builder, table, 40001);
  auto const matrix = builder.Finish({});
  ExpectSameBins(*matrix, *Quantise(whole, 64, nullptr, Threads(1)));
  EXPECT_EQ(matrix->Present(), whole.Present());
  EXPECT_EQ(matrix->QuantisedWith(), 64);
}

TEST(QuantileMatrix, TakesTheCutsOfAReference) {
  DMatrix const train(Table(4000, 3), {}), other(Table(900, 3), {});
  auto const whole = Quantise(other, 32, &train, Threads(2));
  QuantileMatrixBuilder builder(*Quantise(train, 32, nullptr, Threads(1)), 32, Threads(1));
  PushAll(&builder, other.Features(), 250);
  ExpectSameBins(*whole, *builder.Finish({}));
  EXPECT_EQ(whole->Binned(Threads(1), 32)->GetCuts(), train.Binned(Threads(1), 32)->GetCuts());
  ExpectBins(*whole->Quantised(), other.Features());
}

TEST(QuantileMatrix, EdgeShapes) {
  for (FeatureMatrix const& table :
       {Table(0, 2), Table(1, 2), Table(5, 1), Table(3, 0), FeatureMatrix(TableOf(4, 1, {kNan, kNan, kNan, kNan}))}) {
    QuantileMatrixBuilder builder(std::vector<std::uint8_t>(table.Columns()), 16);
    PushAll(&builder, table, 2);
    auto const matrix = builder.Finish({});
    ExpectBins(*matrix->Quantised(), table);
    ExpectSameBins(*matrix, *Quantise(DMatrix(table, {}), 16, nullptr, Threads(1)));
  }
}

TEST(QuantileMatrix, ReadsAsValuesOfTheSameBins) {
  FeatureMatrix const table = Table(500, 4);
  auto const matrix = Quantise(DMatrix(table, {}), 16, nullptr, Threads(1));
  FeatureMatrix const& features = matrix->Features();
  Cuts const& cuts = matrix->Quantised()->GetCuts();
  auto const cells = CellsOf(features);  // by ForEachPresent
  for (std::size_t i = 0; i < cells.size(); ++i) {
    float const original = table.Value(i / 4, i % 4), value = features.Value(i / 4, i % 4);
    ASSERT_EQ(std::isnan(value), std::isnan(original));
    ASSERT_EQ(std::isnan(cells[i]), std::isnan(original));
    if (std::isnan(value)) continue;
    EXPECT_EQ(cells[i], value);
    EXPECT_EQ(cuts.BinOf(i % 4, value), cuts.BinOf(i % 4, original));
  }
}

TEST(QuantileMatrix, ListsTheCellsOfARowByRisingColumn) {
  std::vector<float> cells(2000 * 100, kNan);  // one-hot and another group, so that there are bundles
  for (std::size_t row = 0; row < 2000; ++row) cells[row * 100 + row % 50] = cells[row * 100 + 50 + row % 37] = 1;
  auto const matrix = Quantise(DMatrix(FeatureMatrix(TableOf(2000, 100, cells)), {}), 16, nullptr, Threads(1));
  EXPECT_LT(matrix->Quantised()->Layout().slots.size(), 10U);
  for (std::size_t row = 0; row < 2000; ++row) {
    std::vector<std::size_t> columns;
    matrix->Features().ForEachPresent(row, [&](std::size_t column, float) { columns.push_back(column); });
    EXPECT_EQ(columns, (std::vector<std::size_t>{row % 50, 50 + row % 37}));
  }
}

TEST(QuantileMatrix, RefusesWhatNeedsValues) {
  auto const matrix = Quantise(DMatrix(Table(50, 2), {}), 16, nullptr, Threads(1));
  TestFolder const folder;
  ExpectError<DataError>([&] { matrix->Sorted(Threads(1)); }, {"Exact", "QuantileDMatrix"});
  ExpectError<DataError>([&] { matrix->Slice(std::vector<std::size_t>{0}, false); }, {"slice", "QuantileDMatrix"});
  ExpectError<DataError>([&] { SaveBinary(*matrix, folder.At("m")); }, {"binary file", "QuantileDMatrix"});
  ExpectError<ParamError>([&] { matrix->Binned(Threads(1), 32); }, {"`max_bin`", "32", "16"});
  EXPECT_NO_THROW(CheckUnchanged(matrix->Features(), Threads(1)));
}

TEST(QuantileMatrix, RefusesBatchesThatChange) {
  FeatureMatrix const table = Table(100, 2);
  auto const started = [&] {
    QuantileMatrixBuilder builder(std::vector<std::uint8_t>(2), 16);
    do builder.Push(table, {}, Threads(1));
    while (builder.EndPass(Threads(1)));
    return builder;
  };
  auto fresh = QuantileMatrixBuilder(std::vector<std::uint8_t>(2), 16);
  ExpectError<DataError>([&] { fresh.Push(Table(5, 3), {}, Threads(1)); }, {"3 columns", "2"});
  ExpectError<DataError>([&] { fresh.Push(table, std::vector<float>{1}, Threads(1)); }, {"`weight`", "100 rows"});
  auto more = started();
  ExpectError<DataError>([&] { more.Push(table, {}, Threads(1)); }, {"after the last pass"});
}

}  // namespace
}  // namespace xgbl
