// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "explain/explain.h"
#include "explain/forest.h"
#include "explain/row_block.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

// Calls `found(leaf, weight)` for the leaves that a row reaches with some weight; `known` says so by used feature.
template <class Found>
void Spread(PackedTree const& tree, std::vector<bool> const& known, float const* cells,
            std::vector<std::pair<std::uint32_t, double>>* open, Found const& found) {
  open->assign(1, {0, 1.0});
  while (!open->empty()) {
    auto const [place, weight] = open->back();
    open->pop_back();
    PackedNode const& node = tree.nodes[place];
    if (IsLeaf(tree, place)) {
      found(node.id, weight);
      continue;
    }
    if (known[FeatureOfCell(node.cell, known.size())]) {
      open->emplace_back(node.left + (GoesLeft(tree, node, cells[node.cell * kGroupRows]) ? 0U : 1U), weight);
      continue;
    }
    CoverRatios const ratios = RatiosOf(*tree.tree, node.id);
    if (ratios.right > 0) open->emplace_back(node.left + 1, weight * ratios.right);
    if (ratios.left > 0) open->emplace_back(node.left, weight * ratios.left);
  }
}

}  // namespace

void AddMarginals(Model const& model, FeatureMatrix const& features, Span<std::uint32_t const> known, RoundRange trees,
                  Context const& ctx, MatrixView<float> out) {
  Require<ParamError>(!model.linear, "A linear model has no trees to go through. Use method=\"brute\".");
  Forest const forest(model, trees);
  auto const& used = forest.Features();
  std::vector<bool> is_known(used.size());
  for (std::size_t i = 0; i < used.size(); ++i) is_known[i] = std::binary_search(known.begin(), known.end(), used[i]);
  std::size_t const bytes = 2 * used.size() * sizeof(float);
  ParallelBlocks(ctx, features.Rows(), TaskRows(ctx, features.Rows(), bytes), [&](std::size_t begin, std::size_t end) {
    RowBlock const rows(features, used, begin, end, 0);
    std::vector<std::pair<std::uint32_t, double>> open;
    std::vector<double> sums(forest.Outputs());
    for (std::size_t row = 0; row < rows.Rows(); ++row) {
      std::fill(sums.begin(), sums.end(), 0.0);
      float const* const cells = rows.Cells(row / kGroupRows) + row % kGroupRows;
      for (std::size_t t = 0; t < forest.Size(); ++t) {
        Spread(forest.At(t), is_known, cells, &open, [&](NodeId leaf, double reach) {
          Span<float const> const value = forest.At(t).tree->Value(leaf);
          forest.ForEachOutput(t, [&](std::size_t output, std::size_t own, double weight) {
            sums[output] += reach * weight * static_cast<double>(value[own]);
          });
        });
      }
      for (std::size_t k = 0; k < sums.size(); ++k) {
        out(begin + row, k) = static_cast<float>(static_cast<double>(out(begin + row, k)) + sums[k]);
      }
    }
  });
}

}  // namespace xgbl
