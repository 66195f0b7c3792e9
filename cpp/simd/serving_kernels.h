// SPDX-License-Identifier: Apache-2.0
// What the kernels of batch prediction work on. Rows come in blocks of 64. Trees see each row as codes of one byte:
// cell c of a block is 64 bytes, one per row. A question is a cell and an edge: a node goes right where the code is at
// least the edge. A question that many nodes share is answered once, for up to 512 rows together, by a plane with one
// bit per row. Trees are then logic on planes: one instruction for hundreds of rows. The idea is that of bit-sliced
// evaluation; Lucchese et al. (QuickScorer, SIGIR 2015) do the like leaf by leaf.
//
// What the kernels that predict few rows work on. The codes of a row lie side by side, one byte per cell. The first six
// levels of a tree are a heap of bytes: for each node, the cell it looks at and the code from which it goes right. A
// row that fits into registers asks all 63 nodes by one permutation and one comparison. The bits of the answer then
// tell where it ends, for eight rows and trees at once. Deeper levels are heaps of four levels, one cache line each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/context.h"

namespace xgbl {

constexpr std::size_t kCodeRows = 64;    // rows of a block, bytes of a cell
constexpr std::size_t kMostEdges = 255;  // codes are bytes
constexpr std::size_t kPlaneWords = 8;   // blocks that meet a tree together
constexpr std::size_t kPlaneRows = kPlaneWords * kCodeRows;

/// Values of one feature that become codes: how many of the rising `edges` are at most the value. A missing value has
/// the code 0 in `low` and 255 in `high`; either may be nullptr.
struct CodeTask {
  float const* values = nullptr;
  std::size_t rows = 0;
  float missing = 0;  // values equal to it are missing, as is NaN
  float const* edges = nullptr;
  std::size_t count = 0;         // 1 to kMostEdges
  float const* table = nullptr;  // as FillEdgeTable() makes it
  std::uint8_t* low = nullptr;
  std::uint8_t* high = nullptr;
  std::size_t block_bytes = 0;  // from a block's cells to those of the next; rows behind the last may be written
};

/// Edges in the order in which searches in vector registers need them. Up to 15 of them: four steps; else sixteen
/// groups, four steps among them and four within one.
constexpr std::size_t kFewEdges = 15;
constexpr std::size_t EdgeTableSize(std::size_t count) { return (count <= kFewEdges ? 4 : 19) * std::size_t{16}; }
/// `table` has EdgeTableSize(count) places.
void FillEdgeTable(float const* edges, std::size_t count, float* table);

/// Values of one row that become codes in the same way.
struct RowColumn {
  float const* edges = nullptr;
  float const* every_16th = nullptr;  // the edges 15, 31, …: 16 places, NaN where there is none; unless edges are few
  std::uint32_t count = 0;            // 1 to kMostEdges
  std::uint32_t used = 0;             // place of the value
  std::uint8_t low = 0;               // cells
  std::uint8_t high = 0;
};

struct RowCodeTask {
  RowColumn const* columns = nullptr;
  std::size_t count = 0;
  float const* values = nullptr;  // NaN is missing
  std::uint8_t* codes = nullptr;  // by cell
};

/// Which codes belong to a set: 64 bytes of 0 or 1, or-ed into `cell`.
struct CodeSetTask {
  std::uint8_t const* codes = nullptr;
  std::uint8_t const* bits = nullptr;  // 32 bytes: bit c of them for code c
  std::uint8_t* cell = nullptr;
};

/// The words of a plane: one or two blocks have no more than they need.
constexpr std::size_t WordsFor(std::size_t blocks) { return blocks <= 2 ? blocks : kPlaneWords; }

/// Questions on one cell, answered by planes of WordsFor(blocks) words, one a block; those of other blocks are 0.
struct CompareTask {
  std::uint8_t const* codes = nullptr;  // of the first block
  std::size_t block_bytes = 0;          // from a block's cells to those of the next
  std::size_t blocks = 0;               // at most kPlaneWords
  std::uint8_t const* edges = nullptr;  // rising, none of them 0
  std::size_t count = 0;
  std::uint64_t* planes = nullptr;
};

constexpr std::uint32_t kMostHeapLevels = 8;
constexpr std::size_t kMostListed = 256;  // leaves of a tree that is no heap

/// A split of a tree, behind its parent, in 32 bits: its question, and its children, each the place of a split or, from
/// kMostListed on, of a leaf.
struct ListedSplit {
  static constexpr unsigned kChildBits = 9;
  static constexpr std::uint32_t kMostQuestions = 1U << (32 - 2 * kChildBits);
  std::uint32_t packed = 0;

  static ListedSplit Of(std::uint32_t question, std::uint32_t left, std::uint32_t right) {
    return {question << 2 * kChildBits | right << kChildBits | left};
  }
  std::uint32_t Question() const { return packed >> 2 * kChildBits; }
  std::uint32_t Child(unsigned right) const { return packed >> kChildBits * right & ((1U << kChildBits) - 1); }
};

/// A tree of up to 256 leaves: a heap, where the children of node i are 2 i + 1 and 2 i + 2 and the turns of a row are
/// the bits of the number of its leaf; or a list of splits, at least one.
struct PlaneTree {
  std::uint32_t const* heap = nullptr;  // questions, (1 << bits) - 1; nullptr for a list
  ListedSplit const* list = nullptr;
  std::uint32_t splits = 0;       // of a list
  std::uint32_t bits = 0;         // of the number of a leaf, 1 to 8
  float const* leaves = nullptr;  // LeafRoom(bits) for each output
  std::uint32_t output = 0;       // the first that it adds to
  std::uint32_t outputs = 1;
};

/// Places for the leaves of a tree: two registers at least.
constexpr std::size_t LeafRoom(std::uint32_t bits) { return std::size_t{1} << (bits < 5 ? 5U : bits); }

struct PlaneTask {
  PlaneTree const* trees = nullptr;
  std::size_t count = 0;
  std::uint64_t const* planes = nullptr;  // by question
  std::size_t rows = 0;                   // 1 to kPlaneRows
  float* sums = nullptr;                  // by block, output and row; those behind the last row may be added to
  std::size_t block_sums = 0;             // from a block's sums to those of the next
};

constexpr unsigned kByteHeapLevels = 6;
constexpr unsigned kTwigLevels = 4;
constexpr std::size_t kByteHeapExits = std::size_t{1} << kByteHeapLevels;
constexpr std::size_t kTwigExits = std::size_t{1} << kTwigLevels;
constexpr std::size_t kByteRows = 16;    // that meet a tree together, at most
constexpr std::size_t kByteCells = 255;  // of a row, at most; the row has one to spare

/// The root is node 1, and the children of node i are 2 i and 2 i + 1. Below a leaf all nodes lead to it.
struct alignas(64) ByteHeap {
  std::uint8_t cells[kByteHeapExits] = {};
  std::uint8_t edges[kByteHeapExits] = {};
};

/// Where a walk goes on: at a twig, or from kLeafExit on, at a leaf.
using ByteExit = std::uint16_t;
constexpr ByteExit kLeafExit = 0x8000;

struct alignas(64) ByteTwig {
  std::uint8_t cells[kTwigExits] = {};
  std::uint8_t edges[kTwigExits] = {};
  ByteExit exits[kTwigExits] = {};
};

struct ByteTree {
  ByteTwig const* twigs = nullptr;           // nullptr where the exits of the heap are the numbers of the leaves
  ByteExit const* exits = nullptr;           // kByteHeapExits, if there are twigs
  float const* leaves = nullptr;             // by output and number; all exits have one if there are no twigs
  std::uint32_t leaf_room = kByteHeapExits;  // numbers of an output
  std::uint32_t output = 0;                  // the first that it adds to
  std::uint32_t outputs = 1;
};

struct ByteTask {
  ByteHeap const* heaps = nullptr;
  ByteTree const* trees = nullptr;
  std::size_t count = 0;
  bool any_twigs = false;
  unsigned levels = kByteHeapLevels;    // of all heaps, 1 to kByteHeapLevels
  std::uint8_t const* codes = nullptr;  // by row
  std::size_t row_bytes = 0;            // from a row's codes to those of the next: 64, 128 or 256
  std::size_t rows = 0;                 // 1 to kByteRows
  float* sums = nullptr;                // kByteRows an output; those behind the last row may be added to
};

struct ServingKernels {
  static ServingKernels const& Of(SimdLevel level);

  void (*code_rows)(CodeTask const& task);
  void (*add_code_set)(CodeSetTask const& task);
  void (*compare_cell)(CompareTask const& task);
  /// Adds the leaf of every row in every tree, tree after tree.
  void (*add_plane_trees)(PlaneTask const& task);
  /// The number of the leaf of each row, block after block.
  void (*leaves_of)(PlaneTree const& tree, std::uint64_t const* planes, std::size_t blocks, std::uint8_t* leaf);
  void (*code_row)(RowCodeTask const& task);
  /// Adds the leaf of each of a few rows in every tree, tree after tree.
  void (*add_byte_trees)(ByteTask const& task);
};

}  // namespace xgbl
