// SPDX-License-Identifier: Apache-2.0
// Shapley values of full trees, by depth: nanoseconds a row and tree.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "arguments.h"
#include "base/random.h"
#include "explain/explain.h"
#include "simd/level.h"

namespace xgbl {
namespace {

constexpr std::size_t kRows = 2000, kColumns = 28, kTrees = 20;

Tree FullTree(std::uint64_t seed, int depth) {
  Random const random(seed, Purpose::kRows, 0);
  Tree tree;
  tree.AddNode(kNoNode);
  std::size_t const inner = (std::size_t{1} << static_cast<unsigned>(depth)) - 1;
  for (std::size_t node = 0; node < inner; ++node) {
    tree.Split(static_cast<NodeId>(node), static_cast<std::uint32_t>(random.Bits(2 * node) % kColumns),
               static_cast<float>(random.Uniform(2 * node + 1)), false);
  }
  for (std::size_t node = tree.Size(); node-- > 0;) {
    bool const leaf = node >= inner;
    tree.value[node] = leaf ? static_cast<float>(random.Uniform(1000000 + node)) : 0;
    tree.cover[node] = leaf ? 1 : 2 * tree.cover[static_cast<std::size_t>(tree.left[node])];
  }
  return tree;
}

struct Sample {
  Model model;
  FeatureMatrix features;

  explicit Sample(int depth) {
    model.num_features = kColumns;
    for (std::size_t t = 0; t < kTrees; ++t) {
      model.AppendRound({std::make_shared<Tree const>(FullTree(t, depth))}, {0});
    }
    Random const random(1, Purpose::kRows, 0);
    float* cells = nullptr;
    DenseTable const table = NewTable(kRows, kColumns, &cells);
    for (std::size_t i = 0; i < kRows * kColumns; ++i) cells[i] = static_cast<float>(random.Uniform(i));
    features = FeatureMatrix(table);
  }
};

Context ContextOf(SimdLevel level) {
  Context ctx;
  ctx.simd = level;
  return ctx;
}

using Method = void (*)(Model const&, FeatureMatrix const&, RoundRange, Context const&, MatrixView<float>);

void Explain(benchmark::State& state, Method method, std::size_t cells, SimdLevel level) {
  auto const [levels] = ArgumentsOf<1>(state);
  Sample const sample(static_cast<int>(levels));
  Matrix<float> out(kRows, cells);
  for (auto _ : state) method(sample.model, sample.features, {0, kTrees}, ContextOf(level), out.View());
  state.counters["row_tree"] = benchmark::Counter(static_cast<double>(state.iterations()) * kRows * kTrees,
                                                  benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void AgainstBackground(benchmark::State& state) {
  auto const [levels] = ArgumentsOf<1>(state);
  Sample const sample(static_cast<int>(levels));
  Matrix<float> out(kRows, kColumns + 1);
  for (auto _ : state) {
    AddInterventional(sample.model, sample.features, sample.features, {0, kTrees}, ContextOf(DefaultSimd()),
                      out.View());
  }
  state.counters["row_tree"] = benchmark::Counter(static_cast<double>(state.iterations()) * kRows * kTrees,
                                                  benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(AgainstBackground)->Arg(6)->Arg(8)->Unit(benchmark::kMillisecond);

int RegisterAll() {
  for (SimdLevel const level : AvailableSimd()) {
    std::string const end = "/" + SimdName(level);
    benchmark::RegisterBenchmark(("contributions" + end).c_str(), Explain, &AddContributions, kColumns + 1, level)
        ->Arg(6)
        ->Arg(8)
        ->Arg(12)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("interactions" + end).c_str(), Explain, &AddInteractions,
                                 (kColumns + 1) * (kColumns + 1), level)
        ->Arg(6)
        ->Unit(benchmark::kMillisecond);
  }
  return 0;
}

int const kRegistered = RegisterAll();

}  // namespace
}  // namespace xgbl
