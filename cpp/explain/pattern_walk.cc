// SPDX-License-Identifier: Apache-2.0
#include "explain/pattern_walk.h"

#include <algorithm>

#include "explain/shap_plan.h"

namespace xgbl {
namespace {

constexpr std::size_t kWordBits = 64;

}  // namespace

// The patterns of a block by level.
struct PatternWalk::Side {
  Side(RowBlock const& block, std::size_t levels, std::size_t num_words)
      : rows(block), words(num_words), bits(levels * num_words * block.Rows()) {}
  std::size_t LevelSize() const { return words * rows.Rows(); }
  PatternView At(std::size_t level) const { return {bits.data() + level * LevelSize(), rows.Rows(), words}; }

  RowBlock const& rows;
  std::size_t words;
  std::vector<std::uint64_t> bits;
};

PatternWalk::PatternWalk(PackedTree const& tree, std::size_t features)
    : tree_(tree), features_(features), position_(features, 0) {
  sizes_.levels = static_cast<std::size_t>(tree.depth) + 1;
  sizes_.features = std::min(features, sizes_.levels);
}

// The patterns of the children's level: those of the node, with what its split says on one side.
void PatternWalk::Enter(std::uint32_t place, bool left, std::size_t level, Side* side) const {
  PackedNode const& node = tree_.nodes[place];
  std::size_t const bit = position_[FeatureOfCell(node.cell, features_)] - 1;
  std::size_t const count = side->rows.Rows();
  std::uint64_t const* const from = side->bits.data() + level * side->LevelSize();
  std::uint64_t* const to = side->bits.data() + (level + 1) * side->LevelSize();
  std::copy_n(from, side->LevelSize(), to);
  std::uint64_t const mask = std::uint64_t{1} << bit % kWordBits;
  std::uint64_t* const word = to + bit / kWordBits * count;
  for (std::size_t row = 0; row < count; ++row) {
    float const x = side->rows.Cells(row / kGroupRows)[node.cell * kGroupRows + row % kGroupRows];
    word[row] &= GoesLeft(tree_, node, x) == left ? ~std::uint64_t{0} : ~mask;
  }
}

void PatternWalk::Run(RowBlock const& rows, RowBlock const& background, AtLeaf const& at_leaf) {
  std::size_t const words = (sizes_.features + kWordBits - 1) / kWordBits;
  Side x(rows, sizes_.levels, words), z(background, sizes_.levels, words);
  std::vector<Open> open{{0, 0}};
  std::vector<bool> added;  // by level: whether the node brought a new feature
  auto const set_bit = [&](Side* side, std::size_t level, std::size_t bit, bool value) {
    std::uint64_t* const word = side->bits.data() + level * side->LevelSize() + bit / kWordBits * side->rows.Rows();
    std::uint64_t const mask = std::uint64_t{1} << bit % kWordBits;
    for (std::size_t row = 0; row < side->rows.Rows(); ++row) word[row] = value ? word[row] | mask : word[row] & ~mask;
  };
  while (!open.empty()) {
    Open& at = open.back();
    std::size_t const level = open.size() - 1;
    if (IsLeaf(tree_, at.place)) {
      at_leaf(tree_.nodes[at.place].id, path_, x.At(level), z.At(level));
      open.pop_back();
      continue;
    }
    std::uint32_t const feature = FeatureOfCell(tree_.nodes[at.place].cell, features_);
    if (at.next == 0) {
      added.push_back(position_[feature] == 0);
      if (added.back()) {
        path_.push_back(feature);
        position_[feature] = static_cast<std::uint32_t>(path_.size());
        set_bit(&x, level, path_.size() - 1, true);
        set_bit(&z, level, path_.size() - 1, true);
      }
    }
    if (at.next == 2) {
      if (added.back()) {
        position_[feature] = 0;
        path_.pop_back();
      }
      added.pop_back();
      open.pop_back();
      continue;
    }
    bool const left = at.next++ == 0;
    Enter(at.place, left, level, &x);
    Enter(at.place, left, level, &z);
    open.push_back({tree_.nodes[at.place].left + (left ? 0U : 1U), 0});
  }
}

}  // namespace xgbl
