// SPDX-License-Identifier: Apache-2.0
// What the kernels that predict few rows work on. The codes of a row (serving_tasks.h) lie side by side, one byte per
// cell. The first six levels of a tree are a heap of bytes: for each node, the cell it looks at and the code from which
// it goes right. A row that fits into registers asks all 63 nodes by one permutation and one comparison. The bits of
// the answer then tell where it ends, for eight rows and trees at once. Deeper levels are heaps of four levels, one
// cache line each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xgbl {

constexpr unsigned kByteHeapLevels = 6;
constexpr unsigned kTwigLevels = 4;
constexpr std::size_t kByteHeapExits = std::size_t{1} << kByteHeapLevels;
constexpr std::size_t kTwigExits = std::size_t{1} << kTwigLevels;
constexpr std::size_t kHeapRows = 16;    // that meet a tree together, at most
constexpr std::size_t kHeapCells = 255;  // of a row, at most; the row has one to spare

/// The root is node 1, and the children of node i are 2 i and 2 i + 1. Below a leaf all nodes lead to it.
struct alignas(64) ByteHeap {
  std::uint8_t cells[kByteHeapExits] = {};
  std::uint8_t edges[kByteHeapExits] = {};
};

/// Where a walk goes on: at a twig, or from kLeafExit on, at a leaf.
using HeapExit = std::uint16_t;
constexpr HeapExit kLeafExit = 0x8000;

struct alignas(64) ByteTwig {
  std::uint8_t cells[kTwigExits] = {};
  std::uint8_t edges[kTwigExits] = {};
  HeapExit exits[kTwigExits] = {};
};

struct HeapTree {
  ByteTwig const* twigs = nullptr;           // nullptr where the exits of the heap are the numbers of the leaves
  HeapExit const* exits = nullptr;           // kByteHeapExits, if there are twigs
  float const* leaves = nullptr;             // by output and number; all exits have one if there are no twigs
  std::uint32_t leaf_room = kByteHeapExits;  // numbers of an output
  std::uint32_t output = 0;                  // the first that it adds to
  std::uint32_t outputs = 1;
};

struct HeapTask {
  ByteHeap const* heaps = nullptr;
  HeapTree const* trees = nullptr;
  std::size_t count = 0;
  bool any_twigs = false;
  unsigned levels = kByteHeapLevels;    // of all heaps, 1 to kByteHeapLevels
  std::uint8_t const* codes = nullptr;  // by row
  std::size_t row_bytes = 0;            // from a row's codes to those of the next: 64, 128 or 256
  std::size_t rows = 0;                 // 1 to kHeapRows
  float* sums = nullptr;                // kHeapRows an output; those behind the last row may be added to
};

}  // namespace xgbl
