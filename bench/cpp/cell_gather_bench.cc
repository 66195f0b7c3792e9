// SPDX-License-Identifier: Apache-2.0
// What the cache-aware gather of the exact scan gains: one pass over a sorted column of random rows that adds up the
// gradients of 32 nodes, cell by cell ("plain") and as the engine does it ("gathered"). Time is per cell.
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "arguments.h"
#include "base/random.h"
#include "exact/column_scan.h"

namespace xgbl {
namespace {

struct Column {
  std::vector<float> values;
  std::vector<std::uint32_t> order;
  std::vector<ScanRow> rows;

  explicit Column(std::size_t n) : values(n), order(n), rows(n) {
    Random const random(1, Purpose::kRows, n);
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = n - 1; i > 0; --i) std::swap(order[i], order[random.Bits(i) % (i + 1)]);
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = static_cast<float>(i);
      rows[i] = {static_cast<std::int64_t>(i), 1, static_cast<std::int32_t>(random.Bits(n + i) % 32)};
    }
  }
  ColumnBlocks::Block Block() const { return {values, order}; }
};

void Plain(benchmark::State& state) {
  auto const [rows] = ArgumentsOf<1>(state);
  Column const column(static_cast<std::size_t>(rows));
  std::array<FixedSum, 32> sums{};
  for (auto _ : state) {
    for (std::uint32_t const row : column.order) {
      ScanRow const& record = column.rows[row];
      if (record.slot >= 0) sums[static_cast<std::size_t>(record.slot)] += record.Pair();
    }
    benchmark::DoNotOptimize(sums);
  }
  state.SetItemsProcessed(state.iterations() * rows);
}

void Gathered(benchmark::State& state) {
  auto const [rows] = ArgumentsOf<1>(state);
  Column const column(static_cast<std::size_t>(rows));
  std::array<FixedSum, 32> sums{};
  for (auto _ : state) {
    ForEachOpenCell(column.Block(), Span<ScanRow const>(column.rows),
                    [&](std::size_t slot, float, FixedPair pair) { sums[slot] += pair; });
    benchmark::DoNotOptimize(sums);
  }
  state.SetItemsProcessed(state.iterations() * rows);
}

BENCHMARK(Plain)->Arg(100'000)->Arg(1'000'000)->Arg(4'000'000)->Arg(16'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(Gathered)->Arg(100'000)->Arg(1'000'000)->Arg(4'000'000)->Arg(16'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace xgbl
