// SPDX-License-Identifier: Apache-2.0
#include "predict/byte_trees.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/sample_models.h"
#include "predict/predictor.h"
#include "predict/row_reader.h"
#include "predict/sample_rows.h"
#include "simd/level.h"

namespace xgbl {
namespace {

// Any number of rows gets the bits of the plain walk, on all instruction sets.
void ExpectPlain(Model const& model, Table const& table, RoundRange trees) {
  auto const outputs = static_cast<std::size_t>(model.num_outputs);
  Matrix<float> expected(table.rows, outputs, 0.1F);
  AddMargins(model, table.ByRow(), trees, {}, expected.View());
  CodeBook const book(model);
  auto const shapes = ShapesOf(model);
  ASSERT_TRUE(ByteTrees::Suits(model, shapes, book));
  ByteTrees const heaps(model, shapes, book);
  for (SimdLevel const simd : AvailableSimd()) {
    Context ctx;
    ctx.simd = simd;
    Matrix<float> margins(table.rows, outputs, 0.1F);
    ByteTrees::Rows rows(heaps, trees, outputs, ctx);
    auto const add = [&](std::size_t row, float const* values) { rows.Add(values, margins.View().Row(row).data()); };
    ForEachRow(table.ByRow(), book.Used(), 0, table.rows, add);
    rows.Finish();
    EXPECT_EQ(margins.values, expected.values) << SimdName(simd) << ", rows: " << table.rows;
  }
}

void ExpectPlain(Model const& model, Table const& table) { ExpectPlain(model, table, {0, model.trees.size()}); }

bool Suits(Model const& model) { return ByteTrees::Suits(model, ShapesOf(model), CodeBook(model)); }

// Splits on each of some features, that every row may reach.
std::vector<Tree> Stumps(std::uint32_t columns, bool missing_left) {
  std::vector<Tree> trees;
  for (std::uint32_t feature = 0; feature < columns; ++feature) {
    Tree tree;
    tree.AddNode(kNoNode);
    tree.Split(0, feature, 2, missing_left);
    auto const right = static_cast<float>(feature + 1);
    tree.value = {0, missing_left ? -right : right, right * 0.37F};
    trees.push_back(std::move(tree));
  }
  return trees;
}

TEST(ByteTrees, AnyNumberOfRows) {
  std::vector<Tree> trees;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    trees.push_back(RandomTree(seed, static_cast<int>(seed * seed), 5, seed % 5 == 4));
  }
  Model const model = ModelOf(std::move(trees));
  for (std::size_t const rows : {0U, 1U, 2U, 3U, 5U, 15U, 16U, 17U, 50U}) ExpectPlain(model, RandomTable(rows, 5));
}

TEST(ByteTrees, OnlyTreesOfTheRangeAreAdded) {
  std::vector<Tree> trees;
  for (std::uint64_t seed = 0; seed < 300; ++seed) trees.push_back(RandomTree(seed, seed % 2 == 0 ? 9 : 90, 5, false));
  Model const model = ModelOf(std::move(trees));
  for (RoundRange const range : {RoundRange{0, 0}, RoundRange{7, 8}, RoundRange{3, 290}}) {
    for (std::size_t const rows : {1U, 9U}) ExpectPlain(model, RandomTable(rows, 5), range);
  }
}

TEST(ByteTrees, FewLevelsAndNone) {
  for (int levels = 0; levels < 9; ++levels) {
    ExpectPlain(ModelOf({LeafTree(2), RandomTree(1, levels, 3, true), LeafTree(0.7F)}), RandomTable(20, 3));
  }
}

// The codes of a row fill a register, or two, or four, all but the cell to spare; every cell decides about a leaf.
TEST(ByteTrees, AsManyCellsAsThereMayBe) {
  for (std::uint32_t const columns : {62U, 63U, 64U, 127U, 128U, 191U, 254U, 255U}) {
    ExpectPlain(ModelOf(Stumps(columns, true)), RandomTable(40, columns));
  }
  auto const with = [](std::uint32_t low, std::uint32_t high) {
    std::vector<Tree> trees = Stumps(low, true), more = Stumps(high, false);
    trees.insert(trees.end(), more.begin(), more.end());
    return ModelOf(std::move(trees));
  };
  ExpectPlain(with(128, 127), RandomTable(40, 128));
  EXPECT_FALSE(Suits(with(128, 128)));
}

// The same of what lies deeper: below six splits on one feature, each row asks two of the others.
TEST(ByteTrees, AllCellsOfTwigs) {
  std::vector<Tree> trees;
  for (std::uint32_t feature = 1; feature < 250; ++feature) {
    Tree tree;
    NodeId at = tree.AddNode(kNoNode);
    for (int i = 0; i < 6; ++i) at = tree.Split(at, 0, -1, true) + 1;
    NodeId const left = tree.Split(at, feature, 2, true);
    tree.Split(left, feature + 1, 1, true);
    tree.Split(left + 1, feature + 1, 4, true);
    for (std::size_t i = 0; i < tree.Size(); ++i) tree.value[i] = static_cast<float>(i + feature) * 0.37F;
    trees.push_back(std::move(tree));
  }
  for (std::size_t const last : {60U, 120U, 249U}) {
    Table table = RandomTable(40, 251);
    for (std::size_t row = 0; row < 40; ++row) table.values[row * 251] = 1;
    ExpectPlain(ModelOf({trees.begin(), trees.begin() + static_cast<std::ptrdiff_t>(last)}), table);
  }
}

TEST(ByteTrees, TreesOfVeryManyLeavesDoNotSuit) {
  Model const most = ModelOf({RandomTree(1, 4095, 5, false)}), more = ModelOf({RandomTree(1, 4096, 5, false)});
  ExpectPlain(most, RandomTable(100, 5));
  EXPECT_FALSE(Suits(more));
}

TEST(ByteTrees, LeavesOfVeryManyOutputsDoNotSuit) {
  Tree tree = LeafTree(1);
  for (int const outputs : {1 << 17, (1 << 17) + 1}) {
    tree.outputs = outputs;
    tree.value.assign(static_cast<std::size_t>(outputs), 0.5F);
    EXPECT_EQ(Suits(ModelOf({tree}, outputs)), outputs == 1 << 17);
  }
}

TEST(ByteTrees, NodesThatPruningLeftBehindAreNotAsked) {
  Tree tree = RandomTree(3, 200, 5, false);
  for (std::size_t const node : {1U, 9U, 20U}) tree.left[node] = tree.right[node] = kNoNode;
  ExpectPlain(ModelOf({tree, RandomTree(4, 50, 5, false)}), RandomTable(60, 5));
}

// More categories than a run of codes has, of two features with numbers between.
TEST(ByteTrees, ManyCategories) {
  std::vector<Tree> trees;
  for (std::uint32_t t = 0; t < 30; ++t) {
    Tree tree;
    tree.AddNode(kNoNode);
    tree.Split(0, t % 3, static_cast<float>(t), t % 2 == 0);
    if (t % 3 != 1) {
      tree.categorical[0] = 1;
      for (std::int32_t c = 0; c < 700; ++c) {
        if ((c * 7 + static_cast<std::int32_t>(t)) % 3 == 0) tree.category.push_back(c);
      }
      tree.category_begin = {0, tree.category.size(), tree.category.size(), tree.category.size()};
    }
    tree.value = {0, 1, static_cast<float>(t) * 0.3F};
    trees.push_back(std::move(tree));
  }
  Table table{{}, 710, 3};
  for (int row = 0; row < 710; ++row) {
    for (int const value : {row, row % 31, 709 - row}) table.values.push_back(static_cast<float>(value));
  }
  table.values[6] = table.values[11] = kMissing;
  ExpectPlain(ModelOf(std::move(trees)), table);
}

TEST(ByteTrees, ClassesVectorLeavesAndWeights) {
  for (std::size_t const rows : {1U, 2U, 3U, 37U}) ExpectPlain(ModelOfManyOutputs(40), RandomTable(rows, 5));
}

}  // namespace
}  // namespace xgbl
