// SPDX-License-Identifier: Apache-2.0
// Prediction, time per row: engines of serving on random trees, by levels, instruction set and share of missing cells;
// and coding alone, by the number of thresholds. A heap of six levels takes 63 loads and 57 operations for 512 rows,
// then about 70 instructions to number and look up the leaves of 64: 0.6 cycles a row. A list is bound by the three
// planes that it moves a split. A heap of bytes takes a permutation, a comparison and a store a row, then about 24
// instructions for the exits of eight. What comes before does not grow with the trees: each of 28 columns is turned and
// coded.
#include <benchmark/benchmark.h>

#include <memory>
#include <utility>
#include <vector>

#include "arguments.h"
#include "base/random.h"
#include "predict/serving.h"
#include "simd/level.h"
#include "simd/serving_kernels.h"

namespace xgbl {
namespace {

constexpr std::size_t kRows = 65536, kColumns = 28, kTrees = 100;

DenseTable MakeRows(bool missing) {
  Random const random(7, Purpose::kRows, 0);
  float* cells = nullptr;
  DenseTable table = NewTable(kRows, kColumns, &cells);
  for (std::size_t i = 0; i < kRows * kColumns; ++i) {
    bool const gone = missing && random.Uniform(2 * i) < 0.2;
    cells[i] = gone ? kMissing : static_cast<float>(random.Uniform(2 * i + 1));
  }
  return table;
}

// Thresholds are one of 200 a feature. The first splits make full levels; those after them go anywhere.
Tree MakeTree(std::uint64_t seed, int levels, int more) {
  Random const random(seed, Purpose::kRows, 1);
  Tree tree;
  std::vector<NodeId> leaves{tree.AddNode(kNoNode)};
  std::size_t const full = (std::size_t{1} << static_cast<unsigned>(levels)) - 1;
  for (std::size_t i = 0; i < full + static_cast<std::size_t>(more); ++i) {
    std::uint64_t const bits = random.Bits(i);
    std::size_t const place = i < full ? 0 : bits % leaves.size();
    auto const feature = static_cast<std::uint32_t>((bits >> 20U) % kColumns);
    NodeId const left =
        tree.Split(leaves[place], feature, static_cast<float>((bits >> 30U) % 200) / 200, (bits >> 50U) % 2 == 0);
    leaves.erase(leaves.begin() + static_cast<std::ptrdiff_t>(place));
    leaves.insert(leaves.end(), {left, left + 1});
  }
  for (std::size_t i = 0; i < tree.Size(); ++i) tree.value[i] = static_cast<float>(random.Uniform(i));
  return tree;
}

Model MakeModel(int levels, int more) {
  Model model;
  model.num_features = kColumns;
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    model.AppendRound({std::make_shared<Tree const>(MakeTree(seed, levels, more))}, {0});
  }
  return model;
}

void Predict(benchmark::State& state) {
  auto const [level, way, levels, more, missing, threads] = ArgumentsOf<6>(state);
  auto const simd = static_cast<SimdLevel>(level);
  if (simd > AvailableSimd().back()) return state.SkipWithError("this machine has no such instructions");
  auto const engine = static_cast<Serving::Engine>(way);
  Serving const serving(MakeModel(static_cast<int>(levels), static_cast<int>(more)));
  FeatureMatrix const features(MakeRows(missing != 0));
  Context ctx;
  ctx.simd = simd;
  ctx.threads = static_cast<int>(threads);
  Matrix<float> margins(kRows, 1);
  for (auto _ : state) serving.AddWith(engine, features, {0, kTrees}, ctx, margins.View());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows * kTrees));  // rows times trees
}
BENCHMARK(Predict)
    ->ArgNames({"simd", "engine", "levels", "more", "missing", "threads"})
    ->ArgsProduct({{2}, {2}, {2, 3, 4, 5, 6}, {0}, {0}, {1}})
    ->ArgsProduct({{0, 1, 2}, {0, 1, 2}, {6}, {0}, {0, 1}, {1}})
    ->ArgsProduct({{0, 1, 2}, {0, 1, 2}, {4}, {240}, {0}, {1}})
    ->ArgsProduct({{2}, {2}, {6}, {0}, {0}, {2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// Few rows: what a call takes, and about how many cycles the rule foresees.
void PredictFew(benchmark::State& state) {
  auto const [level, way, levels, more, few] = ArgumentsOf<5>(state);
  auto const simd = static_cast<SimdLevel>(level);
  if (simd > AvailableSimd().back()) return state.SkipWithError("this machine has no such instructions");
  auto const engine = static_cast<Serving::Engine>(way);
  auto const rows = static_cast<std::size_t>(few);
  Serving const serving(MakeModel(static_cast<int>(levels), static_cast<int>(more)));
  DenseTable table = MakeRows(false);
  table.rows = rows;
  FeatureMatrix const features(table);
  Context ctx;
  ctx.simd = simd;
  Matrix<float> margins(rows, 1);
  for (auto _ : state) serving.AddWith(engine, features, {0, kTrees}, ctx, margins.View());
  state.counters["foreseen"] = serving.PlanOf(engine, rows, {0, kTrees}, ctx).cycles;
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows * kTrees));  // rows times trees
}
BENCHMARK(PredictFew)
    ->ArgNames({"simd", "engine", "levels", "more", "rows"})
    ->ArgsProduct({{0, 1, 2, 3}, {0, 1, 2}, {6}, {0, 190}, {1, 4, 16, 64}})
    ->Unit(benchmark::kMicrosecond);

void Code(benchmark::State& state) {
  auto const [of_edges] = ArgumentsOf<1>(state);
  auto const count = static_cast<std::size_t>(of_edges);
  DenseTable const table = MakeRows(false);
  std::vector<float> edges(count), registers(EdgeTableSize(count));
  for (std::size_t i = 0; i < count; ++i) edges[i] = static_cast<float>(i + 1) / static_cast<float>(count + 1);
  FillEdgeTable(edges.data(), count, registers.data());
  std::vector<std::uint8_t> codes(kRows);
  Context ctx;
  ctx.simd = AvailableSimd().back();
  CodeTask task;
  task.values = table.data;
  task.rows = kRows;
  task.missing = kMissing;
  task.edges = edges.data();
  task.count = count;
  task.table = registers.data();
  task.low = codes.data();
  task.block_bytes = kCodeRows;
  for (auto _ : state) ServingKernels::Of(ctx.simd).code_rows(task);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows));
}
BENCHMARK(Code)->ArgName("edges")->Arg(10)->Arg(200)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace xgbl
