// SPDX-License-Identifier: Apache-2.0
#include "simd/serving_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "simd/level.h"

namespace xgbl {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class ServingKernelsAt : public testing::TestWithParam<SimdLevel> {
 protected:
  static ServingKernels const& Get() { return ServingKernels::Of(GetParam()); }
  static std::uint64_t Bits(std::size_t i) { return Random(3, Purpose::kRows, 0).Bits(i); }
};

INSTANTIATE_TEST_SUITE_P(Simd, ServingKernelsAt, testing::ValuesIn(AvailableSimd()),
                         [](auto const& param_info) { return SimdName(param_info.param); });

std::vector<float> Edges(std::size_t count) {
  std::vector<float> edges(count);
  for (std::size_t i = 0; i < count; ++i) edges[i] = static_cast<float>(i) * 0.5F - 3;
  if (count > 1) edges.back() = kInf;
  if (count > 2) edges.front() = -kInf;
  return edges;
}

// A value is missing if it is NaN or 0.25.
TEST_P(ServingKernelsAt, CodesCountTheEdgesUpToAValue) {
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

// Columns of as many edges one after the other, as the edges of a book are.
TEST_P(ServingKernelsAt, CodesOfOneRowAreThoseOfMany) {
  std::vector<std::size_t> const counts{1, 2, 15, 16, 17, 32, 33, 240, 254, 255};
  std::vector<float> edges, every_16th(counts.size() * 16, kNan);
  std::vector<RowColumn> columns(counts.size());
  for (std::size_t const count : counts) {
    auto const more = Edges(count);
    edges.insert(edges.end(), more.begin(), more.end());
  }
  std::size_t first = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    float const* const begin = edges.data() + first;
    for (std::size_t k = 0; 16 * k + 15 < counts[i]; ++k) every_16th[16 * i + k] = begin[16 * k + 15];
    columns[i] = {begin,
                  &every_16th[16 * i],
                  static_cast<std::uint32_t>(counts[i]),
                  static_cast<std::uint32_t>(i),
                  static_cast<std::uint8_t>(2 * i),
                  static_cast<std::uint8_t>(2 * i + 1)};
    first += counts[i];
  }
  std::vector<float> values{kNan, kInf, -kInf, -0.0F, 1e-45F, 0.25F, 3.4e38F};
  for (int i = -10; i < 260; ++i) values.push_back(static_cast<float>(i) * 0.5F);
  for (float const value : values) {
    std::vector<float> const row(counts.size(), value);
    std::vector<std::uint8_t> codes(2 * counts.size(), 77);
    Get().code_row({columns.data(), columns.size(), row.data(), codes.data()});
    for (std::size_t i = 0; i < counts.size(); ++i) {
      float const* const begin = columns[i].edges;
      auto const below = std::upper_bound(begin, begin + counts[i], value) - begin;
      ASSERT_EQ(codes[2 * i], std::isnan(value) ? 0 : below) << value << " among " << counts[i];
      ASSERT_EQ(codes[2 * i + 1], std::isnan(value) ? 255 : below) << value << " among " << counts[i];
    }
  }
}

TEST_P(ServingKernelsAt, SetsAreAddedToCells) {
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

TEST_P(ServingKernelsAt, CodesAreComparedWithEdges) {
  for (std::size_t const blocks : {1U, 2U, 3U, 8U}) {
    std::vector<std::uint8_t> codes(blocks * 2 * kCodeRows);
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint8_t>(i % 9 == 0 ? 255 : Bits(i));
    std::vector<std::uint8_t> const edges{1, 2, 100, 200, 255};
    std::size_t const words = WordsFor(blocks);
    std::vector<std::uint64_t> planes(edges.size() * words, 77);
    Get().compare_cell({codes.data(), 2 * kCodeRows, blocks, edges.data(), edges.size(), planes.data()});
    for (std::size_t q = 0; q < edges.size(); ++q) {
      for (std::size_t row = 0; row < words * kCodeRows; ++row) {
        std::size_t const w = row / kCodeRows;
        bool const right = w < blocks && codes[w * 2 * kCodeRows + row % kCodeRows] >= edges[q];
        ASSERT_EQ(planes[q * words + w] >> row % kCodeRows & 1U, right ? 1U : 0U) << row << " at " << +edges[q];
      }
    }
  }
}

constexpr std::size_t kQuestions = 20;

struct Answers {
  std::vector<std::uint64_t> planes;
  std::size_t words;

  bool Right(std::size_t question, std::size_t row) const {
    return (planes[question * words + row / kCodeRows] >> row % kCodeRows & 1U) != 0;
  }
};

// A tree, and what a row finds in it step by step.
struct Sample {
  std::vector<std::uint32_t> heap;
  std::vector<ListedSplit> list;
  std::vector<float> leaves;
  PlaneTree tree;

  static Sample Heap(std::uint32_t levels) {
    Sample sample;
    for (std::size_t i = 0; i + 1 < std::size_t{1} << levels; ++i) {
      sample.heap.push_back(static_cast<std::uint32_t>(Random(9, Purpose::kRows, levels).Bits(i) % kQuestions));
    }
    sample.tree.bits = levels;
    sample.Finish();
    return sample;
  }
  // Splits hang below random ones before them.
  static Sample List(std::size_t splits) {
    struct Open {
      std::size_t split, side;
    };
    Sample sample;
    std::vector<Open> open;
    std::vector<std::array<std::uint32_t, 3>> parts(splits);  // children and question
    for (std::size_t i = 0; i < splits; ++i) {
      auto const bits = Random(9, Purpose::kRows, 77).Bits(i);
      if (i > 0) {
        std::size_t const at = bits % open.size();
        parts[open[at].split][open[at].side] = static_cast<std::uint32_t>(i);
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
      }
      parts[i][2] = static_cast<std::uint32_t>((bits >> 20U) % kQuestions);
      open.insert(open.end(), {{i, 0}, {i, 1}});
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
      parts[open[i].split][open[i].side] = static_cast<std::uint32_t>(kMostListed + i);
    }
    for (auto const& part : parts) sample.list.push_back(ListedSplit::Of(part[2], part[0], part[1]));
    while (std::size_t{1} << sample.tree.bits <= splits) ++sample.tree.bits;
    sample.Finish();
    return sample;
  }
  void Finish() {
    for (std::size_t i = 0; i < 2 * LeafRoom(tree.bits); ++i) leaves.push_back(0.1F * static_cast<float>(i + 1));
    tree.leaves = leaves.data();
    tree.heap = heap.empty() ? nullptr : heap.data();
    tree.list = list.data();
    tree.splits = static_cast<std::uint32_t>(list.size());
    tree.output = 1;
    tree.outputs = 2;
  }
  std::size_t LeafOf(Answers const& answers, std::size_t row) const {
    std::size_t at = 0;
    if (list.empty()) {
      while (at < heap.size()) at = 2 * at + 1 + (answers.Right(heap[at], row) ? 1 : 0);
      return at - heap.size();
    }
    while (at < kMostListed) at = list[at].Child(answers.Right(list[at].Question(), row) ? 1 : 0);
    return at - kMostListed;
  }
};

TEST_P(ServingKernelsAt, RowsAreWalkedToTheirLeaves) {
  std::vector<std::uint64_t> planes(kQuestions * kPlaneWords);
  for (std::size_t i = 0; i < planes.size(); ++i) planes[i] = Bits(i) | (i % 3 == 0 ? Bits(i + 999) : 0);
  std::vector<Sample> samples;
  for (std::uint32_t levels = 1; levels <= kMostHeapLevels; ++levels) samples.push_back(Sample::Heap(levels));
  for (std::size_t const splits : {1U, 2U, 3U, 40U, 100U, 255U}) samples.push_back(Sample::List(splits));
  for (Sample const& sample : samples) {
    for (std::size_t const rows : {10U, 64U, 100U, 128U, 300U, 512U}) {
      std::size_t const blocks = (rows + kCodeRows - 1) / kCodeRows;
      Answers const answers{planes, WordsFor(blocks)};
      std::vector<std::uint8_t> leaf(kPlaneRows);
      Get().leaves_of(sample.tree, planes.data(), blocks, leaf.data());
      std::vector<float> sums(blocks * 3 * kCodeRows, 0.5F);
      Get().add_plane_trees({&sample.tree, 1, planes.data(), rows, sums.data(), 3 * kCodeRows});
      for (std::size_t row = 0; row < rows; ++row) {
        std::size_t const at = sample.LeafOf(answers, row);
        ASSERT_EQ(leaf[row], at);
        for (std::size_t k = 0; k < 2; ++k) {
          float const value = sample.leaves[k * LeafRoom(sample.tree.bits) + at];
          std::size_t const place = (row / kCodeRows * 3 + k + 1) * kCodeRows + row % kCodeRows;
          ASSERT_EQ(sums[place], 0.5F + value) << row << " of " << rows << ", " << sample.tree.bits << " bits";
        }
        ASSERT_EQ(sums[row / kCodeRows * 3 * kCodeRows + row % kCodeRows], 0.5F);
      }
    }
  }
}

}  // namespace
}  // namespace xgbl
