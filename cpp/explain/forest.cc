// SPDX-License-Identifier: Apache-2.0
#include "explain/forest.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "parallel/parallel_for.h"
#include "predict/row_reader.h"

namespace xgbl {
namespace {

constexpr std::size_t kCacheBytes = std::size_t{1} << 20U;
constexpr std::size_t kMostTaskRows = 1024;
constexpr std::size_t kTasksPerThread = 4;

std::size_t ChoicesIn(PackedTree const& packed) {
  if (packed.plain) return 0;
  Tree const& tree = *packed.tree;
  auto const choices = std::count_if(packed.nodes.begin(), packed.nodes.end(), [&](PackedNode const& node) {
    return !tree.IsLeaf(node.id) && !AskedByComparison(tree, Tree::At(node.id));
  });
  return static_cast<std::size_t>(choices);
}

}  // namespace

Forest::Forest(Model const& model, RoundRange trees)
    : model_(model),
      begin_(trees.begin),
      features_(UsedFeatures(model, trees)),
      packed_(PackTrees(model, trees, features_, SetTables::kNone)),
      of_output_(Outputs()) {
  for (std::size_t t = 0; t < packed_.size(); ++t) {
    Tree const& tree = *packed_[t].tree;
    most_choices_ = std::max(most_choices_, ChoicesIn(packed_[t]));
    if (tree.outputs == 1) {
      of_output_[static_cast<std::size_t>(model.tree_output[begin_ + t])].push_back(t);
    } else {
      for (auto& list : of_output_) list.push_back(t);
    }
  }
}

std::size_t Forest::Depth() const {
  int depth = 0;
  for (auto const& tree : packed_) depth = std::max(depth, tree.depth);
  return static_cast<std::size_t>(depth);
}

CoverRatios RatiosOf(Tree const& tree, NodeId node) {
  auto const cover = [&](NodeId id) { return static_cast<double>(tree.cover[Tree::At(id)]); };
  double const all = cover(node);
  CoverRatios const ratios{cover(tree.left[Tree::At(node)]) / all, cover(tree.right[Tree::At(node)]) / all};
  auto const sound = [](double ratio) { return ratio >= 0 && std::isfinite(ratio); };
  return sound(ratios.left) && sound(ratios.right) && ratios.left + ratios.right > 0 ? ratios : CoverRatios{};
}

std::vector<double> NodeMeans(PackedTree const& tree, std::size_t output, double weight) {
  std::vector<double> means(tree.nodes.size());
  for (std::size_t place = means.size(); place-- > 0;) {  // children come after their parent
    PackedNode const& node = tree.nodes[place];
    if (IsLeaf(tree, static_cast<std::uint32_t>(place))) {
      means[place] = weight * static_cast<double>(tree.tree->Value(node.id)[output]);
      continue;
    }
    CoverRatios const ratios = RatiosOf(*tree.tree, node.id);
    means[place] = ratios.left * means[node.left] + ratios.right * means[node.left + 1];
  }
  return means;
}

RowBlock::RowBlock(FeatureMatrix const& features, Span<std::uint32_t const> used, std::size_t begin, std::size_t end,
                   std::size_t extra)
    : rows_(end - begin),
      group_cells_(std::max<std::size_t>(1, 2 * used.size() + extra) * kGroupRows) {  // never nothing to point to
  cells_.assign(Groups() * group_cells_, kMissing);
  RowReader reader(features, used, kGroupRows);
  for (std::size_t group = 0; group < Groups(); ++group) {
    reader.Read(begin + group * kGroupRows, std::min(end, begin + (group + 1) * kGroupRows));
    for (std::size_t i = 0; i < used.size(); ++i) {
      auto const run = reader.RunOf(i);
      float* const right = Cells(group) + i * kGroupRows;
      float* const left = right + used.size() * kGroupRows;
      for (std::size_t row = 0; row < reader.Rows(); ++row) {
        float const value = run.values == nullptr ? kMissing : DenseTable::Present(run.values[row], run.missing);
        right[row] = value;
        left[row] = std::isnan(value) ? -std::numeric_limits<float>::infinity() : value;
      }
    }
  }
}

void ForRowBlocks(Forest const& forest, FeatureMatrix const& features, std::size_t extra, std::size_t sums,
                  Context const& ctx, std::function<void(std::size_t, RowBlock)> const& explain) {
  std::size_t const bytes = 2 * forest.Features().size() * sizeof(float) + sums * sizeof(double);
  std::size_t const tasks = ctx.threads > 1 ? static_cast<std::size_t>(ctx.threads) * kTasksPerThread : 1;
  std::size_t const share = features.Rows() / tasks + 1, fitting = kCacheBytes / std::max<std::size_t>(1, bytes);
  std::size_t const groups = std::min({share, fitting, kMostTaskRows}) / kGroupRows;
  ParallelBlocks(ctx, features.Rows(), std::max<std::size_t>(1, groups) * kGroupRows,
                 [&](std::size_t begin, std::size_t end) {
                   explain(begin, RowBlock(features, forest.Features(), begin, end, extra));
                 });
}

}  // namespace xgbl
