// SPDX-License-Identifier: Apache-2.0
#include "parallel/reduce.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "arguments.h"
#include "base/random.h"

namespace xgbl {
namespace {

constexpr std::size_t kTerms = 1U << 16U;

// Squares of floats, as a metric has them; or over `range` powers of two.
std::vector<double> Terms(int range) {
  Random const random(1, Purpose::kRows, 0);
  std::vector<double> terms(kTerms);
  for (std::size_t i = 0; i < kTerms; ++i) {
    auto const value = double{static_cast<float>(random.Uniform(2 * i) - 0.5)};
    terms[i] = std::ldexp(value * value, static_cast<int>(random.Uniform(2 * i + 1) * range));
  }
  return terms;
}

void Plain(benchmark::State& state) {
  auto const terms = Terms(0);
  for (auto _ : state) {
    double sum = 0;
    for (double const term : terms) sum += term;
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kTerms));
}
BENCHMARK(Plain);

void Together(benchmark::State& state) {
  auto const [range] = ArgumentsOf<1>(state);
  auto const terms = Terms(static_cast<int>(range));
  for (auto _ : state) {
    ExactSum sum;
    sum.Add(terms.data(), terms.size());
    benchmark::DoNotOptimize(sum.Value());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kTerms));
}
BENCHMARK(Together)->ArgName("range")->Arg(0)->Arg(30)->Arg(200);

template <class Sum>
void OneByOne(benchmark::State& state) {
  auto const terms = Terms(0);
  for (auto _ : state) {
    Sum sum;
    for (double const term : terms) sum += term;
    benchmark::DoNotOptimize(sum.Value());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kTerms));
}
BENCHMARK(OneByOne<ExactSum>);
BENCHMARK(OneByOne<BufferedSum>);

void Rows(benchmark::State& state) {
  auto const [threads] = ArgumentsOf<1>(state);
  auto const terms = Terms(0);
  Context ctx;
  ctx.threads = static_cast<int>(threads);
  for (auto _ : state) {
    benchmark::DoNotOptimize(SumRows(ctx, terms.size(), [&](std::size_t row) { return terms[row]; }));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kTerms));
}
BENCHMARK(Rows)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
}  // namespace xgbl
