// SPDX-License-Identifier: Apache-2.0
// Splits of a million rows, time per row: all rows of a level at once, each node by a feature of its own.
#include "hist/row_partition.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <utility>
#include <vector>

#include "arguments.h"
#include "base/random.h"
#include "bins/binned_matrix_builder.h"
#include "simd/level.h"

namespace xgbl {
namespace {

constexpr std::size_t kRows = 1000000, kColumns = 8;

std::shared_ptr<BinnedMatrix const> MakeBins(std::uint32_t bins, double missing) {
  Random const random(5, Purpose::kRows, bins);
  auto cuts = std::make_shared<Cuts>();
  float* cells = nullptr;
  DenseTable const table = NewTable(kRows, kColumns, &cells);
  std::vector<std::size_t> present(kColumns, 0);
  for (std::size_t c = 0; c < kColumns; ++c) {
    for (std::uint32_t b = 1; b <= bins; ++b) cuts->upper.push_back(static_cast<float>(b));
    cuts->begin.push_back(static_cast<std::uint32_t>(cuts->upper.size()));
    cuts->lowest.push_back(-1);
    cuts->categorical.push_back(0);
  }
  for (std::size_t i = 0; i < kRows * kColumns; ++i) {
    bool const gone = random.Uniform(2 * i) < missing;
    cells[i] = gone ? kMissing : static_cast<float>(random.Bits(2 * i + 1) % bins);
    if (!gone) ++present[i % kColumns];
  }
  BinnedMatrixBuilder builder(cuts, kRows, present, Bundles{}, SlotJoining::kOff);
  builder.Append(FeatureMatrix(table), Context{});
  return builder.Finish(Context{});
}

void SplitLevel(benchmark::State& state) {
  auto const [of_bins, missing, of_depth, percent, threads] = ArgumentsOf<5>(state);
  auto const bins = static_cast<std::uint32_t>(of_bins), depth = static_cast<std::uint32_t>(of_depth);
  auto const most = static_cast<std::uint32_t>(percent);
  auto const matrix = MakeBins(bins, missing != 0 ? 0.1 : 0.0);
  Context ctx;
  ctx.threads = static_cast<int>(threads);
  ctx.simd = DefaultSimd();
  for (auto _ : state) {
    state.PauseTiming();
    RowPartition partition(kRows, {});
    NodeId first = 0;
    for (std::uint32_t level = 0; level <= depth; ++level) {
      std::vector<RowPartition::Move> moves(std::size_t{1} << level);
      for (std::size_t m = 0; m < moves.size(); ++m) {
        moves[m].node = first + static_cast<NodeId>(m);
        moves[m].left = 2 * moves[m].node + 1;
        moves[m].feature = level % kColumns;
        moves[m].last_left_bin = bins * most / 100;
      }
      first = 2 * first + 1;
      if (level == depth) state.ResumeTiming();
      partition.Split(*matrix, moves, ctx);
    }
    benchmark::DoNotOptimize(partition.Rows(first).data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows));
}
BENCHMARK(SplitLevel)
    ->ArgNames({"bins", "missing", "depth", "percent", "threads"})
    ->ArgsProduct({{255}, {0}, {0, 1, 2, 3, 5, 7}, {50}, {1, 2}})
    ->ArgsProduct({{255}, {0}, {0, 3}, {5}, {1}})
    ->ArgsProduct({{255}, {1}, {3}, {50}, {1}})
    ->ArgsProduct({{1000}, {0}, {0, 3}, {50}, {1}})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace xgbl
