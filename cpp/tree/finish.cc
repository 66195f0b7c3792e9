// SPDX-License-Identifier: Apache-2.0
#include "tree/finish.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "tree/gain.h"
#include "tree/leaf_sums.h"

namespace xgbl {
namespace {

// The final number of each growing node; a node below a leaf of the final tree gets that leaf's.
struct Numbering {
  Tree tree;
  std::vector<NodeId> final_of;  // by growing node
  std::vector<NodeId> source;    // by final node
};

// Gains grow with the square of gradients and may pass a float's range; files and sums want finite ones.
float FiniteFloat(double value) {
  return static_cast<float>(std::min(value, static_cast<double>(std::numeric_limits<float>::max())));
}

void SetCategories(GrowingTree const& growing, std::vector<NodeId> const& source, Tree* tree) {
  auto const& flags = tree->categorical;
  if (std::find(flags.begin(), flags.end(), 1) == flags.end()) return;
  tree->category_begin.assign(1, 0);
  for (std::size_t i = 0; i < tree->Size(); ++i) {
    auto const& set = growing[source[i]].split.right_categories;
    if (flags[i] != 0) tree->category.insert(tree->category.end(), set.begin(), set.end());
    tree->category_begin.push_back(tree->category.size());
  }
}

Numbering BuildStructure(GrowingTree const& growing, std::size_t outputs) {
  Numbering out;
  out.tree.outputs = static_cast<int>(outputs);
  out.final_of.assign(growing.nodes.size(), kNoNode);
  out.final_of[0] = out.tree.AddNode(kNoNode);
  out.source.push_back(0);
  for (NodeId const node : growing.commits) {
    GrowingNode const& inner = growing[node];
    if (!inner.committed) continue;
    NodeId const id = out.final_of[Tree::At(node)];
    NodeId const left = out.tree.Split(id, inner.split.feature, inner.split.threshold, inner.split.missing_left);
    out.tree.categorical[Tree::At(id)] = inner.split.right_categories.empty() ? 0 : 1;
    out.tree.gain[Tree::At(id)] = FiniteFloat(inner.split.gain);
    out.final_of[Tree::At(inner.left)] = left;
    out.final_of[Tree::At(inner.left) + 1] = left + 1;
    out.source.insert(out.source.end(), {inner.left, inner.left + 1});
  }
  for (std::size_t i = 1; i < growing.nodes.size(); ++i) {  // parents come before their children
    if (out.final_of[i] == kNoNode) out.final_of[i] = out.final_of[Tree::At(growing.nodes[i].parent)];
  }
  SetCategories(growing, out.source, &out.tree);
  return out;
}

// Leaves have their sums; inner nodes get those of their children, which always have higher numbers.
void SumUpwards(Tree const& tree, std::vector<FixedSum>* sums) {
  for (std::size_t i = tree.Size(); i-- > 1;) (*sums)[Tree::At(tree.parent[i])] += (*sums)[i];
}

// The values of one output of all nodes.
void SetValues(TreeParam const& param, GrowingTree const& growing, std::vector<NodeId> const& source,
               std::vector<FixedSum> const& sums, FixedScale const& scale, std::size_t output, Tree* tree) {
  GainRule const rule(param);
  auto const outputs = static_cast<std::size_t>(tree->outputs);
  for (std::size_t i = 0; i < tree->Size(); ++i) {
    double const gradient = scale.Gradient(sums[i]), hessian = scale.Hessian(sums[i]);
    auto const weight = static_cast<float>(rule.Weight(gradient, hessian, growing[source[i]].Bounds(output)));
    tree->cover[i] += static_cast<float>(hessian);
    tree->weight[i * outputs + output] = weight;
    bool const leaf = tree->IsLeaf(static_cast<NodeId>(i));
    tree->value[i * outputs + output] = leaf ? static_cast<float>(param.learning_rate) * weight : 0.0F;
  }
}

}  // namespace

GrownTree FinishTree(TreeTask const& task, GrowingTree const& growing, SplitFinder* finder) {
  auto const& gradients = task.leaf_gradients.empty() ? task.gradients : task.leaf_gradients;
  Numbering numbering = BuildStructure(growing, gradients.size());
  GrownTree grown;
  grown.rows = finder->CollectRows(growing, numbering.final_of);
  for (std::size_t output = 0; output < gradients.size(); ++output) {
    FineSums const fine(gradients[output], task.ctx);
    auto sums = LeafSums(fine, grown.rows.sampled, numbering.tree.Size(), task.ctx);
    SumUpwards(numbering.tree, &sums);
    SetValues(task.param, growing, numbering.source, sums, fine.Scale(), output, &numbering.tree);
  }
  for (NodeId const node : numbering.source) {
    for (std::size_t k = 0; k < gradients.size(); ++k) grown.bounds.push_back(growing[node].Bounds(k));
  }
  grown.tree = std::move(numbering.tree);
  return grown;
}

}  // namespace xgbl
