// SPDX-License-Identifier: Apache-2.0
#include "boost/round.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "base/error.h"
#include "base/registry.h"
#include "bins/binned_matrix.h"
#include "boost/updaters.h"
#include "parallel/parallel_for.h"
#include "predict/tree_shape.h"
#include "tree/split_finder.h"

namespace xgbl {
namespace {

using Clock = std::chrono::steady_clock;

std::string Count(std::size_t count, std::string const& one, std::string const& many = "") {
  return Text(count, " ", count == 1 ? one : many.empty() ? one + "s" : many);
}

// The bins that are made once for all trees.
std::string BinsOf(BinnedMatrix const& bins) {
  BinLayout const& layout = bins.Layout();
  std::size_t all = 0;
  for (BinPlace const& place : layout.places) all += place.bins;
  auto const bundles =
      std::count_if(layout.slots.begin(), layout.slots.end(), [](auto const& s) { return s.Bundle(); });
  std::string text = Text(Count(all, "bin"), " in ", Count(layout.slots.size(), "slot"));
  if (bundles > 0) text += Text(", ", Count(static_cast<std::size_t>(bundles), "bundle"), " among them");
  if (!layout.sparse_features.empty()) {
    text += Text(", ", Count(layout.sparse_features.size(), "feature"), " kept as sparse rows");
  }
  return text;
}

std::string SizeOf(Tree const& tree) {
  TreeShape const shape = ShapeOf(tree);
  return Text(Count(2 * shape.leaves - 1, "node"), ", ", Count(shape.leaves, "leaf", "leaves"), ", depth ",
              shape.levels);
}

}  // namespace

void ReportStart(RoundInput const& task, bool grows_trees) {
  if (!task.ctx.Tells(MessageLog::Level::kInfo)) return;
  std::size_t const rows = task.data.Rows(), columns = task.data.Columns();
  std::string const method = grows_trees ? PlanOf(task.boost).method : "";
  std::string text = Text("Training ", task.boost.booster, method.empty() ? "" : " by ", method, " on ",
                          Count(rows, "row"), " of ", Count(columns, "feature"), " with ",
                          Count(static_cast<std::size_t>(ForWork(task.ctx, rows * columns).threads), "thread"));
  if (!method.empty()) {
    if (Registry<TreeMethod>::Get().At(method, "tree method").make()->SharesBins()) {
      auto const start = Clock::now();
      std::string const bins = BinsOf(*task.data.Binned(task.ctx, task.tree.max_bin));
      auto const time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
      text += Text("; ", bins, ", ready in ", time.count(), " ms");
    }
  }
  task.ctx.Tell(MessageLog::Level::kInfo, text + ".");
}

void ReportTrees(Model const& model, std::size_t round, Context const& ctx) {
  if (!ctx.Tells(MessageLog::Level::kDebug) || model.linear) return;
  for (std::size_t t = model.round_begin[round]; t < model.round_begin[round + 1]; ++t) {
    ctx.Tell(MessageLog::Level::kDebug,
             "Round " + std::to_string(round) + ", tree " + std::to_string(t) + ": " + SizeOf(*model.trees[t]) + ".");
  }
}

}  // namespace xgbl
