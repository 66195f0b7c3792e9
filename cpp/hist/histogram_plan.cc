// SPDX-License-Identifier: Apache-2.0
#include "hist/histogram_plan.h"

#include <algorithm>
#include <cmath>

namespace xgbl {
namespace {

constexpr double kChunksPerThread = 4;   // so that a thread that is late has others take over
constexpr double kLeastUpdates = 32768;  // of a chunk that is cut for the sake of threads
constexpr double kFlushWorth = 2;        // updates for each word that is flushed
constexpr std::size_t kMostThreadWords = std::size_t{1} << 25U;

BinForm FormOf(HistogramTarget const& target) {
  if (target.gradients->wide) return BinForm::kWideToWide;
  bool const flushed = target.Rows() > kNarrowRows;
  double const updates = target.piece->cells_per_row * static_cast<double>(kNarrowRows);
  bool const too_many_bins = updates < kFlushWorth * target.piece->bins;
  return flushed && too_many_bins ? BinForm::kNarrowToWide : BinForm::kNarrowToPacked;
}

std::size_t ChunksOf(HistogramTarget const& target, double grain) {
  bool const overflows = target.form == BinForm::kNarrowToPacked;
  std::size_t const needed = overflows ? (target.Rows() + kNarrowRows - 1) / kNarrowRows : 1;
  auto const words = static_cast<double>(target.ChunkWords());
  double const worth = target.ChunkWords() > kMostThreadWords ? 0 : target.Updates() / (kFlushWorth * words);
  auto const wanted = static_cast<std::size_t>(std::max(0.0, std::min(worth, target.Updates() / grain)));
  return std::max({wanted, needed, std::size_t{1}});
}

}  // namespace

std::vector<HistogramChunk> PlanChunks(std::vector<HistogramTarget>* targets, int threads) {
  double total = 0;
  for (auto const& target : *targets) total += target.Updates();
  double const grain =
      threads == 1 ? total + 1 : std::max(kLeastUpdates, total / (kChunksPerThread * static_cast<double>(threads)));

  std::vector<HistogramChunk> chunks;
  for (std::size_t t = 0; t < targets->size(); ++t) {
    HistogramTarget& target = (*targets)[t];
    target.form = FormOf(target);
    std::size_t const count = ChunksOf(target, grain), rows = target.Rows();
    target.whole = count == 1;
    for (std::size_t i = 0; i < count; ++i) {
      RowRun const run{target.rows.list, target.rows.begin + rows * i / count,
                       target.rows.begin + rows * (i + 1) / count};
      chunks.push_back({t, run, target.Updates() / static_cast<double>(count)});
    }
  }
  if (threads > 1) {
    std::stable_sort(chunks.begin(), chunks.end(), [](auto const& a, auto const& b) { return a.work > b.work; });
  }
  return chunks;
}

}  // namespace xgbl
