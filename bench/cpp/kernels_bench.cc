// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "objective/objective.h"
#include "simd/level.h"
#include "simd/loss_kernels.h"

namespace xgbl {
namespace {

Context ContextOf(SimdLevel level) {
  Context ctx;
  ctx.simd = level;
  return ctx;
}

std::vector<float> Ramp(std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 2001) * 0.01F - 10.0F;
  return values;
}

using Kernel = void (*LossKernels::*)(float const*, float*, std::size_t);

void BenchKernel(benchmark::State& state, Kernel kernel, SimdLevel level) {
  auto const x = Ramp(4096);
  std::vector<float> out(x.size());
  for (auto _ : state) {
    (LossKernels::Of(level).*kernel)(x.data(), out.data(), x.size());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(x.size()));
}

void BenchGradient(benchmark::State& state, std::string const& name, std::size_t rows, int classes, SimdLevel level) {
  auto const objective = MakeObjective(name, {{"num_class", std::to_string(classes)}});
  auto const outputs = static_cast<std::size_t>(classes > 0 ? classes : 1);
  Matrix<float> margins(rows, outputs);
  margins.values = Ramp(rows * outputs);
  Meta meta;
  meta.labels = Matrix<float>(rows, 1);
  for (std::size_t i = 0; i < rows; ++i) meta.labels.values[i] = static_cast<float>(i % (classes > 0 ? outputs : 2));
  Gradients out;
  for (auto _ : state) objective->Gradient({margins.View(), meta, ContextOf(level)}, &out);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows));
}

int RegisterAll() {
  for (SimdLevel const level : AvailableSimd()) {
    std::string const end = "/" + SimdName(level);
    benchmark::RegisterBenchmark(("sigmoid" + end).c_str(), BenchKernel, &LossKernels::sigmoid, level);
    benchmark::RegisterBenchmark(("exp" + end).c_str(), BenchKernel, &LossKernels::exp, level);
    benchmark::RegisterBenchmark(("logistic_gradient/1M" + end).c_str(), BenchGradient, "binary:logistic", 1000000, 0,
                                 level)
        ->Unit(benchmark::kMicrosecond);
    for (int const classes : {3, 7, 10, 30}) {
      std::string const name = "softmax_gradient/100kx" + std::to_string(classes) + end;
      benchmark::RegisterBenchmark(name.c_str(), BenchGradient, "multi:softprob", 100000, classes, level)
          ->Unit(benchmark::kMicrosecond);
    }
  }
  return 0;
}

int const kRegistered = RegisterAll();

}  // namespace
}  // namespace xgbl
