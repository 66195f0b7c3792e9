// SPDX-License-Identifier: Apache-2.0
#include "predict/tree_shape.h"

#include <utility>
#include <vector>

namespace xgbl {

TreeShape ShapeOf(Tree const& tree) {
  TreeShape shape;
  std::vector<NodeId> level{0};
  while (true) {
    std::vector<NodeId> next;
    for (NodeId const id : level) {
      if (!tree.IsLeaf(id)) next.insert(next.end(), {tree.left[Tree::At(id)], tree.right[Tree::At(id)]});
    }
    shape.leaves += level.size() - next.size() / 2;
    if (next.empty()) return shape;
    ++shape.levels;
    level = std::move(next);
  }
}

}  // namespace xgbl
