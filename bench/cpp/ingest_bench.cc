// SPDX-License-Identifier: Apache-2.0
// Taking in users' data: dense arrays by type and order, sparse rows and columns, text.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/random.h"
#include "ingest/arrays.h"
#include "ingest/text_reader.h"

namespace xgbl {
namespace {

constexpr std::size_t kRows = 1000000, kColumns = 28;

Context Threads(benchmark::State const& state, int argument) {
  Context ctx;
  ctx.threads = static_cast<int>(state.range(argument));
  return ctx;
}

template <class T, ScalarType kType>
void Dense(benchmark::State& state) {
  std::vector<T> const data(kRows * kColumns, T{3});
  constexpr auto kSize = static_cast<std::ptrdiff_t>(sizeof(T));
  DenseSource source{data.data(), kType,  kRows, kColumns, kSize * static_cast<std::ptrdiff_t>(kColumns),
                     kSize,       nullptr};
  if (state.range(0) == 1) {
    source.row_stride = kSize;
    source.column_stride = kSize * static_cast<std::ptrdiff_t>(kRows);
  }
  Context const ctx = Threads(state, 1);
  for (auto _ : state) benchmark::DoNotOptimize(IngestDense(source, {}, ctx).data);
}

void Arguments(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"by_column", "threads"})->ArgsProduct({{0, 1}, {1, 2}})->UseRealTime();
  bench->Unit(benchmark::kMillisecond);
}
BENCHMARK_TEMPLATE(Dense, float, ScalarType::kFloat32)->Apply(Arguments);
BENCHMARK_TEMPLATE(Dense, double, ScalarType::kFloat64)->Apply(Arguments);
BENCHMARK_TEMPLATE(Dense, std::uint8_t, ScalarType::kUint8)->Apply(Arguments);

void Sparse(benchmark::State& state) {
  constexpr std::int32_t kWidth = 2000, kCells = 20;
  std::vector<std::int32_t> offsets{0}, indices;
  for (std::int32_t line = 0; line < 200000; ++line) {
    for (std::int32_t k = 0; k < kCells; ++k) indices.push_back((line * 7 + k * (kWidth / kCells)) % kWidth);
    std::sort(indices.end() - kCells, indices.end());
    offsets.push_back(static_cast<std::int32_t>(indices.size()));
  }
  std::vector<double> const values(indices.size(), 1.5);
  SparseSource const source{{offsets.data(), offsets.size(), ScalarType::kInt32},
                            {indices.data(), indices.size(), ScalarType::kInt32},
                            {values.data(), values.size(), ScalarType::kFloat64},
                            kWidth};
  Context const ctx = Threads(state, 1);
  for (auto _ : state) {
    SparseTable const rows = state.range(0) == 1 ? IngestCsc(source, {}, ctx) : IngestCsr(source, {}, ctx);
    benchmark::DoNotOptimize(rows.value.data());
  }
}
BENCHMARK(Sparse)->Apply(Arguments);

void Text(benchmark::State& state) {
  bool const csv = state.range(0) == 0;
  Random const random(1, Purpose::kRows, 0);
  std::string text;
  for (std::size_t row = 0; row < 100000; ++row) {
    text += '1';
    for (std::size_t column = 0; column < kColumns; ++column) {
      text += csv ? "," : " " + std::to_string(column) + ":";
      text += std::to_string(random.Uniform(row * kColumns + column));
    }
    text += '\n';
  }
  std::string const path = (std::filesystem::temp_directory_path() / "xgbl_ingest_bench.txt").u8string();
  WriteFileAtomically(path, text);
  TextOptions options;
  if (csv) options.label_column = 0;
  Context const ctx = Threads(state, 1);
  for (auto _ : state) {
    TextData const data = csv ? ReadCsv(path, options, ctx) : ReadLibsvm(path, options, ctx);
    benchmark::DoNotOptimize(data.features.Rows());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  std::filesystem::remove(std::filesystem::u8path(path));
}
BENCHMARK(Text)
    ->ArgNames({"libsvm", "threads"})
    ->ArgsProduct({{0, 1}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace xgbl
