// SPDX-License-Identifier: Apache-2.0
// What the kernels of batch prediction work on. Rows come in blocks of 64. Of a row the trees see codes, a byte each:
// cell c of a block is 64 bytes, one a row. A node goes right where the code of its cell is at least its edge, so that
// one vector comparison serves all rows of a block. A tree of up to six levels is a heap whose nodes are all compared:
// the children of node i are 2 i + 1 and 2 i + 2, and the turns of a row are the bits of the number of its leaf. It is
// the idea of bit-sliced evaluation; Lucchese et al. (QuickScorer, SIGIR 2015) do the like leaf by leaf.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xgbl {

constexpr std::size_t kCodeRows = 64;    // rows of a block, bytes of a cell
constexpr std::size_t kMostEdges = 255;  // codes are bytes
constexpr int kMostHeapLevels = 6;

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

/// Which codes belong to a set: 64 bytes of 0 or 1, or-ed into `cell`.
struct CodeSetTask {
  std::uint8_t const* codes = nullptr;
  std::uint8_t const* bits = nullptr;  // 32 bytes: bit c of them for code c
  std::uint8_t* cell = nullptr;
};

struct HeapNode {
  std::uint32_t cell = 0;  // where it begins in a block, in bytes
  std::uint32_t edge = 0;  // the same byte four times
};

struct HeapTree {
  HeapNode const* nodes = nullptr;  // (1 << levels) - 1
  float const* leaves = nullptr;    // max(16, 1 << levels) for each output
  std::uint32_t levels = 0;         // 1 to kMostHeapLevels
  std::uint32_t output = 0;         // the first that it adds to
  std::uint32_t outputs = 1;
};

struct HeapTask {
  HeapTree const* trees = nullptr;
  std::size_t count = 0;
  std::uint8_t const* codes = nullptr;
  std::size_t block_bytes = 0;
  std::size_t blocks = 0;
  float* sums = nullptr;       // by block, output and row
  std::size_t block_sums = 0;  // from a block's sums to those of the next
};

}  // namespace xgbl
