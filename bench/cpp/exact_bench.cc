// SPDX-License-Identifier: Apache-2.0
// Fits with exact split search on generated tables through the engine alone, so that `perf` sees nothing else:
//   perf record -g build/profile/bench/cpp/exact_bench --benchmark_filter=Fit/dense/rows:1000000/threads:1
// A fit is what a user waits for: the matrix, its sorted columns, and ten rounds of depth 6.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"
#include "base/random.h"
#include "boost/booster.h"
#include "data/dmatrix.h"

namespace xgbl {
namespace {

constexpr int kRounds = 10;
constexpr std::size_t kColumns = 28;
constexpr std::size_t kGroups = 20;         // one-hot groups of the sparse table
constexpr std::uint32_t kCategories = 100;  // columns per group
constexpr std::uint64_t kSeed = 2016;

enum Stream : std::uint64_t { kValues, kHoles, kNoise };

Random Draws(Stream stream) { return {kSeed, Purpose::kRows, stream}; }

FeatureMatrix DenseFeatures(std::size_t rows, double missing) {
  float* cells = nullptr;
  DenseTable table = NewTable(rows, kColumns, &cells);
  Random const value = Draws(kValues), hole = Draws(kHoles);
  for (std::size_t i = 0; i < rows * kColumns; ++i) {
    cells[i] = hole.Uniform(i) < missing ? kMissing : static_cast<float>(value.Uniform(i));
  }
  return FeatureMatrix(std::move(table));
}

FeatureMatrix Dense(std::size_t rows) { return DenseFeatures(rows, 0.0); }
FeatureMatrix ThirdMissing(std::size_t rows) { return DenseFeatures(rows, 0.3); }

FeatureMatrix OneHot(std::size_t rows) {
  SparseRows out;
  out.columns = kGroups * kCategories;
  out.value.assign(rows * kGroups, 1.0F);
  Random const draw = Draws(kValues);
  for (std::size_t i = 0; i < rows * kGroups; ++i) {
    auto const group = static_cast<std::uint32_t>(i % kGroups);
    out.column.push_back(group * kCategories + static_cast<std::uint32_t>(draw.Uniform(i) * kCategories));
  }
  for (std::size_t row = 1; row <= rows; ++row) out.row_begin.push_back(row * kGroups);
  return FeatureMatrix(std::move(out));
}

// A target that a few columns decide, so that trees grow to their full depth.
Meta Labels(FeatureMatrix const& features) {
  Meta meta;
  meta.labels = Matrix<float>(features.Rows(), 1);
  Random const noise = Draws(kNoise);
  for (std::size_t row = 0; row < features.Rows(); ++row) {
    double score = noise.Uniform(row);
    features.ForEachPresent(row, [&](std::size_t column, float value) {
      score += static_cast<double>(value) * (column % 3 == 0 ? 0.5 : column % 3 == 1 ? -0.5 : 0.0);
    });
    meta.labels.values[row] = score > 0.5 ? 1.0F : 0.0F;
  }
  return meta;
}

void Fit(benchmark::State& state, FeatureMatrix (*make)(std::size_t)) {
  auto const [rows, threads] = ArgumentsOf<2>(state);
  FeatureMatrix const features = make(static_cast<std::size_t>(rows));
  Meta const meta = Labels(features);
  Booster::Pairs const params{
      {"objective", "binary:logistic"}, {"tree_method", "exact"}, {"nthread", std::to_string(threads)}};
  for (auto _ : state) {
    auto const train = std::make_shared<DMatrix const>(features, meta);
    Booster booster;
    booster.SetParams(params);
    for (int round = 0; round < kRounds; ++round) booster.Update(train);
    benchmark::DoNotOptimize(booster);
  }
  state.SetItemsProcessed(state.iterations() * rows * kRounds);
}

void Sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"rows", "threads"})->ArgsProduct({{100'000, 1'000'000}, {1, 2}});
  bench->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK_CAPTURE(Fit, dense, Dense)->Apply(Sizes);
BENCHMARK_CAPTURE(Fit, third_missing, ThirdMissing)->Apply(Sizes);
BENCHMARK_CAPTURE(Fit, one_hot, OneHot)->Apply(Sizes);

}  // namespace
}  // namespace xgbl
