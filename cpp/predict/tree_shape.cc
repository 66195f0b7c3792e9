// SPDX-License-Identifier: Apache-2.0
#include "predict/tree_shape.h"

#include <algorithm>

namespace xgbl {
namespace {

// Of the rows at a split, those that go left.
float LeftShare(Tree const& tree, std::size_t node) {
  float const left = tree.cover[Tree::At(tree.left[node])], right = tree.cover[Tree::At(tree.right[node])];
  return left >= 0 && right >= 0 && left + right > 0 ? left / (left + right) : 0.5F;
}

}  // namespace

TreeShape ShapeOf(Tree const& tree) {
  TreeShape shape;
  shape.shares.resize(tree.Size());
  shape.shares[0] = 1;
  std::vector<std::uint32_t> depth(tree.Size());
  for (NodeId const id : ReachableNodes(tree)) {
    std::size_t const node = Tree::At(id);
    shape.levels = std::max(shape.levels, depth[node]);
    if (tree.IsLeaf(id)) {
      ++shape.leaves;
      continue;
    }
    std::size_t const left = Tree::At(tree.left[node]), right = Tree::At(tree.right[node]);
    depth[left] = depth[right] = depth[node] + 1;
    shape.path += double{shape.shares[node]};
    shape.shares[left] = shape.shares[node] * LeftShare(tree, node);
    shape.shares[right] = shape.shares[node] - shape.shares[left];
  }
  return shape;
}

std::vector<TreeShape> ShapesOf(Model const& model) {
  std::vector<TreeShape> shapes;
  shapes.reserve(model.trees.size());
  for (auto const& tree : model.trees) shapes.push_back(ShapeOf(*tree));
  return shapes;
}

}  // namespace xgbl
