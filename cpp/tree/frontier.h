// SPDX-License-Identifier: Apache-2.0
// Decides which nodes are split next, and when growth ends. Next() is told which nodes were evaluated last. It commits
// the splits that can be decided, and returns the nodes whose children must be evaluated before it can go on. An empty
// answer ends the tree.
//   Depthwise: level by level; within max_leaves in the order of the nodes.
//   Lossguide: always the open leaf of the largest gain, ties to the older one. Children of the next best leaves may be
//   evaluated in the same batch, before it is known that these will be split; what is committed is exactly what one
//   node at a time would have given.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "tree/growing_tree.h"
#include "tree/tree_param.h"

namespace xgbl {

class Frontier {
 public:
  virtual ~Frontier() = default;
  virtual std::vector<NodeId> Next(GrowingTree* tree, std::vector<NodeId> const& evaluated) = 0;
};

/// `ahead`: how many of the best leaves Lossguide may have evaluated at once.
/// `stops_early`: whether Depthwise refuses splits that gain less than min_split_loss; Lossguide always does.
std::unique_ptr<Frontier> MakeFrontier(TreeParam const& param, std::size_t ahead, bool stops_early);

}  // namespace xgbl
