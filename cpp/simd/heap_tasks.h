// SPDX-License-Identifier: Apache-2.0
// What the kernels that predict few rows work on. The codes of a row (serving_tasks.h) lie side by side here, a byte a
// cell, and the first six levels of a tree are a heap of bytes: of each node, which cell it looks at and from which
// code on it goes right. A row that fits into registers asks all 63 nodes by one permutation and one comparison; where
// it ends then follows from the bits of the answer, for eight rows and trees at once. What lies deeper are heaps of
// four levels, a line of the cache each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xgbl {

constexpr unsigned kHeapLevels = 6;
constexpr unsigned kTwigLevels = 4;
constexpr std::size_t kHeapExits = std::size_t{1} << kHeapLevels;
constexpr std::size_t kTwigExits = std::size_t{1} << kTwigLevels;
constexpr std::size_t kHeapRows = 16;    // that meet a tree together, at most
constexpr std::size_t kHeapCells = 255;  // of a row, at most; one more is nobody's

/// The root is node 1, and the children of node i are 2 i and 2 i + 1. Below a leaf all nodes lead to it.
struct alignas(64) ByteHeap {
  std::uint8_t cells[kHeapExits] = {};
  std::uint8_t edges[kHeapExits] = {};
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
  ByteTwig const* twigs = nullptr;  // nullptr where the exits of the heap are the numbers of the leaves
  HeapExit const* exits = nullptr;  // kHeapExits, if there are twigs
  float const* leaves = nullptr;    // by output and number; kHeapExits numbers if there are no twigs
  std::uint32_t numbers = kHeapExits;
  std::uint32_t output = 0;  // the first that it adds to
  std::uint32_t outputs = 1;
};

struct HeapTask {
  ByteHeap const* heaps = nullptr;
  HeapTree const* trees = nullptr;
  std::size_t count = 0;
  bool any_twigs = false;
  unsigned levels = kHeapLevels;        // of all heaps, 1 to kHeapLevels
  std::uint8_t const* codes = nullptr;  // by row
  std::size_t row_bytes = 0;            // from a row's codes to those of the next: 64, 128 or 256
  std::size_t rows = 0;                 // 1 to kHeapRows
  float* sums = nullptr;                // kHeapRows an output; those behind the last row may be added to
};

/// Values of a row that become codes: how many of the rising edges are at most the value. A missing one has the code 0
/// in `low` and 255 in `high`.
struct RowColumn {
  float const* edges = nullptr;
  float const* every_16th =
      nullptr;              // edge 15, 31, …: 16 places, NaN where there is none; of kFewEdges or fewer nothing
  std::uint32_t count = 0;  // 1 to 255
  std::uint32_t used = 0;   // place of the value
  std::uint8_t low = 0;     // cells
  std::uint8_t high = 0;
};

struct RowCodeTask {
  RowColumn const* columns = nullptr;
  std::size_t count = 0;
  float const* values = nullptr;  // NaN is missing
  std::uint8_t* codes = nullptr;
};

}  // namespace xgbl
