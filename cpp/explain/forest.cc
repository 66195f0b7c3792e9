// SPDX-License-Identifier: Apache-2.0
#include "explain/forest.h"

#include <algorithm>
#include <cmath>

namespace xgbl {
namespace {

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

}  // namespace xgbl
