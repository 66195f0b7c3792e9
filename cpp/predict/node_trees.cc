// SPDX-License-Identifier: Apache-2.0
#include "predict/node_trees.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace xgbl {
namespace {

// Whether a node sends missing values left and all others right: no value is below its threshold.
bool AsksForPresence(Tree const& tree, std::size_t node) {
  bool const none_below = !(tree.threshold[node] > -std::numeric_limits<float>::infinity());
  return tree.categorical[node] == 0 && tree.default_left[node] != 0 && none_below;
}

std::uint32_t CellOf(Tree const& tree, std::size_t node, Span<std::uint32_t const> features) {
  auto const* const place = std::lower_bound(features.begin(), features.end(), tree.feature[node]);
  bool const missing_below = tree.default_left[node] != 0 && !AsksForPresence(tree, node);
  return static_cast<std::uint32_t>(static_cast<std::size_t>(place - features.begin()) +
                                    (missing_below ? features.size() : 0));
}

constexpr std::size_t kMostSides = 1024;     // of a node; more of them would take more time to lay out than they save
constexpr std::size_t kMostNodes = 100'000;  // so that 24 bits number their sides

// One more than the last category that goes right at a node.
std::size_t CategoryLimit(Tree const& tree, NodeId node) {
  auto const set = tree.CategorySet(node);
  return set.empty() ? 0 : static_cast<std::size_t>(set[set.size() - 1]) + 1;
}

// Whether a node of a tree that is not `plain` is asked by a set.
bool HasSet(Tree const& tree, NodeId node) { return !tree.IsLeaf(node) && !AskedByComparison(tree, Tree::At(node)); }

bool SetsFit(PackedTree const& packed) {
  if (packed.plain || packed.nodes.size() > kMostNodes) return false;
  return std::all_of(packed.nodes.begin(), packed.nodes.end(), [&](PackedNode const& node) {
    return CategoryLimit(*packed.tree, node.id) < kMostSides && !AsksForPresence(*packed.tree, Tree::At(node.id));
  });
}

// Reading a bit takes longer than reading a byte, if both are near.
bool SetsShare(PackedTree const& packed) {
  std::size_t sides = 0;
  for (PackedNode const& node : packed.nodes) {
    if (HasSet(*packed.tree, node.id)) sides += 1 + CategoryLimit(*packed.tree, node.id);
  }
  return sides > packed.nodes.size() * sizeof(PackedNode);
}

// Nodes with a set get NaN for a threshold, which says "right" of all values, and the set has the last word.
void PackSets(PackedTree* packed) {
  if (!SetsFit(*packed)) return;
  Tree const& tree = *packed->tree;
  packed->shared = SetsShare(*packed);
  packed->sets.resize(packed->nodes.size(), {0, packed->shared ? 1U : 0U});
  packed->sides.assign(1, 1);  // of nodes that compare
  std::size_t first = 0;
  unsigned bit = 0;
  for (std::size_t place = 0; place < packed->nodes.size(); ++place) {
    PackedNode& node = packed->nodes[place];
    if (!HasSet(tree, node.id)) continue;
    if (bit == 0) first = packed->sides.size();
    auto const mask = static_cast<std::uint8_t>(1U << bit);
    std::size_t const limit = CategoryLimit(tree, node.id);
    packed->sides.resize(std::max(packed->sides.size(), first + 1 + limit));
    for (std::int32_t const category : tree.CategorySet(node.id)) {
      packed->sides[first + 1 + static_cast<std::size_t>(category)] |= mask;
    }
    auto const from = static_cast<std::uint32_t>(first);
    packed->sets[place] = {ToBits(static_cast<float>(limit)), packed->shared ? from << 8U | mask : from};
    if (packed->shared) bit = (bit + 1) % 8;
    node.threshold = std::numeric_limits<float>::quiet_NaN();
  }
}

PackedTree PackTree(Tree const& tree, Span<std::uint32_t const> features, SetTables tables) {
  PackedTree packed;
  packed.tree = &tree;
  std::vector<NodeId> order{0};  // level by level
  std::size_t level_end = 1;
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (place == level_end) {
      ++packed.depth;
      level_end = order.size();
    }
    NodeId const id = order[place];
    std::size_t const i = Tree::At(id);
    if (tree.IsLeaf(id)) {
      packed.nodes.push_back({std::numeric_limits<float>::quiet_NaN(), 0, static_cast<std::uint32_t>(place) - 1, id});
      continue;
    }
    auto const first_child = static_cast<std::uint32_t>(order.size());
    packed.nodes.push_back({tree.threshold[i], CellOf(tree, i, features), first_child, id});
    packed.plain = packed.plain && AskedByComparison(tree, i);
    order.push_back(tree.left[i]);
    order.push_back(tree.right[i]);
  }
  if (tables == SetTables::kMade) PackSets(&packed);
  return packed;
}

constexpr std::size_t kTreesTogether = 8;
constexpr int kLevelsAtOnce = 8;

// Takes lanes from roots to leaves; `step(lane, place)` is where a lane goes from a place.
template <std::size_t kLanes, class Step, class Arrived>
std::array<std::uint32_t, kLanes> Descend(int depth, Step const& step, Arrived const& arrived) {
  // So many levels are walked before looking whether all lanes have arrived.
  constexpr int kSteps = kLanes == 1 ? 1 : kLevelsAtOnce;
  std::array<std::uint32_t, kLanes> at{};
  for (int level = 0; level < depth; level += kSteps) {
    int const steps = std::min(kSteps, depth - level);
    for (int i = 0; i < steps; ++i) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) at[lane] = step(lane, at[lane]);
    }
    bool all = level + steps < depth;
    for (std::size_t lane = 0; lane < kLanes; ++lane) all = all && arrived(lane, at[lane]);
    if (all) break;
  }
  return at;
}

std::uint32_t Compared(PackedNode const& node, float const* row) {
  return node.left + (row[node.cell] < node.threshold ? 0U : 1U);
}

// The places of the leaves of kLanes rows.
template <std::size_t kLanes>
std::array<std::uint32_t, kLanes> WalkSideBySide(PackedTree const& tree, float const* cells, std::size_t stride) {
  PackedNode const* const nodes = tree.nodes.data();
  auto const walk = [&](auto const& ask) {
    return Descend<kLanes>(
        tree.depth, [&](std::size_t lane, std::uint32_t place) { return ask(place, cells + lane * stride); },
        [&](std::size_t, std::uint32_t place) { return IsLeaf(tree, place); });
  };
  if (tree.plain) return walk([&](std::uint32_t place, float const* row) { return Compared(nodes[place], row); });
  if (tree.sets.empty()) {
    return walk([&](std::uint32_t place, float const* row) {
      return nodes[place].left + (GoesRight(tree, nodes[place], row[nodes[place].cell]) ? 1U : 0U);
    });
  }
  auto const by_sets = [&](auto shared) {
    return walk([&](std::uint32_t place, float const* row) {
      return nodes[place].left + GoesRightBySets<shared.value>(tree, place, row);
    });
  };
  return tree.shared ? by_sets(std::true_type()) : by_sets(std::false_type());
}

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

bool AskedByComparison(Tree const& tree, std::size_t node) {
  return tree.categorical[node] == 0 && !AsksForPresence(tree, node);
}

std::vector<std::uint32_t> UsedFeatures(Model const& model, RoundRange trees) {
  std::vector<std::uint32_t> used;
  for (std::size_t t = trees.begin; t < trees.end; ++t) {
    Tree const& tree = *model.trees[t];
    for (std::size_t i = 0; i < tree.Size(); ++i) {
      if (!tree.IsLeaf(static_cast<NodeId>(i))) used.push_back(tree.feature[i]);
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
  }
  return used;
}

bool GoesRight(PackedTree const& packed, PackedNode const& node, float x) {
  Tree const& tree = *packed.tree;
  std::size_t const at = Tree::At(node.id);
  if (tree.IsLeaf(node.id) || AskedByComparison(tree, at)) return !(x < node.threshold);
  if (tree.categorical[at] == 0) return !std::isnan(x);
  // NaN and minus infinity are no categories: the one stands for a missing value that goes right, the other goes left.
  return std::isnan(x) || !tree.GoesLeft(node.id, x);
}

std::vector<PackedTree> PackTrees(Model const& model, RoundRange trees, Span<std::uint32_t const> features,
                                  SetTables tables) {
  std::vector<PackedTree> packed;
  for (std::size_t t = trees.begin; t < trees.end; ++t) packed.push_back(PackTree(*model.trees[t], features, tables));
  return packed;
}

void FindLeaves(PackedTree const& tree, float const* cells, std::size_t stride, std::array<NodeId, kWalkRows>* leaves) {
  auto const places = WalkSideBySide<kWalkRows>(tree, cells, stride);
  for (std::size_t lane = 0; lane < kWalkRows; ++lane) (*leaves)[lane] = tree.nodes[places[lane]].id;
}

void PutCells(float const* values, std::size_t count, float* cells) {
  if (count == 0) cells[0] = 0;  // for the leaf of a tree without splits to look at
  for (std::size_t i = 0; i < count; ++i) {
    cells[i] = values[i];
    cells[count + i] = std::isnan(values[i]) ? -std::numeric_limits<float>::infinity() : values[i];
  }
}

NodeTrees::NodeTrees(Model const& model, std::vector<TreeShape> const& shapes, Span<std::uint32_t const> used)
    : features_(used.size()),
      trees_(PackTrees(model, {0, model.trees.size()}, used, SetTables::kMade)),
      owners_(model.trees) {
  std::size_t values = 0;
  for (auto const& packed : trees_) values += packed.nodes.size() * static_cast<std::size_t>(packed.tree->outputs);
  values_.reserve(values);
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    Tree const& tree = *trees_[t].tree;
    Entry entry;
    entry.nodes = trees_[t].nodes.data();
    entry.values = values_.data() + values_.size();
    entry.output = tree.outputs == 1 ? static_cast<std::uint32_t>(model.tree_output[t]) : 0;
    entry.outputs = static_cast<std::uint32_t>(tree.outputs);
    entry.depth = trees_[t].depth;
    entry.plain = trees_[t].plain;
    for (auto const& node : trees_[t].nodes) {
      for (float const value : tree.Value(node.id)) values_.push_back(model.TreeWeight(t) * value);
    }
    entries_.push_back(entry);
    // Of the trees that are walked together one has a longer path, and they end after kLevelsAtOnce levels or twice
    // that. A set without a table is searched.
    double const longest = std::ceil((shapes[t].path + 2) / kLevelsAtOnce) * kLevelsAtOnce;
    double const steps = entry.plain ? std::min(static_cast<double>(entry.depth), longest) : shapes[t].path;
    double const node = entry.plain ? 5 : trees_[t].sets.empty() ? 250 : 40, each = 10.0 + entry.outputs;
    cycles_.push_back(cycles_.back() + each + node * steps);
    most_cycles_ += each + node * entry.depth;
  }
}

void NodeTrees::Add(std::size_t first, std::size_t end, float const* cells, float* margins) const {
  while (first < end) {
    if (!entries_[first].plain) {
      AddValue(entries_[first], WalkSideBySide<1>(trees_[first], cells, 0)[0], margins);
      ++first;
      continue;
    }
    std::size_t count = 1;
    while (count < kTreesTogether && first + count < end && entries_[first + count].plain) ++count;
    AddTogether(entries_.data() + first, count, cells, margins);
    first += count;
  }
}

void NodeTrees::AddTogether(Entry const* trees, std::size_t count, float const* cells, float* margins) const {
  std::array<PackedNode const*, kTreesTogether> nodes{};
  int depth = 0;
  for (std::size_t k = 0; k < kTreesTogether; ++k) {
    Entry const& tree = trees[std::min(k, count - 1)];
    nodes[k] = tree.nodes;
    depth = std::max(depth, tree.depth);
  }
  auto const at = Descend<kTreesTogether>(
      depth, [&](std::size_t k, std::uint32_t place) { return Compared(nodes[k][place], cells); },
      [&](std::size_t k, std::uint32_t place) { return nodes[k][place].left + 1 == place; });
  for (std::size_t k = 0; k < count; ++k) AddValue(trees[k], at[k], margins);
}

void NodeTrees::AddValue(Entry const& tree, std::uint32_t place, float* margins) const {
  float const* const value = tree.values + std::size_t{place} * tree.outputs;
  for (std::size_t k = 0; k < tree.outputs; ++k) margins[tree.output + k] += value[k];
}

double NodeTrees::Cycles(std::size_t first, std::size_t end) const {
  return 40 + 3 * static_cast<double>(features_) + cycles_[end] - cycles_[first];
}

}  // namespace xgbl
