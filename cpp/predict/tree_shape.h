// SPDX-License-Identifier: Apache-2.0
// How deep and how large a tree is, without nodes that pruning left behind.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tree/tree.h"

namespace xgbl {

struct TreeShape {
  std::uint32_t levels = 0;  // of splits
  std::size_t leaves = 0;
};

TreeShape ShapeOf(Tree const& tree);

}  // namespace xgbl
