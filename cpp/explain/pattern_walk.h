// SPDX-License-Identifier: Apache-2.0
// Takes a block of rows to all leaves of a tree at once, and reports at each leaf which features of its path each row
// satisfies. Memory is rows x depth words of bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "explain/background.h"
#include "explain/row_block.h"

namespace xgbl {

/// Distinct features on any path, at most, and levels.
struct PathSizes {
  std::size_t features = 0;
  std::size_t levels = 1;
};

class PatternWalk {
 public:
  using AtLeaf = std::function<void(NodeId leaf, std::vector<std::uint32_t> const& features, PatternView rows,
                                    PatternView background)>;

  PatternWalk(PackedTree const& tree, std::size_t features);

  std::size_t Levels() const { return sizes_.levels; }
  /// Calls `at_leaf` for each leaf, with the features of its path in the order of their bits.
  void Run(RowBlock const& rows, RowBlock const& background, AtLeaf const& at_leaf);

 private:
  struct Side;
  struct Open {
    std::uint32_t place;
    int next;
  };

  void Enter(std::uint32_t place, bool left, std::size_t level, Side* side) const;

  PackedTree const& tree_;
  std::size_t features_;
  PathSizes sizes_;
  std::vector<std::uint32_t> path_;      // distinct features
  std::vector<std::uint32_t> position_;  // by feature: one more than its place in path_, 0 if it is not there
};

}  // namespace xgbl
