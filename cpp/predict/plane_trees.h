// SPDX-License-Identifier: Apache-2.0
// Trees for rows that come as codes in blocks of 64, up to 512 rows at once. Trees of up to 256 leaves are logic on the
// planes of their questions. So are the top six levels of larger trees; deeper levels are walked row by row, several
// rows side by side. Rows that have arrived are skipped, because paths differ much in length. Immutable; made in O(n
// log n) of the nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "model/model.h"
#include "predict/code_book.h"
#include "predict/node_trees.h"
#include "simd/serving_kernels.h"

namespace xgbl {

/// What a group of trees asks of the codes of a row (code_book.h), each question once, and the planes that answer them
/// (simd/serving_kernels.h). Questions on one cell stand together, so its codes are read once.
class Questions {
 public:
  Questions() = default;
  /// Of questions in any order, each once.
  explicit Questions(std::vector<Question> asked);

  std::size_t size() const { return asked_.size(); }
  /// The place of a question that is asked, which its plane has, too.
  std::uint32_t PlaceOf(Question question) const;
  /// Fills size() planes of WordsFor(blocks) words; `codes` are those of the first block.
  void Answer(std::uint8_t const* codes, std::size_t block_bytes, std::size_t blocks, Context const& ctx,
              std::uint64_t* planes) const;

 private:
  struct Cell {
    std::uint32_t cell = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  std::vector<Question> asked_;  // rising
  std::vector<std::uint8_t> edges_;
  std::vector<Cell> cells_;
};

/// A node below the top of a large tree, in 64 bits: 32 for the left child (the right one is next to it), 8 for the
/// edge, one each for whether the left and the right child are leaves. The rest is the number of the cell, which
/// CodeBook keeps small.
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

/// Some blocks of rows: their codes and their sums, by block, output and row.
struct BlockRows {
  std::uint8_t const* codes = nullptr;
  std::size_t block_bytes = 0;
  std::size_t count = 0;   // of rows
  std::size_t blocks = 0;  // at most kPlaneWords
  float* sums = nullptr;
  std::size_t block_sums = 0;
};

class PlaneTrees {
 public:
  PlaneTrees(Model const& model, std::vector<TreeShape> const& shapes, CodeBook const& book);
  PlaneTrees(PlaneTrees const&) = delete;  // the trees point into arrays
  PlaneTrees& operator=(PlaneTrees const&) = delete;

  /// Words of memory that Add() wants for planes of so many blocks.
  std::size_t PlaneWords(std::size_t blocks) const;
  /// Adds trees [first, end) to the sums.
  void Add(std::size_t first, std::size_t end, BlockRows const& rows, std::uint64_t* planes, Context const& ctx) const;
  /// About how many cycles trees [first, end) take for so many rows at once.
  double Cycles(std::size_t first, std::size_t end, std::size_t rows, Context const& ctx) const;

 private:
  static constexpr std::uint32_t kTopLevels = 6;

  // What is below the top of a large tree.
  struct DeepTree {
    std::uint32_t exits[std::size_t{1} << kTopLevels] = {};  // by leaf of the top, the node
    std::uint64_t exit_leaf = 0;                             // which of them are leaves
    std::vector<DeepNode> nodes;
    std::vector<float> values;  // by node and output
    double path = 0;            // that a row goes in the mean
  };
  // Consecutive trees whose planes fit into the cache.
  struct Chapter {
    std::size_t begin = 0;
    std::size_t end = 0;
    Questions questions;
  };
  class Writer;

  void AddChapter(std::size_t first, std::size_t end, BlockRows const& rows, std::uint64_t const* planes,
                  Context const& ctx) const;
  void AddDeep(std::size_t tree, BlockRows const& rows, std::uint64_t const* planes, Context const& ctx) const;
  double TreeCycles(std::size_t tree, std::size_t rows, Context const& ctx) const;

  std::vector<PlaneTree> trees_;
  std::vector<std::uint32_t> heaps_;  // places of questions
  std::vector<ListedSplit> lists_;
  LeafTable leaves_;
  std::vector<DeepTree> deep_;
  std::vector<std::int32_t> deep_of_;  // by tree: index in deep_, -1 if none
  std::vector<Chapter> chapters_;
};

}  // namespace xgbl
