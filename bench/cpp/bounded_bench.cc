// SPDX-License-Identifier: Apache-2.0
// One tree of exact splits on generated tables: by the scan of sorted columns, by bounds over bins, and by histograms,
// which is what bounds are to come near to. Views of the data are made before.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "arguments.h"
#include "base/random.h"
#include "exact/finders.h"
#include "tree/grow.h"

namespace xgbl {
namespace {

constexpr std::size_t kColumns = 28;

enum class Way { kScan, kBounded, kHist };

class ByWay final : public TreeMethod {
 public:
  explicit ByWay(Way way) : way_(way) {}
  bool StopsEarly() const override { return false; }
  void Prepare(std::vector<TreeTask>* tasks) const override {
    for (TreeTask& task : *tasks) {
      if (way_ == Way::kScan) task.views.columns = task.data.Sorted(task.ctx);
      if (way_ == Way::kBounded) task.views.order = task.data.InValueOrder(task.ctx);
      if (way_ == Way::kHist) task.views.bins = task.data.Binned(task.ctx, task.param.max_bin);
    }
  }
  std::unique_ptr<SplitFinder> Start(TreeTask* task, ColumnSampler const& columns) const override {
    if (way_ == Way::kScan) return MakeColumnFinder(*task, columns);
    if (way_ == Way::kBounded) return MakeBoundedFinder(*task, columns);
    return Registry<TreeMethod>::Get().At("hist", "tree method").make()->Start(task, columns);
  }

 private:
  Way way_;
};

// Gradients of a logistic fit in its first rounds: a few columns decide, and much is noise.
struct Table {
  std::shared_ptr<DMatrix> data;
  std::vector<float> gradient, hessian;

  Table(std::size_t rows, double missing) {
    float* cells = nullptr;
    DenseTable table = NewTable(rows, kColumns, &cells);
    Random const value(1, Purpose::kRows, 0), hole(1, Purpose::kRows, 1), noise(1, Purpose::kRows, 2);
    for (std::size_t row = 0; row < rows; ++row) {
      double score = 0;
      for (std::size_t c = 0; c < kColumns; ++c) {
        std::size_t const i = row * kColumns + c;
        double const x = value.Uniform(i);
        bool const absent = hole.Uniform(i) < missing;
        cells[i] = absent ? kMissing : static_cast<float>(x * x * 7);
        score += (x - 0.5) * (c % 4 == 0 ? 1.0 : c % 4 == 1 ? -0.5 : 0.0);
      }
      double const p = 0.3 + 0.4 * noise.Uniform(3 * row), label = noise.Uniform(3 * row + 1) < 0.5 + score * 0.3;
      gradient.push_back(static_cast<float>(p - label));
      hessian.push_back(static_cast<float>(p * (1 - p)));
    }
    data = std::make_shared<DMatrix>(FeatureMatrix(std::move(table)), Meta{});
  }
};

void OneTree(benchmark::State& state, Way way, double missing) {
  auto const [of_rows, threads] = ArgumentsOf<2>(state);
  Table const table(static_cast<std::size_t>(of_rows), missing);
  Context ctx;
  ctx.threads = static_cast<int>(threads);
  TreeParam const param;
  std::vector<OutputGradients> const gradients{{table.gradient.data(), table.hessian.data(), table.gradient.size(), 1}};
  RowSample const rows = SampleRows(param, {}, gradients, ctx);
  ByWay const method(way);
  for (auto _ : state) {
    std::vector<TreeTask> tasks;
    tasks.push_back({ctx, *table.data, param, rows, gradients, {}});
    method.Prepare(&tasks);
    benchmark::DoNotOptimize(GrowTree(std::move(tasks[0]), method, true));
  }
  state.SetItemsProcessed(state.iterations() * of_rows);
}

void Sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"rows", "threads"})->ArgsProduct({{100'000, 1'000'000}, {1, 2}});
  bench->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK_CAPTURE(OneTree, scan, Way::kScan, 0.0)->Apply(Sizes);
BENCHMARK_CAPTURE(OneTree, bounded, Way::kBounded, 0.0)->Apply(Sizes);
BENCHMARK_CAPTURE(OneTree, hist, Way::kHist, 0.0)->Apply(Sizes);
BENCHMARK_CAPTURE(OneTree, scan_missing, Way::kScan, 0.3)->Apply(Sizes);
BENCHMARK_CAPTURE(OneTree, bounded_missing, Way::kBounded, 0.3)->Apply(Sizes);
BENCHMARK_CAPTURE(OneTree, hist_missing, Way::kHist, 0.3)->Apply(Sizes);

}  // namespace
}  // namespace xgbl
