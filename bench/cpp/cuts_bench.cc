// SPDX-License-Identifier: Apache-2.0
// The search of bins by number of bins and instruction set, and all passes of making cuts. Items are cells: the inverse
// of items/s is the time per cell.
#include "cuts/cut_builder.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "simd/bin_kernels.h"
#include "simd/level.h"

namespace xgbl {
namespace {

Random const kRandom(7, Purpose::kRows, 0);

void BinSearch(benchmark::State& state, SimdLevel level) {
  Context ctx;
  ctx.simd = level;
  auto const bins = static_cast<std::size_t>(state.range(0));
  std::vector<float> values(2048), upper(bins);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(kRandom.Uniform(i));
  for (std::size_t i = 0; i < bins; ++i) upper[i] = static_cast<float>(i + 1) / static_cast<float>(bins);
  std::vector<std::uint16_t> codes(values.size());
  for (auto _ : state) {
    BinKernels::Of(ctx.simd).bins_of(values.data(), values.size(), upper.data(), bins, codes.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values.size()));
}

enum Kind : std::int64_t { kUniform, kMissing30, kMostlyZero, kIntegers, kConstant };

float ValueOf(Kind kind, std::size_t cell) {
  double const uniform = kRandom.Uniform(cell);
  switch (kind) {
    case kMissing30:
      return uniform < 0.3 ? kMissing : static_cast<float>(uniform);
    case kMostlyZero:
      return uniform < 0.99 ? 0.0F : static_cast<float>(uniform);
    case kIntegers:
      return static_cast<float>(std::floor(1 / (uniform + 1e-3)));
    case kConstant:
      return 1;
    default:
      return static_cast<float>(uniform);
  }
}

void Make(benchmark::State& state, FeatureMatrix const& features, std::size_t cells, bool weighted,
          std::int64_t threads) {
  Context ctx;
  ctx.threads = static_cast<int>(threads);
  ctx.simd = DefaultSimd();
  std::vector<float> const weights(weighted ? features.Rows() : 0, 2.5F);
  for (auto _ : state) {
    CutBuilder builder(features.Columns(), {}, 256);
    builder.PushAll(features, weights, ctx);
    benchmark::DoNotOptimize(builder.Finish());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(cells));
}

void DenseCuts(benchmark::State& state) {
  auto const rows = static_cast<std::size_t>(state.range(0)), columns = static_cast<std::size_t>(state.range(1));
  float* cells = nullptr;
  DenseTable const table = NewTable(rows, columns, &cells);
  for (std::size_t i = 0; i < rows * columns; ++i) cells[i] = ValueOf(static_cast<Kind>(state.range(2)), i);
  Make(state, FeatureMatrix(table), rows * columns, state.range(3) != 0, state.range(4));
}
BENCHMARK(DenseCuts)
    ->ArgNames({"rows", "columns", "kind", "weighted", "threads"})
    ->Args({1000000, 28, kUniform, 0, 1})
    ->Args({1000000, 28, kUniform, 0, 2})
    ->Args({1000000, 28, kUniform, 1, 1})
    ->Args({1000000, 28, kMissing30, 0, 1})
    ->Args({1000000, 28, kMostlyZero, 0, 1})
    ->Args({1000000, 28, kIntegers, 0, 1})
    ->Args({1000000, 28, kConstant, 0, 1})
    ->Args({10000, 28, kUniform, 0, 1})
    ->Args({1000, 20, kUniform, 0, 1})
    ->Args({50000, 2000, kUniform, 0, 1})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// One-hot: every so many columns, one is 1.
void SparseCuts(benchmark::State& state) {
  auto const count = static_cast<std::size_t>(state.range(0)), columns = static_cast<std::size_t>(state.range(1));
  auto const present = static_cast<std::size_t>(state.range(2));
  SparseRows rows;
  rows.columns = columns;
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t k = 0; k < present; ++k) {
      std::size_t const width = columns / present, cell = row * present + k;
      rows.column.push_back(static_cast<std::uint32_t>(k * width + kRandom.Bits(cell) % width));
      rows.value.push_back(state.range(3) != 0 ? 1 : static_cast<float>(kRandom.Uniform(~cell)));
    }
    rows.row_begin.push_back(rows.column.size());
  }
  Make(state, FeatureMatrix(std::move(rows)), count * present, false, state.range(4));
}
BENCHMARK(SparseCuts)
    ->ArgNames({"rows", "columns", "present", "ones", "threads"})
    ->Args({1000000, 4000, 40, 1, 1})
    ->Args({1000000, 4000, 40, 1, 2})
    ->Args({300000, 17000, 40, 0, 1})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

int RegisterAll() {
  for (SimdLevel const level : AvailableSimd()) {
    auto* const bench = benchmark::RegisterBenchmark(("BinSearch/" + SimdName(level)).c_str(), BinSearch, level);
    for (std::int64_t const bins : {2, 16, 64, 256, 1025, 16000}) bench->Arg(bins);
  }
  return 0;
}

int const kRegistered = RegisterAll();

}  // namespace
}  // namespace xgbl
