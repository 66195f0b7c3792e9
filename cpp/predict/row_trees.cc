// SPDX-License-Identifier: Apache-2.0
#include "predict/row_trees.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace xgbl {

RowTrees::RowTrees(Model const& model, std::vector<TreeShape> const& shapes, Span<std::uint32_t const> used)
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
    double const node = NodeCycles(trees_[t]), each = 10.0 + entry.outputs;
    cycles_.push_back(cycles_.back() + each + node * StepsOf(entry, shapes[t].path));
    most_cycles_ += each + node * entry.depth;
  }
}

// A set without a table is searched.
double RowTrees::NodeCycles(PackedTree const& tree) {
  if (tree.plain) return 5;
  return tree.sets.empty() ? 250 : 40;
}

// About how many nodes are asked for a row that meets `path` of them in the mean.
double RowTrees::StepsOf(Entry const& tree, double path) {
  if (!tree.plain) return path;
  // Of the trees that are walked together one has a longer path, and they end after kLevelsAtOnce levels or twice that.
  double const longest = std::ceil((path + 2) / kLevelsAtOnce) * kLevelsAtOnce;
  return std::min(static_cast<double>(tree.depth), longest);
}

void RowTrees::Put(float const* values, float* cells) const {
  if (features_ == 0) cells[0] = 0;  // for the leaf of a tree without splits to look at
  for (std::size_t i = 0; i < features_; ++i) {
    cells[i] = values[i];
    cells[features_ + i] = std::isnan(values[i]) ? -std::numeric_limits<float>::infinity() : values[i];
  }
}

void RowTrees::Add(std::size_t first, std::size_t end, float const* cells, float* margins) const {
  while (first < end) {
    if (!entries_[first].plain) {
      AddValue(entries_[first], WalkAlone(first, cells), margins);
      ++first;
      continue;
    }
    std::size_t count = 1;
    while (count < kTogether && first + count < end && entries_[first + count].plain) ++count;
    AddTogether(entries_.data() + first, count, cells, margins);
    first += count;
  }
}

void RowTrees::AddTogether(Entry const* trees, std::size_t count, float const* cells, float* margins) const {
  std::array<PackedNode const*, kTogether> nodes{};
  std::array<std::uint32_t, kTogether> at{};
  int depth = 0;
  for (std::size_t k = 0; k < kTogether; ++k) {
    Entry const& tree = trees[std::min(k, count - 1)];
    nodes[k] = tree.nodes;
    depth = std::max(depth, tree.depth);
  }
  for (int level = 0; level < depth; level += kLevelsAtOnce) {
    int const steps = std::min(kLevelsAtOnce, depth - level);
    for (int step = 0; step < steps; ++step) {
      for (std::size_t k = 0; k < kTogether; ++k) {
        PackedNode const& node = nodes[k][at[k]];
        at[k] = node.left + (cells[node.cell] < node.threshold ? 0U : 1U);
      }
    }
    bool arrived = level + steps < depth;
    for (std::size_t k = 0; k < kTogether; ++k) arrived = arrived && nodes[k][at[k]].left + 1 == at[k];
    if (arrived) break;
  }
  for (std::size_t k = 0; k < count; ++k) AddValue(trees[k], at[k], margins);
}

std::uint32_t RowTrees::WalkAlone(std::size_t tree, float const* cells) const {
  PackedTree const& packed = trees_[tree];
  PackedNode const* const nodes = packed.nodes.data();
  std::uint32_t at = 0;
  while (nodes[at].left + 1 != at) {
    bool const goes_right = packed.sets.empty() ? GoesRight(packed, nodes[at], cells[nodes[at].cell])
                            : packed.shared     ? GoesRightBySets<true>(packed, at, cells) != 0
                                                : GoesRightBySets<false>(packed, at, cells) != 0;
    at = nodes[at].left + (goes_right ? 1U : 0U);
  }
  return at;
}

void RowTrees::AddValue(Entry const& tree, std::uint32_t place, float* margins) const {
  float const* const value = tree.values + std::size_t{place} * tree.outputs;
  for (std::size_t k = 0; k < tree.outputs; ++k) margins[tree.output + k] += value[k];
}

double RowTrees::Cycles(std::size_t first, std::size_t end) const {
  return 40 + 3 * static_cast<double>(features_) + cycles_[end] - cycles_[first];
}

}  // namespace xgbl
