// SPDX-License-Identifier: Apache-2.0
#include "predict/block_trees.h"

#include <algorithm>
#include <utility>

#include "simd/kernels.h"

namespace xgbl {
namespace {

// A packed node: the left child, the right one being the next, in 32 bits; the edge in 8; whether the left child is a
// leaf, and whether the right one is, in one each; the rest is the number of the cell, which CodeBook keeps small.
constexpr unsigned kEdgeShift = 32;
constexpr unsigned kLeafShift = 40;
constexpr unsigned kCellShift = 42;

std::uint64_t Pack(HeapNode const& node, std::uint32_t left, bool left_leaf, bool right_leaf) {
  std::uint64_t const leaves = (left_leaf ? 1U : 0U) + (right_leaf ? 2U : 0U);
  return left | std::uint64_t{node.edge & 0xFFU} << kEdgeShift | leaves << kLeafShift |
         std::uint64_t{node.cell / kCodeRows} << kCellShift;
}

std::uint32_t LevelsOf(Tree const& tree) {
  std::vector<NodeId> level{0};
  for (std::uint32_t depth = 0;; ++depth) {
    std::vector<NodeId> next;
    for (NodeId const id : level) {
      if (!tree.IsLeaf(id)) next.insert(next.end(), {tree.left[Tree::At(id)], tree.right[Tree::At(id)]});
    }
    if (next.empty() || depth == kMostHeapLevels) return depth;
    level = std::move(next);
  }
}

std::size_t LeafRoom(std::uint32_t levels) { return std::max<std::size_t>(16, std::size_t{1} << levels); }

struct Walker {
  std::uint64_t const* nodes;
  std::uint8_t const* codes;
  std::uint32_t* at;      // by row
  std::uint8_t* walking;  // the rows that have not arrived

  // One level; how many rows are left.
  std::size_t Step(std::size_t count) const {
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint8_t const row = walking[i];
      std::uint64_t const node = nodes[at[row]];
      std::uint8_t const code = codes[(node >> kCellShift) * kCodeRows + row];
      unsigned const right = code >= static_cast<std::uint8_t>(node >> kEdgeShift) ? 1U : 0U;
      at[row] = static_cast<std::uint32_t>(node) + right;
      walking[left] = row;
      left += 1U ^ (static_cast<unsigned>(node >> kLeafShift) >> right & 1U);
    }
    return left;
  }
};

}  // namespace

BlockTrees::BlockTrees(Model const& model, CodeBook const& book) : deep_of_(model.trees.size(), -1) {
  // The heaps point into arrays that grow: offsets first.
  std::vector<std::size_t> nodes, leaves;
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    nodes.push_back(heap_nodes_.size());
    leaves.push_back(leaves_.size());
    AddTree(model, t, book);
  }
  for (std::size_t t = 0; t < heaps_.size(); ++t) {
    heaps_[t].nodes = heap_nodes_.data() + nodes[t];
    heaps_[t].leaves = leaves_.data() + leaves[t];
  }
}

void BlockTrees::AddTree(Model const& model, std::size_t t, CodeBook const& book) {
  Tree const& tree = *model.trees[t];
  HeapTree heap;
  heap.levels = std::max(1U, LevelsOf(tree));
  heap.output = tree.outputs == 1 ? static_cast<std::uint32_t>(model.tree_output[t]) : 0;
  heap.outputs = static_cast<std::uint32_t>(tree.outputs);
  heaps_.push_back(heap);
  std::vector<NodeId> level{0};
  for (std::uint32_t depth = 0; depth < heap.levels; ++depth) {
    std::vector<NodeId> next;
    for (NodeId const id : level) {
      // Both sides of a leaf are the leaf: what its node asks does not matter.
      bool const leaf = tree.IsLeaf(id);
      heap_nodes_.push_back(leaf ? HeapNode{} : book.NodeOf(tree, Tree::At(id)));
      next.push_back(leaf ? id : tree.left[Tree::At(id)]);
      next.push_back(leaf ? id : tree.right[Tree::At(id)]);
    }
    level = std::move(next);
  }
  bool const deep = std::any_of(level.begin(), level.end(), [&](NodeId id) { return !tree.IsLeaf(id); });
  if (!deep) return AddLeaves(tree, level, model.TreeWeight(t));
  deep_of_[t] = static_cast<std::int32_t>(deep_.size());
  deep_.push_back(Deepen(tree, level, model.TreeWeight(t), book));
}

void BlockTrees::AddLeaves(Tree const& tree, std::vector<NodeId> const& exits, float weight) {
  std::size_t const room = LeafRoom(heaps_.back().levels);
  for (std::size_t k = 0; k < static_cast<std::size_t>(tree.outputs); ++k) {
    std::size_t const first = leaves_.size();
    leaves_.resize(first + room);
    for (std::size_t i = 0; i < exits.size(); ++i) leaves_[first + i] = weight * tree.Value(exits[i])[k];
  }
}

BlockTrees::DeepTree BlockTrees::Deepen(Tree const& tree, std::vector<NodeId> const& exits, float weight,
                                        CodeBook const& book) {
  DeepTree deep;
  std::vector<NodeId> order;
  for (std::size_t i = 0; i < exits.size(); ++i) {
    bool const repeated = i > 0 && exits[i] == exits[i - 1];
    if (!repeated) order.push_back(exits[i]);
    deep.exits[i] = static_cast<std::uint32_t>(order.size() - 1);
    deep.exit_leaf |= std::uint64_t{tree.IsLeaf(exits[i]) ? 1U : 0U} << i;
  }
  std::size_t splits = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    NodeId const id = order[place];
    for (float const value : tree.Value(id)) deep.values.push_back(weight * value);
    if (tree.IsLeaf(id)) {
      deep.nodes.push_back(0);
      continue;
    }
    ++splits;
    NodeId const left = tree.left[Tree::At(id)], right = tree.right[Tree::At(id)];
    deep.nodes.push_back(Pack(book.NodeOf(tree, Tree::At(id)), static_cast<std::uint32_t>(order.size()),
                              tree.IsLeaf(left), tree.IsLeaf(right)));
    order.insert(order.end(), {left, right});
  }
  // Leaves near the heap hold more rows than those far below: about the logarithm of how many there are for an exit.
  for (std::size_t fan = 1 + splits / exits.size(); fan > 0; fan /= 2) ++deep.path;
  return deep;
}

void BlockTrees::Add(std::size_t first, std::size_t end, HeapTask task, Context const& ctx) const {
  while (first < end) {
    std::size_t stop = first;
    while (stop < end && deep_of_[stop] < 0) ++stop;
    task.trees = heaps_.data() + first;
    task.count = stop - first;
    if (task.count > 0) Simd(ctx).add_heaps(task);
    for (; stop < end && deep_of_[stop] >= 0; ++stop) AddDeep(stop, task, ctx);
    first = stop;
  }
}

void BlockTrees::AddDeep(std::size_t tree, HeapTask const& task, Context const& ctx) const {
  HeapTree const& heap = heaps_[tree];
  DeepTree const& deep = deep_[static_cast<std::size_t>(deep_of_[tree])];
  auto const leaves_of = Simd(ctx).heap_leaves;
  std::uint8_t exit[kCodeRows], walking[kCodeRows];
  std::uint32_t at[kCodeRows];
  for (std::size_t block = 0; block < task.blocks; ++block) {
    std::uint8_t const* const codes = task.codes + block * task.block_bytes;
    leaves_of(heap, codes, exit);
    std::size_t count = 0;
    for (std::size_t row = 0; row < kCodeRows; ++row) {
      at[row] = deep.exits[exit[row]];
      walking[count] = static_cast<std::uint8_t>(row);
      count += 1U ^ (deep.exit_leaf >> exit[row] & 1U);
    }
    Walker const walker{deep.nodes.data(), codes, at, walking};
    while (count > 0) count = walker.Step(count);
    float* const sums = task.sums + block * task.block_sums + heap.output * kCodeRows;
    for (std::size_t k = 0; k < heap.outputs; ++k) {
      float const* const values = deep.values.data() + k;
      for (std::size_t row = 0; row < kCodeRows; ++row) {
        sums[k * kCodeRows + row] += values[std::size_t{at[row]} * heap.outputs];
      }
    }
  }
}

double BlockTrees::CyclesOf(std::size_t tree, Context const& ctx) const {
  HeapTree const& heap = heaps_[tree];
  // Nodes times vectors, then what becomes of the leaf; without vectors a row takes its own steps.
  double const nodes = static_cast<double>(std::size_t{1} << heap.levels);
  double cycles = 25.0 * heap.outputs;
  if (ctx.simd == SimdLevel::kAvx512) cycles += 1.2 * nodes;
  if (ctx.simd == SimdLevel::kAvx2) cycles += 4 * nodes + 40 * heap.outputs;
  if (ctx.simd == SimdLevel::kScalar) cycles += 64 * (6.5 * heap.levels + heap.outputs);
  if (deep_of_[tree] >= 0) cycles += 64 * 4 * deep_[static_cast<std::size_t>(deep_of_[tree])].path;
  return cycles;
}

}  // namespace xgbl
