// SPDX-License-Identifier: Apache-2.0
// Binning with given cuts: dense tables in row and in column order, sparse rows, one-hot rows with their bundling, and
// regrouping into fewer bins. Items are cells.
#include "bins/binned_matrix_builder.h"

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "ingest/rows_of.h"
#include "simd/level.h"

namespace xgbl {
namespace {

Random const kRandom(7, Purpose::kRows, 0);

Context WithThreads(std::int64_t threads) {
  Context ctx;
  ctx.threads = static_cast<int>(threads);
  ctx.simd = DefaultSimd();
  return ctx;
}

DenseTable MakeTable(std::size_t rows, std::size_t columns, double missing, bool by_column) {
  float* cells = nullptr;
  DenseTable table = NewTable(rows, columns, &cells);
  for (std::size_t i = 0; i < rows * columns; ++i) {
    cells[i] = kRandom.Uniform(i + rows * columns) < missing ? kMissing : static_cast<float>(kRandom.Uniform(i));
  }
  if (by_column) {
    table.row_stride = 1;
    table.column_stride = static_cast<std::ptrdiff_t>(rows);
  }
  return table;
}

// Cuts that share out [0, 1) evenly.
std::shared_ptr<Cuts const> EvenCuts(std::size_t columns, std::uint32_t bins) {
  auto cuts = std::make_shared<Cuts>();
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::uint32_t b = 1; b <= bins; ++b) cuts->upper.push_back(static_cast<float>(b) / static_cast<float>(bins));
    cuts->begin.push_back(static_cast<std::uint32_t>(cuts->upper.size()));
    cuts->lowest.push_back(0);
    cuts->categorical.push_back(0);
  }
  return cuts;
}

void BinAgain(benchmark::State& state, FeatureMatrix const& features, std::uint32_t bins, std::int64_t threads) {
  auto const cuts = EvenCuts(features.Columns(), bins);
  auto const present = PresentOf(features);
  std::size_t cells = 0;
  for (std::size_t const count : present) cells += count;
  Context const ctx = WithThreads(threads);
  std::size_t slots = 0;
  for (auto _ : state) slots = BinMatrix(features, cuts, present, ctx)->Layout().slots.size();
  state.counters["slots"] = static_cast<double>(slots);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(cells));
}

void Dense(benchmark::State& state) {
  auto const rows = static_cast<std::size_t>(state.range(0)), columns = static_cast<std::size_t>(state.range(1));
  double const missing = static_cast<double>(state.range(3)) / 100;
  BinAgain(state, FeatureMatrix(MakeTable(rows, columns, missing, state.range(4) != 0)),
           static_cast<std::uint32_t>(state.range(2)), state.range(5));
}
BENCHMARK(Dense)
    ->ArgNames({"rows", "columns", "bins", "missing", "by_column", "threads"})
    ->Args({1000000, 28, 256, 0, 0, 1})
    ->Args({1000000, 28, 256, 0, 0, 2})
    ->Args({1000000, 28, 255, 30, 0, 1})
    ->Args({1000000, 28, 256, 0, 1, 1})
    ->Args({1000000, 28, 1024, 0, 0, 1})
    ->Args({1000000, 28, 1, 0, 0, 1})
    ->Args({50000, 2000, 256, 0, 0, 1})
    ->Args({1000, 20, 256, 0, 0, 1})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void Sparse(benchmark::State& state) {
  auto const rows = static_cast<std::size_t>(state.range(0)), columns = static_cast<std::size_t>(state.range(1));
  double const missing = static_cast<double>(state.range(2)) / 100;
  BinAgain(state, FeatureMatrix(RowsOf(FeatureMatrix(MakeTable(rows, columns, missing, false)))), 255, state.range(3));
}
BENCHMARK(Sparse)
    ->ArgNames({"rows", "columns", "missing", "threads"})
    ->Args({1000000, 28, 30, 1})
    ->Args({100000, 1000, 95, 1})
    ->Args({100000, 1000, 95, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// Groups of a hundred indicators each, one of which is present in every row.
void OneHot(benchmark::State& state) {
  auto const rows = static_cast<std::size_t>(state.range(0)), groups = static_cast<std::size_t>(state.range(1));
  SparseRows out;
  out.columns = 100 * groups;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t group = 0; group < groups; ++group) {
      out.column.push_back(static_cast<std::uint32_t>(100 * group + kRandom.Bits(row * groups + group) % 100));
      out.value.push_back(1);
    }
    out.row_begin.push_back(out.column.size());
  }
  BinAgain(state, FeatureMatrix(std::move(out)), 1, state.range(2));
}
BENCHMARK(OneHot)
    ->ArgNames({"rows", "groups", "threads"})
    ->Args({200000, 20, 1})
    ->Args({1000000, 40, 1})
    ->Args({1000000, 40, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void Regrouping(benchmark::State& state) {
  FeatureMatrix const features(MakeTable(1000000, 28, 0, false));
  Context const ctx = WithThreads(state.range(1));
  auto const fine = BinMatrix(features, EvenCuts(28, static_cast<std::uint32_t>(state.range(0))),
                              std::vector<std::size_t>(28, 1000000), ctx);
  auto const coarse = EvenCuts(28, 64);
  for (auto _ : state) benchmark::DoNotOptimize(Regroup(*fine, coarse, ctx));
  state.SetItemsProcessed(state.iterations() * 28000000);
}
BENCHMARK(Regrouping)
    ->ArgNames({"fine", "threads"})
    ->Args({256, 1})
    ->Args({1024, 1})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace xgbl
