// SPDX-License-Identifier: Apache-2.0
#include "metric/metric.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/math.h"
#include "base/random.h"
#include "simd/level.h"

namespace xgbl {
namespace {

struct Setting {
  std::string metric;
  std::size_t outputs = 1;
  bool weighted = false;
  int threads = 1;
};

// Predictions of a model that knows something, unlike uniform ones.
void BenchMetric(benchmark::State& state, Setting const& setting) {
  std::size_t const rows = 1'000'000, outputs = setting.outputs;
  Random const random(1, Purpose::kRows, 0);
  Meta meta;
  meta.labels = Matrix<float>(rows, 1);
  Matrix<float> predictions(rows, outputs);
  for (std::size_t i = 0; i < rows; ++i) {
    double const score = random.Uniform(i * 3) + random.Uniform(i * 3 + 1) + random.Uniform(i * 3 + 2) - 1.5;
    for (std::size_t k = 0; k < outputs; ++k) {
      predictions.View()(i, k) = static_cast<float>(Sigmoid(3 * score + static_cast<double>(k)));
    }
    double const label = random.Uniform(rows * 3 + i);
    meta.labels.values[i] = outputs > 1 ? static_cast<float>(static_cast<int>(label * static_cast<double>(outputs)))
                                        : static_cast<float>(label < Sigmoid(3 * score));
    if (setting.weighted) meta.weights.push_back(static_cast<float>(random.Uniform(rows * 4 + i)));
  }
  Context ctx;
  ctx.threads = setting.threads;
  ctx.simd = DefaultSimd();
  auto const metric = MakeMetric(setting.metric, {});
  try {
    for (auto _ : state) benchmark::DoNotOptimize(metric->Evaluate(predictions.View(), meta, ctx));
  } catch (Error const& error) {
    state.SkipWithError(error.what());  // it needs other data
  }
}

int RegisterAll() {
  auto const add = [](Setting const& setting) {
    for (int const threads : {1, 2}) {
      std::string const name = setting.metric + (setting.outputs > 1 ? "/classes" : "") +
                               (setting.weighted ? "/weighted" : "") + "/threads:" + std::to_string(threads);
      Setting const one{setting.metric, setting.outputs, setting.weighted, threads};
      benchmark::RegisterBenchmark(name.c_str(), BenchMetric, one)->Unit(benchmark::kMillisecond)->UseRealTime();
    }
  };
  for (auto const& [name, entry] : Registry<Metric>::Get().Entries()) {
    bool const of_classes = name == "merror" || name == "mlogloss" || name == "auc_mu";
    add({name, of_classes ? 5U : 1U, false, 1});
  }
  for (char const* name : {"auc", "cindex", "f1", "logloss", "r2", "rmse"}) add({name, 1, true, 1});
  for (char const* name : {"auc", "f1"}) add({name, 5, false, 1});
  return 0;
}

int const kRegistered = RegisterAll();

}  // namespace
}  // namespace xgbl
