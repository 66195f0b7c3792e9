// SPDX-License-Identifier: Apache-2.0
// Sorted columns: dense tables in row and in column order, with and without missing cells, and sparse rows.
#include "columns/column_blocks.h"

#include <benchmark/benchmark.h>

#include "arguments.h"
#include "base/random.h"
#include "ingest/fingerprint.h"

namespace xgbl {
namespace {

Random const kRandom(7, Purpose::kRows, 0);

enum Order : std::int64_t { kByRow = 0, kByColumn = 1 };

DenseTable MakeTable(std::size_t rows, std::size_t columns, double missing_share, Order order) {
  float* cells = nullptr;
  DenseTable table = NewTable(rows, columns, &cells);
  for (std::size_t i = 0; i < rows * columns; ++i) {
    double const uniform = kRandom.Uniform(i);
    cells[i] = kRandom.Uniform(i + rows * columns) < missing_share ? kMissing : static_cast<float>(uniform * 2 - 1);
  }
  if (order == kByColumn) {
    table.row_stride = 1;
    table.column_stride = static_cast<std::ptrdiff_t>(rows);
  }
  return table;
}

SparseRows MakeRows(std::size_t rows, std::size_t columns, double share) {
  SparseRows out;
  out.columns = columns;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      std::size_t const cell = row * columns + column;
      if (kRandom.Uniform(cell) >= share) continue;
      out.column.push_back(static_cast<std::uint32_t>(column));
      out.value.push_back(static_cast<float>(kRandom.Uniform(~cell)));
    }
    out.row_begin.push_back(out.column.size());
  }
  return out;
}

void BuildAgain(benchmark::State& state, FeatureMatrix const& features, std::int64_t threads) {
  Context ctx;
  ctx.threads = static_cast<int>(threads);
  std::size_t present = 0;
  for (auto _ : state) {
    ColumnBlocks const blocks = ColumnBlocks::Build(features, ctx);
    present = 0;
    for (std::size_t column = 0; column < blocks.Columns(); ++column) present += blocks.Present(column);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(present));
}

void Dense(benchmark::State& state) {
  auto const [rows, columns, missing, order, threads] = ArgumentsOf<5>(state);
  BuildAgain(state,
             FeatureMatrix(MakeTable(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
                                     static_cast<double>(missing) / 100, static_cast<Order>(order))),
             threads);
}
BENCHMARK(Dense)
    ->ArgNames({"rows", "columns", "missing", "order", "threads"})
    ->Args({1000000, 28, 0, kByRow, 1})
    ->Args({1000000, 28, 0, kByRow, 2})
    ->Args({1000000, 28, 30, kByRow, 1})
    ->Args({1000000, 28, 0, kByColumn, 1})
    ->Args({1 << 20, 32, 0, kByRow, 1})
    ->Args({1 << 20, 32, 0, kByColumn, 1})
    ->Args({20000, 2000, 0, kByRow, 1})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void Sparse(benchmark::State& state) {
  auto const [rows, columns, per_million, threads] = ArgumentsOf<4>(state);
  BuildAgain(state,
             FeatureMatrix(MakeRows(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
                                    static_cast<double>(per_million) / 1e6)),
             threads);
}
BENCHMARK(Sparse)
    ->ArgNames({"rows", "columns", "per_million", "threads"})
    ->Args({200000, 2000, 10000, 1})
    ->Args({200000, 2000, 10000, 2})
    ->Args({2000, 100000, 100, 1})
    ->Args({20, 1000000, 100, 1})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void Fingerprint(benchmark::State& state) {
  auto const [order] = ArgumentsOf<1>(state);
  DenseTable const table = MakeTable(1000000, 28, 0, static_cast<Order>(order));
  for (auto _ : state) benchmark::DoNotOptimize(Scan(table, Context{}).fingerprint);
  state.SetBytesProcessed(state.iterations() * 28 * 4000000);
}
BENCHMARK(Fingerprint)->ArgName("order")->Arg(kByRow)->Arg(kByColumn)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace xgbl
