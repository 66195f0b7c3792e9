// SPDX-License-Identifier: Apache-2.0
#include "simd/serving_tasks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "simd/kernels.h"

namespace xgbl {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class ServingKernels : public testing::TestWithParam<SimdLevel> {
 protected:
  Kernels const& Get() const {
    Context ctx;
    ctx.simd = GetParam();
    return Simd(ctx);
  }
  static std::uint64_t Bits(std::size_t i) { return Random(3, Purpose::kRows, 0).Bits(i); }
};

INSTANTIATE_TEST_SUITE_P(Simd, ServingKernels, testing::ValuesIn(AvailableSimd()),
                         [](auto const& param_info) { return SimdName(param_info.param); });

std::vector<float> Edges(std::size_t count) {
  std::vector<float> edges(count);
  for (std::size_t i = 0; i < count; ++i) edges[i] = static_cast<float>(i) * 0.5F - 3;
  if (count > 1) edges.back() = kInf;
  if (count > 2) edges.front() = -kInf;
  return edges;
}

// A value is missing if it is NaN or 0.25.
TEST_P(ServingKernels, CodesCountTheEdgesUpToAValue) {
  std::vector<float> values{kNan, kInf, -kInf, -0.0F, 1e-45F, 0.25F, 3.4e38F};
  for (int i = -10; i < 260; ++i) values.push_back(static_cast<float>(i) * 0.5F);
  for (std::size_t const count : {1U, 2U, 15U, 16U, 17U, 32U, 254U, 255U}) {
    auto const edges = Edges(count);
    std::vector<float> table(EdgeTableSize(count));
    FillEdgeTable(edges.data(), count, table.data());
    std::vector<std::uint8_t> low((values.size() / kCodeRows + 1) * kCodeRows, 77), high = low;
    CodeTask task{values.data(), values.size(), 0.25F, edges.data(), count, table.data()};
    task.low = low.data();
    task.high = high.data();
    task.block_bytes = kCodeRows;
    Get().code_rows(task);
    for (std::size_t i = 0; i < values.size(); ++i) {
      auto const below = std::upper_bound(edges.begin(), edges.end(), values[i]) - edges.begin();
      bool const missing = std::isnan(values[i]) || values[i] == 0.25F;
      ASSERT_EQ(low[i], missing ? 0 : below) << values[i] << " among " << count;
      ASSERT_EQ(high[i], missing ? 255 : below) << values[i] << " among " << count;
    }
  }
}

TEST_P(ServingKernels, SetsAreAddedToCells) {
  std::vector<std::uint8_t> bits(32), codes(kCodeRows);
  for (std::size_t i = 0; i < 32; ++i) bits[i] = static_cast<std::uint8_t>(Bits(i));
  for (std::size_t first = 0; first < 256; first += kCodeRows) {
    std::iota(codes.begin(), codes.end(), static_cast<std::uint8_t>(first));
    std::vector<std::uint8_t> cell(kCodeRows, 0);
    cell[5] = 1;
    Get().add_code_set({codes.data(), bits.data(), cell.data()});
    for (std::size_t i = 0; i < kCodeRows; ++i) {
      ASSERT_EQ(cell[i], i == 5 ? 1 : (bits[codes[i] / 8] >> codes[i] % 8 & 1)) << "code " << +codes[i];
    }
  }
}

// A heap of so many levels over three cells, and what a row finds in it step by step.
struct Heap {
  std::vector<HeapNode> nodes;
  std::vector<float> leaves;
  HeapTree tree;

  Heap(std::uint32_t levels, std::uint32_t outputs) {
    for (std::size_t i = 0; i + 1 < std::size_t{1} << levels; ++i) {
      auto const bits = Random(9, Purpose::kRows, levels).Bits(i);
      nodes.push_back({static_cast<std::uint32_t>(bits % 3 * kCodeRows),
                       static_cast<std::uint32_t>((bits >> 8U) % 256) * 0x01010101U});
    }
    std::size_t const room = std::max<std::size_t>(16, std::size_t{1} << levels);
    for (std::size_t i = 0; i < room * outputs; ++i) leaves.push_back(0.1F * static_cast<float>(i + 1));
    tree = {nodes.data(), leaves.data(), levels, 0, outputs};
  }
  std::size_t LeafOf(std::uint8_t const* codes, std::size_t row) const {
    std::size_t at = 0;
    while (at < nodes.size()) at = 2 * at + 1 + (codes[nodes[at].cell + row] >= (nodes[at].edge & 0xFFU) ? 1 : 0);
    return at - nodes.size();
  }
};

TEST_P(ServingKernels, HeapsAreWalkedToTheirLeaves) {
  std::vector<std::uint8_t> codes(2 * 3 * kCodeRows);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint8_t>(Bits(i) % 7 == 0 ? 255 : Bits(i));
  for (std::uint32_t levels = 1; levels <= kMostHeapLevels; ++levels) {
    Heap const heap(levels, 2);
    std::vector<float> sums(2 * 2 * kCodeRows, 0.5F), expected = sums;
    Get().add_heaps({&heap.tree, 1, codes.data(), 3 * kCodeRows, 2, sums.data(), 2 * kCodeRows});
    std::vector<std::uint8_t> leaf(kCodeRows);
    for (std::size_t block = 0; block < 2; ++block) {
      std::uint8_t const* const of_block = codes.data() + block * 3 * kCodeRows;
      Get().heap_leaves(heap.tree, of_block, leaf.data());
      for (std::size_t row = 0; row < kCodeRows; ++row) {
        std::size_t const at = heap.LeafOf(of_block, row);
        ASSERT_EQ(leaf[row], at);
        for (std::size_t k = 0; k < 2; ++k) {
          expected[(block * 2 + k) * kCodeRows + row] += heap.leaves[k * heap.leaves.size() / 2 + at];
        }
      }
    }
    ASSERT_EQ(sums, expected) << levels;
  }
}

}  // namespace
}  // namespace xgbl
