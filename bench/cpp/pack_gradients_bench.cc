// SPDX-License-Identifier: Apache-2.0
// Packing the gradients of a million rows, time per row: one output, and ten side by side (per row and output).
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "hist/packed_gradients.h"
#include "simd/level.h"

namespace xgbl {
namespace {

constexpr std::size_t kRows = 1000000;
Random const kRandom(5, Purpose::kRounding, 0);

void PackRows(benchmark::State& state, SimdLevel level, GradientBits bits, std::size_t outputs, bool one_hessian) {
  std::vector<float> g(kRows * outputs), h(kRows * outputs, 1);
  for (std::size_t i = 0; i < g.size(); ++i) {
    g[i] = static_cast<float>(kRandom.Uniform(i) - 0.5);
    if (!one_hessian) h[i] = static_cast<float>(kRandom.Uniform(i + g.size()));
  }
  Context ctx;
  ctx.simd = level;
  std::vector<OutputGradients> all;
  for (std::size_t k = 0; k < outputs; ++k) all.push_back({g.data() + k, h.data() + k, kRows, outputs});
  for (auto _ : state) {
    auto const packed = PackOutputs(all, bits, &kRandom, ctx);
    benchmark::DoNotOptimize(packed.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows * outputs));
}

int RegisterAll() {
  using benchmark::RegisterBenchmark;
  for (SimdLevel const level : AvailableSimd()) {
    std::string const end = "/" + SimdName(level);
    RegisterBenchmark(("narrow" + end).c_str(), PackRows, level, GradientBits::kNarrow, 1, false);
    RegisterBenchmark(("auto" + end).c_str(), PackRows, level, GradientBits::kAuto, 1, false);
    RegisterBenchmark(("one_hessian" + end).c_str(), PackRows, level, GradientBits::kAuto, 1, true);
    RegisterBenchmark(("ten_outputs" + end).c_str(), PackRows, level, GradientBits::kAuto, 10, false);
    RegisterBenchmark(("wide" + end).c_str(), PackRows, level, GradientBits::kWide, 1, false);
  }
  return 0;
}

[[maybe_unused]] int const kRegistered = RegisterAll();

}  // namespace
}  // namespace xgbl
