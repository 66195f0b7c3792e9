// SPDX-License-Identifier: Apache-2.0
#include "predict/heap_trees.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/sample_models.h"
#include "predict/predictor.h"
#include "predict/sample_rows.h"
#include "simd/kernels.h"

namespace xgbl {
namespace {

// Any number of rows gets the bits of the plain walk, on all instruction sets.
void ExpectPlain(Model const& model, Table const& table, RoundRange trees) {
  auto const outputs = static_cast<std::size_t>(model.num_outputs);
  Matrix<float> expected(table.rows, outputs, 0.1F);
  AddMargins(model, table.ByRow(), trees, {}, expected.View());
  CodeBook const book(model);
  ASSERT_TRUE(HeapTrees::Suits(model, book));
  HeapTrees const heaps(model, book);
  for (SimdLevel const simd : AvailableSimd()) {
    Context ctx;
    ctx.simd = simd;
    Matrix<float> margins(table.rows, outputs, 0.1F);
    HeapTrees::Rows rows(heaps, trees, outputs, ctx);
    auto const take = [&](std::size_t row, float const* values) { rows.Take(values, margins.View().Row(row).data()); };
    ForEachRow(table.ByRow(), book.Used(), 0, table.rows, take);
    rows.Finish();
    EXPECT_EQ(margins.values, expected.values) << SimdName(simd) << ", rows: " << table.rows;
  }
}

void ExpectPlain(Model const& model, Table const& table) { ExpectPlain(model, table, {0, model.trees.size()}); }

// One split on each of some features.
Tree Chain(std::uint32_t columns, bool missing_left) {
  Tree tree;
  NodeId at = tree.AddNode(kNoNode);
  for (std::uint32_t feature = 0; feature < columns; ++feature) at = tree.Split(at, feature, 2, missing_left) + 1;
  for (std::size_t i = 0; i < tree.Size(); ++i) tree.value[i] = static_cast<float>(i) * 0.3F;
  return tree;
}

TEST(HeapTrees, AnyNumberOfRows) {
  std::vector<Tree> trees;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    trees.push_back(RandomTree(seed, static_cast<int>(seed * seed), 5, seed % 5 == 4));
  }
  Model const model = ModelOf(std::move(trees));
  for (std::size_t const rows : {0U, 1U, 2U, 3U, 5U, 15U, 16U, 17U, 50U}) ExpectPlain(model, RandomTable(rows, 5));
}

TEST(HeapTrees, OnlyTreesOfTheRangeAreAdded) {
  std::vector<Tree> trees;
  for (std::uint64_t seed = 0; seed < 300; ++seed) trees.push_back(RandomTree(seed, seed % 2 == 0 ? 9 : 90, 5, false));
  Model const model = ModelOf(std::move(trees));
  for (RoundRange const range : {RoundRange{0, 0}, RoundRange{7, 8}, RoundRange{3, 290}}) {
    for (std::size_t const rows : {1U, 9U}) ExpectPlain(model, RandomTable(rows, 5), range);
  }
}

TEST(HeapTrees, FewLevelsAndNone) {
  for (int levels = 0; levels < 9; ++levels) {
    ExpectPlain(ModelOf({LeafTree(2), RandomTree(1, levels, 3, true), LeafTree(0.7F)}), RandomTable(20, 3));
  }
}

// The codes of a row fill a register, or two, or four, all but the cell that is nobody's.
TEST(HeapTrees, AsManyCellsAsThereMayBe) {
  for (std::uint32_t const columns : {62U, 63U, 64U, 127U, 128U, 254U, 255U}) {
    ExpectPlain(ModelOf({Chain(columns, true), Chain(columns / 2, true)}), RandomTable(40, columns));
  }
  Model const both = ModelOf({Chain(128, true), Chain(127, false)}),
              more = ModelOf({Chain(128, true), Chain(128, false)});
  ExpectPlain(both, RandomTable(40, 128));
  EXPECT_FALSE(HeapTrees::Suits(more, CodeBook(more)));
}

TEST(HeapTrees, TreesOfVeryManyLeavesDoNotSuit) {
  Model const most = ModelOf({RandomTree(1, 4095, 5, false)}), more = ModelOf({RandomTree(1, 4096, 5, false)});
  ExpectPlain(most, RandomTable(100, 5));
  EXPECT_FALSE(HeapTrees::Suits(more, CodeBook(more)));
}

TEST(HeapTrees, ClassesVectorLeavesAndWeights) {
  for (std::size_t const rows : {1U, 2U, 3U, 37U}) ExpectPlain(ModelOfManyOutputs(40), RandomTable(rows, 5));
}

}  // namespace
}  // namespace xgbl
