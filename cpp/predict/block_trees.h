// SPDX-License-Identifier: Apache-2.0
// Trees for rows that come in blocks of 64 as codes. The first six levels of a tree are a heap, all of whose nodes are
// compared; a leaf above the last of them is repeated below. What lies deeper is walked row by row, siblings side by
// side; a row that has arrived is left out, as paths differ much in length. Immutable; made in O(nodes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "model/model.h"
#include "predict/code_book.h"
#include "simd/serving_tasks.h"

namespace xgbl {

class BlockTrees {
 public:
  BlockTrees(Model const& model, CodeBook const& book);
  BlockTrees(BlockTrees const&) = delete;  // the heaps point into arrays
  BlockTrees& operator=(BlockTrees const&) = delete;

  /// Adds trees [first, end) to the sums of the task's blocks; its trees are not heeded.
  void Add(std::size_t first, std::size_t end, HeapTask task, Context const& ctx) const;
  /// About how many cycles a tree takes for a block.
  double CyclesOf(std::size_t tree, Context const& ctx) const;

 private:
  // What is below the heap of a tree.
  struct DeepTree {
    std::uint32_t exits[std::size_t{1} << kMostHeapLevels] = {};  // by leaf of the heap, the node
    std::uint64_t exit_leaf = 0;                                  // which of them are leaves
    std::vector<std::uint64_t> nodes;                             // Pack()ed
    std::vector<float> values;                                    // by node and output
    double path = 0;                                              // mean length over its leaves
  };

  void AddTree(Model const& model, std::size_t tree, CodeBook const& book);
  void AddLeaves(Tree const& tree, std::vector<NodeId> const& exits, float weight);
  static DeepTree Deepen(Tree const& tree, std::vector<NodeId> const& exits, float weight, CodeBook const& book);
  void AddDeep(std::size_t tree, HeapTask const& task, Context const& ctx) const;

  std::vector<HeapTree> heaps_;
  std::vector<HeapNode> heap_nodes_;
  std::vector<float> leaves_;
  std::vector<DeepTree> deep_;
  std::vector<std::int32_t> deep_of_;  // by tree: index in deep_, -1 if none
};

}  // namespace xgbl
