// SPDX-License-Identifier: Apache-2.0
#include "tree/tree.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "base/error.h"

namespace xgbl {
namespace {

// Larger categories are not whole in float32.
constexpr float kCategoryLimit = 16777216.0F;

void CheckSizes(Tree const& tree) {
  std::size_t const size = tree.Size();
  Require<ModelError>(size != 0, "A tree has no nodes.");
  Require<ModelError>(tree.outputs > 0, "A tree's leaves have ", tree.outputs, " values; at least one is needed.");
  std::size_t const values = size * static_cast<std::size_t>(tree.outputs);
  bool const per_node = tree.right.size() == size && tree.parent.size() == size && tree.feature.size() == size &&
                        tree.threshold.size() == size && tree.default_left.size() == size &&
                        tree.categorical.size() == size && tree.gain.size() == size && tree.cover.size() == size;
  Require<ModelError>(per_node && tree.weight.size() == values && tree.value.size() == values,
                      "The arrays of a tree differ in length: one entry is needed for each of its ", size, " nodes.");
}

void CheckCategories(Tree const& tree) {
  if (tree.category_begin.empty()) {
    bool const any = std::any_of(tree.categorical.begin(), tree.categorical.end(), [](auto flag) { return flag != 0; });
    Require<ModelError>(!any && tree.category.empty(), "A tree splits on categories but lists none.");
    return;
  }
  auto const& begin = tree.category_begin;
  bool const whole = begin.size() == tree.Size() + 1 && begin.front() == 0 && begin.back() == tree.category.size() &&
                     std::is_sorted(begin.begin(), begin.end());
  Require<ModelError>(whole, "The category sets of a tree do not fit its nodes.");
  for (std::size_t node = 0; node < tree.Size(); ++node) {
    auto const set = tree.CategorySet(static_cast<NodeId>(node));
    bool const rising = std::adjacent_find(set.begin(), set.end(), std::greater_equal<>()) == set.end();
    bool const in_range = set.empty() || (set[0] >= 0 && set[set.size() - 1] < static_cast<int>(kCategoryLimit));
    Require<ModelError>(rising && in_range, "The categories of node ", node,
                        " of a tree must rise and lie in [0, 16777216).");
  }
}

// Whether the children of every node stand behind it and name it as their parent: then they are those of a tree, and no
// walk is needed to see it.
bool LinksRise(Tree const& tree, std::size_t num_features) {
  auto const size = static_cast<NodeId>(tree.Size());
  bool good = true;
  for (NodeId node = 0; node < size && good; ++node) {
    std::size_t const i = Tree::At(node);
    NodeId const left = tree.left[i], right = tree.right[i];
    if (left == kNoNode && right == kNoNode) continue;
    good = left > node && right > node && left != right && left < size && right < size &&
           tree.feature[i] < num_features && tree.parent[Tree::At(left)] == node &&
           tree.parent[Tree::At(right)] == node;
  }
  return good;
}

// Follows the links from the root; a node that is met twice is a cycle or has two parents.
void CheckLinks(Tree const& tree, std::size_t num_features) {
  if (LinksRise(tree, num_features)) return;
  auto const in_range = [&](NodeId node) { return node >= 0 && static_cast<std::size_t>(node) < tree.Size(); };
  std::vector<bool> reached(tree.Size(), false);
  std::vector<NodeId> open;
  open.reserve(tree.Size() + 1);
  open.push_back(0);
  while (!open.empty()) {
    NodeId const node = open.back();
    open.pop_back();
    std::size_t const i = Tree::At(node);
    Require<ModelError>(!reached[i], "Node ", node, " of a tree is reached twice: its links are not those of a tree.");
    reached[i] = true;
    if (tree.left[i] == kNoNode && tree.right[i] == kNoNode) continue;
    Require<ModelError>(in_range(tree.left[i]) && in_range(tree.right[i]), "Node ", node, " of a tree of ", tree.Size(),
                        " nodes has the children ", tree.left[i], " and ", tree.right[i], ".");
    Require<ModelError>(tree.feature[i] < num_features, "Node ", node, " of a tree splits on feature ", tree.feature[i],
                        ", but the model has ", num_features, " features.");
    bool const known = tree.parent[Tree::At(tree.left[i])] == node && tree.parent[Tree::At(tree.right[i])] == node;
    Require<ModelError>(known, "A child of node ", node, " of a tree names another node as its parent.");
    open.push_back(tree.right[i]);
    open.push_back(tree.left[i]);
  }
}

// The same as below of all nodes together, in loops that become vector code.
bool AreNumbers(Tree const& tree) {
  constexpr float kMost = std::numeric_limits<float>::max();
  std::uint32_t odd = 0;
  for (float const threshold : tree.threshold) odd |= std::isnan(threshold) ? 1U : 0U;
  for (float const value : tree.value) odd |= std::abs(value) <= kMost ? 0U : 1U;
  for (std::size_t i = 0; i < tree.Size() && !tree.category_begin.empty(); ++i) {
    odd |= tree.left[i] == kNoNode ? tree.categorical[i] : 0U;
  }
  return odd == 0;
}

void CheckNumbers(Tree const& tree) {
  if (AreNumbers(tree)) return;
  auto const outputs = static_cast<std::size_t>(tree.outputs);
  for (std::size_t i = 0; i < tree.Size(); ++i) {
    Require<ModelError>(!std::isnan(tree.threshold[i]), "The threshold of node ", i, " is not a number.");
    for (std::size_t k = 0; k < outputs; ++k) {
      Require<ModelError>(std::isfinite(tree.value[i * outputs + k]), "The value of leaf ", i, " is not finite.");
    }
    bool const odd = tree.IsLeaf(static_cast<NodeId>(i)) && tree.categorical[i] != 0;
    Require<ModelError>(!odd, "Node ", i, " is a leaf, yet has a categorical split.");
  }
}

}  // namespace

NodeId Tree::AddNode(NodeId parent_node) {
  auto const node = static_cast<NodeId>(Size());
  std::size_t const values = (Size() + 1) * static_cast<std::size_t>(outputs);
  for (auto* links : {&left, &right}) links->push_back(kNoNode);
  parent.push_back(parent_node);
  feature.push_back(0);
  for (auto* flags : {&default_left, &categorical}) flags->push_back(0);
  for (auto* numbers : {&threshold, &gain, &cover}) numbers->push_back(0.0F);
  weight.resize(values, 0.0F);
  value.resize(values, 0.0F);
  if (!category_begin.empty()) category_begin.push_back(category.size());
  return node;
}

NodeId Tree::Split(NodeId node, std::uint32_t split_feature, float split_threshold, bool missing_left) {
  NodeId const first = AddNode(node);
  NodeId const second = AddNode(node);
  std::size_t const i = At(node);
  left[i] = first;
  right[i] = second;
  feature[i] = split_feature;
  threshold[i] = split_threshold;
  default_left[i] = missing_left ? 1 : 0;
  return first;
}

bool Tree::GoesLeft(NodeId node, float x) const {
  if (categorical[At(node)] == 0) return x < threshold[At(node)];
  // What is no category is in no set; a fraction counts as the category below it.
  if (!(x >= 0.0F && x < kCategoryLimit)) return true;
  auto const set = CategorySet(node);
  return !std::binary_search(set.begin(), set.end(), static_cast<std::int32_t>(x));
}

std::vector<NodeId> ReachableNodes(Tree const& tree) {
  std::vector<NodeId> nodes, open;
  nodes.reserve(tree.Size());
  open.reserve(tree.Size() + 1);
  open.push_back(0);
  while (!open.empty()) {
    NodeId const node = open.back();
    open.pop_back();
    nodes.push_back(node);
    if (tree.IsLeaf(node)) continue;
    open.push_back(tree.right[Tree::At(node)]);
    open.push_back(tree.left[Tree::At(node)]);
  }
  return nodes;
}

void CheckTree(Tree const& tree, std::size_t num_features) {
  CheckSizes(tree);
  CheckCategories(tree);
  CheckLinks(tree, num_features);
  CheckNumbers(tree);
}

}  // namespace xgbl
