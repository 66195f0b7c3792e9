// SPDX-License-Identifier: Apache-2.0
// Explanations that take each row through each tree.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "explain/explain.h"
#include "explain/forest.h"

namespace xgbl {
namespace {

struct MeansOfTree {
  PackedTree const* tree;
  std::vector<double> means;
};

// One row's changes of the mean, by feature.
void AddPath(MeansOfTree const& of, float const* cells, std::vector<double>* sums) {
  std::uint32_t place = 0;
  while (!IsLeaf(*of.tree, place)) {
    std::uint32_t const next = NextPlace(*of.tree, place, cells);
    (*sums)[FeatureOfCell(of.tree->nodes[place].cell, sums->size())] += of.means[next] - of.means[place];
    place = next;
  }
}

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
      open->emplace_back(NextPlace(tree, place, cells), weight);
      continue;
    }
    CoverRatios const ratios = RatiosOf(*tree.tree, node.id);
    if (ratios.right > 0) open->emplace_back(node.left + 1, weight * ratios.right);
    if (ratios.left > 0) open->emplace_back(node.left, weight * ratios.left);
  }
}

}  // namespace

void AddPathContributions(Model const& model, FeatureMatrix const& features, RoundRange trees, Context const& ctx,
                          MatrixView<float> out) {
  if (model.linear) return AddLinear(model, features, 1, ctx, out);
  Forest const forest(model, trees);
  std::size_t const width = out.columns() / forest.Outputs();
  std::vector<std::vector<MeansOfTree>> means(forest.Outputs());
  std::vector<double> bias(forest.Outputs());
  for (std::size_t output = 0; output < forest.Outputs(); ++output) {
    forest.ForEachTree(output, [&](PackedTree const& tree, std::size_t own, double weight) {
      means[output].push_back({&tree, NodeMeans(tree, own, weight)});
      bias[output] += means[output].back().means[0];
    });
  }
  ForRowBlocks(forest, features, 0, 0, ctx, [&](std::size_t begin, RowBlock const& rows) {
    std::vector<double> sums(forest.Features().size());
    for (std::size_t row = 0; row < rows.Rows(); ++row) {
      for (std::size_t output = 0; output < forest.Outputs(); ++output) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (auto const& tree : means[output]) AddPath(tree, rows.Row(row), &sums);
        forest.AddSums([&](std::size_t i) { return sums[i]; }, bias[output],
                       out.Row(begin + row).Sub(output * width, width));
      }
    }
  });
}

void AddMarginals(Model const& model, FeatureMatrix const& features, Span<std::uint32_t const> known, RoundRange trees,
                  Context const& ctx, MatrixView<float> out) {
  Require<ParamError>(!model.linear, "A linear model has no trees to go through. Use method=\"brute\".");
  Forest const forest(model, trees);
  auto const& used = forest.Features();
  std::vector<bool> is_known(used.size());
  for (std::size_t i = 0; i < used.size(); ++i) is_known[i] = std::binary_search(known.begin(), known.end(), used[i]);
  ForRowBlocks(forest, features, 0, 0, ctx, [&](std::size_t begin, RowBlock const& rows) {
    std::vector<std::pair<std::uint32_t, double>> open;
    std::vector<double> sums(forest.Outputs());
    for (std::size_t row = 0; row < rows.Rows(); ++row) {
      std::fill(sums.begin(), sums.end(), 0.0);
      for (std::size_t t = 0; t < forest.Size(); ++t) {
        Spread(forest.At(t), is_known, rows.Row(row), &open, [&](NodeId leaf, double reach) {
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
