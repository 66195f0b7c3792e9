// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "explain/explain.h"
#include "explain/forest.h"
#include "explain/linear.h"
#include "explain/row_block.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

struct MeansOfTree {
  PackedTree const* tree;
  std::vector<double> means;
};

// One row's changes of the mean, by feature; the row's cells lie kGroupRows apart.
void AddPath(MeansOfTree const& of, float const* cells, std::vector<double>* sums) {
  PackedTree const& tree = *of.tree;
  std::uint32_t place = 0;
  while (!IsLeaf(tree, place)) {
    PackedNode const& node = tree.nodes[place];
    std::uint32_t const next = node.left + (GoesLeft(tree, node, cells[node.cell * kGroupRows]) ? 0U : 1U);
    (*sums)[FeatureOfCell(node.cell, sums->size())] += of.means[next] - of.means[place];
    place = next;
  }
}

}  // namespace

void AddPathContributions(Model const& model, FeatureMatrix const& features, RoundRange trees, Context const& ctx,
                          MatrixView<float> out) {
  if (model.linear) return AddLinearContributions(model, features, ctx, out);
  Forest const forest(model, trees);
  auto const& used = forest.Features();
  std::size_t const width = out.columns() / forest.Outputs();
  std::vector<std::vector<MeansOfTree>> means(forest.Outputs());
  std::vector<double> bias(forest.Outputs());
  for (std::size_t output = 0; output < forest.Outputs(); ++output) {
    forest.ForEachTree(output, [&](PackedTree const& tree, std::size_t own, double weight) {
      means[output].push_back({&tree, NodeMeans(tree, own, weight)});
      bias[output] += means[output].back().means[0];
    });
  }
  std::size_t const bytes = 2 * used.size() * sizeof(float);
  ParallelBlocks(ctx, features.Rows(), TaskRows(ctx, features.Rows(), bytes), [&](std::size_t begin, std::size_t end) {
    RowBlock const rows(features, used, begin, end, 0);
    std::vector<double> sums(used.size());
    for (std::size_t row = 0; row < rows.Rows(); ++row) {
      for (std::size_t output = 0; output < forest.Outputs(); ++output) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (auto const& tree : means[output]) AddPath(tree, rows.Cells(row / kGroupRows) + row % kGroupRows, &sums);
        float* const to = &out(begin + row, output * width);
        for (std::size_t i = 0; i < used.size(); ++i) to[used[i]] += static_cast<float>(sums[i]);
        to[width - 1] = static_cast<float>(static_cast<double>(to[width - 1]) + bias[output]);
      }
    }
  });
}

}  // namespace xgbl
