// SPDX-License-Identifier: Apache-2.0
// Histograms: updates (a cell of a row added to its bin) per second of a node with every so-manyth row, over widths,
// layouts and forms of gradients; subtraction and flushing per bin; all histograms of a tree on small data.
#include "hist/histogram.h"

#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "arguments.h"
#include "base/random.h"
#include "bins/binned_matrix_builder.h"

namespace xgbl {
namespace {

Random const kRandom(5, Purpose::kRows, 0);

std::shared_ptr<BinnedMatrix const> MakeBins(std::size_t rows, std::size_t columns, std::uint32_t bins,
                                             double missing) {
  auto cuts = std::make_shared<Cuts>();
  SparseRows cells;
  cells.columns = columns;
  std::vector<std::size_t> present(columns, 0);
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::uint32_t b = 1; b <= bins; ++b) cuts->upper.push_back(static_cast<float>(b));
    cuts->begin.push_back(static_cast<std::uint32_t>(cuts->upper.size()));
    cuts->lowest.push_back(-1);
    cuts->categorical.push_back(0);
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < columns; ++c) {
      std::uint64_t const bits = kRandom.Bits(i * columns + c);
      if (static_cast<double>(bits >> 32U) * 0x1p-32 < missing) continue;
      cells.column.push_back(static_cast<std::uint32_t>(c));
      cells.value.push_back(static_cast<float>((bits & 0xFFFFFFU) % bins));
      ++present[c];
    }
    cells.row_begin.push_back(cells.column.size());
  }
  BinnedMatrixBuilder builder(cuts, rows, present, Bundles{}, SlotJoining::kOff);
  builder.Append(FeatureMatrix(std::move(cells)), Context{});
  return builder.Finish(Context{});
}

BinnedMatrix const& BinsOf(std::size_t rows, std::size_t columns, std::uint32_t bins, double missing = 0) {
  static std::map<std::vector<std::size_t>, std::shared_ptr<BinnedMatrix const>> made;
  auto& matrix = made[{rows, columns, bins, static_cast<std::size_t>(missing * 1000)}];
  if (!matrix) matrix = MakeBins(rows, columns, bins, missing);
  return *matrix;
}

std::vector<PackedGradients> GradientsOf(std::size_t rows, GradientBits bits) {
  std::vector<float> g(rows), h(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    g[i] = static_cast<float>(kRandom.Uniform(i) - 0.5);
    h[i] = static_cast<float>(kRandom.Uniform(i + rows));
  }
  std::vector<PackedGradients> packed;
  packed.push_back(PackGradients({g.data(), h.data(), rows, 1}, bits, &kRandom, Context{}));
  return packed;
}

// About every `step`-th row, at random.
std::vector<std::uint32_t> SomeRows(std::size_t rows, std::uint64_t step) {
  std::vector<std::uint32_t> some;
  for (std::uint32_t i = 0; i < rows; ++i) {
    if (kRandom.Bits(i + 3 * rows) % step == 0) some.push_back(i);
  }
  return some;
}

void BuildOne(benchmark::State& state, BinnedMatrix const& bins, GradientBits bits, std::uint64_t step, int threads,
              double cells) {
  auto const gradients = GradientsOf(bins.Rows(), bits);
  auto const rows = SomeRows(bins.Rows(), step);
  HistogramBuilder builder(bins, gradients);
  Histogram histogram;
  std::vector<HistogramBuilder::Job> const jobs{{rows, step == 1, &histogram}};
  Context ctx;
  ctx.threads = threads;
  for (auto _ : state) builder.Build(jobs, ctx);
  auto const updates = static_cast<std::int64_t>(static_cast<double>(rows.size()) * cells);
  state.SetItemsProcessed(state.iterations() * updates);
}

void Dense(benchmark::State& state) {
  auto const [columns, bins, step, threads] = ArgumentsOf<4>(state);
  BuildOne(state, BinsOf(1000000, static_cast<std::size_t>(columns), static_cast<std::uint32_t>(bins)),
           GradientBits::kNarrow, static_cast<std::uint64_t>(step), static_cast<int>(threads),
           static_cast<double>(columns));
}
BENCHMARK(Dense)
    ->ArgNames({"columns", "bins", "step", "threads"})
    ->ArgsProduct({{28}, {256}, {1, 2, 4, 8, 16, 64}, {1, 2}})
    ->ArgsProduct({{7, 54}, {256, 64}, {1, 4}, {1}})
    ->ArgsProduct({{28}, {64, 16, 1024}, {1, 4}, {1}})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

void Wide(benchmark::State& state) {
  auto const [step] = ArgumentsOf<1>(state);
  BuildOne(state, BinsOf(1000000, 28, 256), GradientBits::kWide, static_cast<std::uint64_t>(step), 1, 28);
}
BENCHMARK(Wide)->ArgName("step")->Arg(1)->Arg(4)->Unit(benchmark::kMicrosecond);

void Sparse(benchmark::State& state) {
  auto const [step, threads] = ArgumentsOf<2>(state);
  BuildOne(state, BinsOf(200000, 500, 16, 0.98), GradientBits::kNarrow, static_cast<std::uint64_t>(step),
           static_cast<int>(threads), 10);
}
BENCHMARK(Sparse)
    ->ArgNames({"step", "threads"})
    ->ArgsProduct({{1, 4}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

void Subtract(benchmark::State& state) {
  std::vector<std::int64_t> parent(14336), child(14336);
  for (auto _ : state) {
    SubtractWords(parent.data(), child.data(), 7168);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 7168);
}
BENCHMARK(Subtract);

void SubtractAndPack(benchmark::State& state) {
  std::vector<std::int64_t> parent(14336), child(14336), out(7168);
  for (auto _ : state) {
    PackWideMinusPacked(parent.data(), child.data(), 7168, out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 7168);
}
BENCHMARK(SubtractAndPack);

void SubtractFromWide(benchmark::State& state) {
  std::vector<std::int64_t> parent(14336), child(7168, 5);
  for (auto _ : state) {
    SubtractPackedFromWide(parent.data(), child.data(), 7168);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 7168);
}
BENCHMARK(SubtractFromWide);

void FlushToWide(benchmark::State& state) {
  std::vector<std::int64_t> sum(14336), part(7168);
  for (auto _ : state) {
    FlushPackedToWide(part.data(), 7168, sum.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 7168);
}
BENCHMARK(FlushToWide);

// Five levels of 1,000 rows: the smaller halves are built, the others follow; one call a level.
void SmallTree(benchmark::State& state) {
  BinnedMatrix const& bins = BinsOf(1000, 20, 256);
  auto const gradients = GradientsOf(1000, GradientBits::kNarrow);
  auto const rows = SomeRows(1000, 1);
  HistogramBuilder builder(bins, gradients);
  Context ctx;
  ctx.threads = 2;
  for (auto _ : state) {
    std::vector<Histogram> level(1);
    builder.Build(std::vector<HistogramBuilder::Job>{{{}, true, &level[0]}}, ctx);
    for (std::size_t count = 500; count > 30; count /= 2) {
      std::vector<Histogram> built(level.size());
      std::vector<HistogramBuilder::Job> jobs;
      std::vector<HistogramBuilder::Difference> differences;
      for (std::size_t i = 0; i < built.size(); ++i) {
        jobs.push_back({Span<std::uint32_t const>(rows).Sub(i * count, count), false, &built[i]});
        differences.push_back({&level[i], &built[i], count});
      }
      builder.Build(jobs, ctx);
      builder.Subtract(differences, ctx);
      for (auto& histogram : built) level.push_back(std::move(histogram));
    }
    for (auto& histogram : level) builder.Release(&histogram);
  }
}
BENCHMARK(SmallTree)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace xgbl
