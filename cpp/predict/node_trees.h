// SPDX-License-Identifier: Apache-2.0
// Trees packed for walking: 16 bytes per node, siblings side by side, levels in order. A step loads the node, loads the
// value, compares and adds, without branches and without testing for missing values. For that a row has two cells per
// feature. In one a missing value is NaN, which is below nothing and so goes right; in the other it is minus infinity,
// which goes left. A node reads the cell that suits its default. A leaf leads to itself, so rows that arrive early can
// keep stepping with the others. Sets of categories are tables, looked up at every step of a tree that has any, so no
// branch depends on the kind of a node. They take 8 bytes per node of such a tree, and one byte per category up to the
// last one listed, at most 1 KB. Every set has a table if these take no more memory than the nodes; otherwise eight
// sets share one. Built per call, in time linear in the nodes and tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/math.h"
#include "base/span.h"
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

struct PackedNode {
  float threshold;     // of a leaf it is NaN, which no value is below
  std::uint32_t cell;  // of the row
  std::uint32_t left;  // the right child is the next; of a leaf the node before itself, as nothing goes left there
  NodeId id;           // in the tree
};

/// The categories that go right at a node: of the sides from `first` on, the first is that of what is no category below
/// the limit, the next that of category 0. The limit stands as its bits: numbers from 0 on are in the order of theirs.
/// A node that compares has no category, and 1 for all. Where that takes much memory, eight nodes share sides, a bit
/// each.
struct PackedSet {
  std::uint32_t limit_bits = 0;
  std::uint32_t first = 0;  // of shared sides 256 times that, plus the node's bit
};

struct PackedTree {
  Tree const* tree = nullptr;
  std::vector<PackedNode> nodes;
  int depth = 0;      // steps to the deepest leaf
  bool plain = true;  // every node is asked by a comparison; else by GoesRight()
  // Of a tree whose nodes have sets or are asked by a comparison: by place. Empty of all others, where categories are
  // too many for tables, and where nobody asked for these.
  std::vector<PackedSet> sets;
  std::vector<std::uint8_t> sides;  // 1 is right
  bool shared = false;              // the sides, by eight nodes
};

/// Whether comparing its cell with the threshold tells where a row goes at a node that is no leaf.
bool AskedByComparison(Tree const& tree, std::size_t node);

/// Whether a row goes right at a node of any kind; `x` is its cell.
bool GoesRight(PackedTree const& tree, PackedNode const& node, float x);

/// Whether the row that has this value at a node's cell goes left there.
inline bool GoesLeft(PackedTree const& tree, PackedNode const& node, float x) {
  return tree.plain ? x < node.threshold : !GoesRight(tree, node, x);
}

inline bool IsLeaf(PackedTree const& tree, std::uint32_t place) { return tree.nodes[place].left + 1 == place; }

/// 1 if a row goes right at a place of a tree with `sets`, else 0; `kShared` is the tree's.
template <bool kShared>
inline std::uint32_t GoesRightBySets(PackedTree const& tree, std::uint32_t place, float const* row) {
  PackedNode const& node = tree.nodes.data()[place];
  PackedSet const& set = tree.sets.data()[place];
  float const x = row[node.cell];
  // Numbers instead of conditions: kinds of nodes and sides of rows are as good as random, and branches would be slow.
  std::uint32_t const bits = ToBits(x + 0.0F);  // -0 is category 0
  auto const inside = static_cast<std::uint32_t>(bits < set.limit_bits);
  auto const category = static_cast<std::uint32_t>(static_cast<std::int32_t>(FromBits<float>(bits & (0U - inside))));
  std::uint32_t listed = tree.sides.data()[(kShared ? set.first >> 8U : set.first) + category + inside];
  if (kShared) listed = static_cast<std::uint32_t>((listed & set.first) != 0);
  auto const missing = static_cast<std::uint32_t>(x != x);
  return static_cast<std::uint32_t>(!(x < node.threshold)) & (listed | missing);
}

/// The features on which trees [trees.begin, trees.end) split, rising.
std::vector<std::uint32_t> UsedFeatures(Model const& model, RoundRange trees);

/// What sets of categories become: tables for GoesRightBySets(), where they fit; or nothing, for GoesRight() alone.
enum class SetTables { kMade, kNone };

/// `features` lists the features of the cells of a row: cell i is for missing values that go right, cell
/// features.size() + i for those that go left.
std::vector<PackedTree> PackTrees(Model const& model, RoundRange trees, Span<std::uint32_t const> features,
                                  SetTables tables);

/// So many rows walk a tree side by side: enough of them to cover the time that a load takes.
constexpr std::size_t kWalkRows = 16;
/// The leaves of kWalkRows rows, whose cells begin `stride` apart.
void FindLeaves(PackedTree const& tree, float const* cells, std::size_t stride, std::array<NodeId, kWalkRows>* leaves);

/// Puts the values of `count` features, NaN if missing, into the two cells of each.
void PutCells(float const* values, std::size_t count, float* cells);

/// Trees for serving rows one by one: a row walks several side by side, so that their loads overlap, but those with
/// splits that need more than a comparison, such as categorical ones, alone. Immutable; made in O(nodes).
class NodeTrees {
 public:
  /// `used`: the features that the model splits on, rising.
  NodeTrees(Model const& model, std::vector<TreeShape> const& shapes, Span<std::uint32_t const> used);
  NodeTrees(NodeTrees const&) = delete;  // entries point into arrays
  NodeTrees& operator=(NodeTrees const&) = delete;

  /// Two for each used feature, at least one.
  std::size_t Cells() const { return features_ == 0 ? 1 : 2 * features_; }
  void Put(float const* values, float* cells) const { PutCells(values, features_, cells); }
  /// Adds trees [first, end) to the margins of the row, one for each output.
  void Add(std::size_t first, std::size_t end, float const* cells, float* margins) const;
  /// About how many cycles a row takes.
  double Cycles(std::size_t first, std::size_t end) const;
  /// The same in all trees, of a row that goes to the deepest leaves.
  double MostCycles() const { return most_cycles_; }

 private:
  struct Entry {
    PackedNode const* nodes = nullptr;
    float const* values = nullptr;  // by place and output
    std::uint32_t output = 0;
    std::uint32_t outputs = 1;
    int depth = 0;
    bool plain = true;
  };

  void AddTogether(Entry const* trees, std::size_t count, float const* cells, float* margins) const;
  void AddValue(Entry const& tree, std::uint32_t place, float* margins) const;

  std::size_t features_ = 0;
  std::vector<Entry> entries_;
  std::vector<PackedTree> trees_;
  std::vector<float> values_;
  std::vector<std::shared_ptr<Tree const>> owners_;
  std::vector<double> cycles_{0};  // of all trees before one
  double most_cycles_ = 0;
};

}  // namespace xgbl
