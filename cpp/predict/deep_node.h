// SPDX-License-Identifier: Apache-2.0
// A node below the top of a large tree, in 64 bits: 32 for the left child (the right one is next to it), 8 for the
// edge, one each for whether the left and the right child are leaves. The rest is the number of the cell, which
// CodeBook keeps small.
#pragma once

#include <cstddef>
#include <cstdint>

#include "predict/questions.h"

namespace xgbl {

class DeepNode {
 public:
  DeepNode() = default;
  DeepNode(Question question, std::uint32_t left, bool left_leaf, bool right_leaf)
      : bits_(left | std::uint64_t{question & 0xFFU} << kEdgeShift | std::uint64_t{left_leaf} << kLeafShift |
              std::uint64_t{right_leaf} << (kLeafShift + 1) | std::uint64_t{question >> 8U} << kCellShift) {}

  std::size_t Cell() const { return bits_ >> kCellShift; }
  /// Which way a code of the cell goes: 1 for right.
  unsigned Side(std::uint8_t code) const { return code >= static_cast<std::uint8_t>(bits_ >> kEdgeShift) ? 1U : 0U; }
  std::uint32_t Child(unsigned side) const { return static_cast<std::uint32_t>(bits_) + side; }
  /// 1 if the child is a leaf.
  unsigned LeafAt(unsigned side) const { return static_cast<unsigned>(bits_ >> kLeafShift) >> side & 1U; }

 private:
  static constexpr unsigned kEdgeShift = 32;
  static constexpr unsigned kLeafShift = 40;
  static constexpr unsigned kCellShift = 42;

  std::uint64_t bits_ = 0;
};

}  // namespace xgbl
