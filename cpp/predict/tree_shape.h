// SPDX-License-Identifier: Apache-2.0
// What layouts of trees are chosen by and share. O(nodes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/model.h"

namespace xgbl {

/// How deep and large a tree is, without nodes that pruning left behind, and how rows are expected to spread over it:
/// by the covers, or evenly without them.
struct TreeShape {
  std::uint32_t levels = 0;  // of splits
  std::size_t leaves = 0;
  double path = 0;            // splits that a row meets in the mean
  std::vector<float> shares;  // by node: of the rows that reach it
};

TreeShape ShapeOf(Tree const& tree);
std::vector<TreeShape> ShapesOf(Model const& model);

/// What the leaves of trees add, tree after tree and by output. Each output begins on a new cache line, so a register
/// can be loaded from one line.
class LeafTable {
 public:
  static constexpr std::size_t kLine = 16;

  /// Where the next tree begins.
  std::size_t End() const { return lines_.size(); }
  /// Adds those of a tree, times its weight; each output has `room` places, a multiple of kLine.
  void Add(Tree const& tree, std::vector<NodeId> const& leaves, std::size_t room, float weight) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(tree.outputs); ++k) {
      std::size_t const first = lines_.size();
      lines_.resize(first + room / kLine);
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        lines_[first + i / kLine].values[i % kLine] = weight * tree.Value(leaves[i])[k];
      }
    }
  }
  /// Valid until the next tree is added.
  float const* From(std::size_t begin) const {
    static_assert(sizeof(Line) == kLine * sizeof(float));
    return reinterpret_cast<float const*>(lines_.data()) + begin * kLine;
  }

 private:
  struct alignas(64) Line {
    float values[kLine] = {};
  };

  std::vector<Line> lines_;
};

}  // namespace xgbl
