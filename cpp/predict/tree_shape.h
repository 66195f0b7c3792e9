// SPDX-License-Identifier: Apache-2.0
// How deep and large a tree is, without nodes that pruning left behind, and how rows are expected to spread over it: by
// the covers, or evenly without them. O(nodes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/model.h"

namespace xgbl {

struct TreeShape {
  std::uint32_t levels = 0;  // of splits
  std::size_t leaves = 0;
  double path = 0;            // splits that a row meets in the mean
  std::vector<float> shares;  // by node: of the rows that reach it
};

TreeShape ShapeOf(Tree const& tree);
std::vector<TreeShape> ShapesOf(Model const& model);

}  // namespace xgbl
