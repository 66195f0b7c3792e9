// SPDX-License-Identifier: Apache-2.0
#include "hist/histogram_plan.h"

#include <algorithm>
#include <numeric>

namespace xgbl {
namespace {

constexpr double kChunksPerThread = 4;   // so that a thread that is late has others take over
constexpr double kLeastUpdates = 32768;  // of a chunk that is cut for the sake of threads
constexpr double kFlushWorth = 2;        // updates for each word that is flushed
constexpr double kMostOfMean = 1.2;      // what the largest share may have
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

std::vector<std::vector<std::size_t>> ShareOut(Span<WorkPiece const> pieces, int count) {
  if (count < 2 || pieces.size() < static_cast<std::size_t>(count)) return {};
  double most = 0;
  for (WorkPiece const& piece : pieces) most += piece.steps;
  most *= kMostOfMean / static_cast<double>(count);
  std::vector<std::size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return pieces[a].steps > pieces[b].steps; });
  std::vector<std::vector<std::size_t>> shares(static_cast<std::size_t>(count));
  std::vector<double> steps(shares.size());
  for (std::size_t const i : order) {  // the largest first; it stays with its owner while that has room
    WorkPiece const& piece = pieces[i];
    auto share = static_cast<std::size_t>(std::min_element(steps.begin(), steps.end()) - steps.begin());
    auto const owner = static_cast<std::size_t>(std::max(piece.owner, 0));
    if (piece.owner >= 0 && owner < steps.size() && steps[owner] + piece.steps <= most) share = owner;
    shares[share].push_back(i);
    steps[share] += piece.steps;
  }
  if (*std::max_element(steps.begin(), steps.end()) > most) return {};
  for (auto& share : shares) std::sort(share.begin(), share.end());
  return shares;
}

}  // namespace xgbl
