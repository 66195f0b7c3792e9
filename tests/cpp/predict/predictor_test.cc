// SPDX-License-Identifier: Apache-2.0
// Also tests node_trees.cc.
#include "predict/predictor.h"

#include <gtest/gtest.h>

#include <limits>

#include "bins/binned_matrix_builder.h"
#include "model/sample_models.h"
#include "predict/node_trees.h"
#include "predict/sample_rows.h"

namespace xgbl {
namespace {

Model RandomModel(bool chain = false) {
  std::vector<Tree> trees;
  for (std::uint64_t seed = 0; seed < 9; ++seed) trees.push_back(RandomTree(seed, chain ? 300 : 40, 5, chain));
  Model model = ModelOf(std::move(trees));
  model.num_features = 5;
  return model;
}

Context Threads(int count) {
  Context ctx;
  ctx.threads = count;
  return ctx;
}

Matrix<float> Margins(Model const& model, FeatureMatrix const& features, int threads = 1) {
  Matrix<float> margins(features.Rows(), static_cast<std::size_t>(model.num_outputs), 0.125F);
  AddMargins(model, features, {0, model.trees.size()}, Threads(threads), margins.View());
  return margins;
}

// Row by row, tree by tree, as the definition says.
Matrix<float> ExpectedMargins(Model const& model, Table const& table) {
  Matrix<float> margins(table.rows, 1, 0.125F);
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (auto const& tree : model.trees) {
      NodeId const leaf = tree->LeafOf([&](std::uint32_t f) { return table.values[row * table.columns + f]; });
      margins.values[row] += tree->value[Tree::At(leaf)];
    }
  }
  return margins;
}

class PredictorRows : public testing::TestWithParam<std::size_t> {};

TEST_P(PredictorRows, MarginsAreThoseOfTheDefinition) {
  Table const table = RandomTable(GetParam(), 5);
  for (bool const chain : {false, true}) {
    Model const model = RandomModel(chain);
    auto const expected = ExpectedMargins(model, table).values;
    EXPECT_EQ(Margins(model, table.ByRow()).values, expected);
    EXPECT_EQ(Margins(model, table.Sparse()).values, expected);
    EXPECT_EQ(Margins(model, table.ByRow(), 3).values, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, PredictorRows, testing::Values(0, 1, 15, 16, 17, 63, 64, 65, 1023, 1025, 3000));

// A matrix that has nothing but bins, cut at every threshold of RandomTree.
FeatureMatrix Quantised(Table const& table) {
  auto cuts = std::make_shared<Cuts>();
  for (std::size_t column = 0; column < table.columns; ++column) {
    for (int i = 0; i < 12; ++i) cuts->upper.push_back(static_cast<float>(i) * 0.5F);
    cuts->upper.push_back(kInfinity);
    cuts->begin.push_back(static_cast<std::uint32_t>(cuts->upper.size()));
    cuts->lowest.push_back(-kInfinity);
    cuts->categorical.push_back(0);
  }
  std::vector<std::size_t> present(table.columns);
  for (std::size_t i = 0; i < table.values.size(); ++i)
    present[i % table.columns] += std::isnan(table.values[i]) ? 0 : 1;
  return FeatureMatrix(BinMatrix(table.ByRow(), cuts, present, Threads(1)));
}

TEST(Predictor, QuantisedRowsGoWhereTheirValuesWould) {
  std::vector<Tree> trees;
  for (std::uint64_t seed = 0; seed < 9; ++seed) {
    Tree tree = RandomTree(seed, 40, 5, false);
    std::fill(tree.categorical.begin(), tree.categorical.end(), std::uint8_t{0});
    tree.category.clear();
    tree.category_begin.assign(tree.Size() + 1, 0);
    trees.push_back(std::move(tree));
  }
  Model model = ModelOf(std::move(trees));
  model.num_features = 5;
  for (std::size_t const rows : {0u, 1u, 15u, 17u, 300u}) {
    Table const table = RandomTable(rows, 5);
    EXPECT_EQ(Margins(model, Quantised(table)).values, ExpectedMargins(model, table).values);
  }
}

// In tables, or too many for them; beside a node that asks for a comparison, and one that asks whether there is a
// value.
TEST(Predictor, SetsOfCategoriesAreLookedUp) {
  Table table{{}, 64, 2};
  std::vector<float> const values{0,    31,   31.5F,  32,      63,    64,        1022, 1023,
                                  4999, 5000, 1.0e9F, -1e-30F, -0.0F, kInfinity, -1,   kMissing};
  for (std::size_t i = 0; i < 128; ++i) table.values.push_back(values[(i / 2 + i % 2 * (i / 32)) % values.size()]);
  for (int const most : {31, 64, 1022, 1023, 5000}) {
    for (float const threshold : {32.0F, -kInfinity}) {
      for (bool const missing_left : {false, true}) {
        Tree tree;
        tree.AddNode(kNoNode);
        tree.Split(0, 0, 0, missing_left);
        tree.Split(1, 1, threshold, missing_left);
        tree.Split(2, 1, 0, !missing_left);
        tree.categorical = {1, 0, 1, 0, 0, 0, 0};
        tree.category = {0, most, 31, 63, most};
        if (most < 63) tree.category = {0, most, 7, 9, most};
        tree.category_begin = {0, 2, 2, 5, 5, 5, 5, 5};
        for (std::size_t i = 0; i < tree.Size(); ++i) tree.value[i] = static_cast<float>(i);
        Model model = ModelOf({tree});
        model.num_features = 2;
        EXPECT_EQ(Margins(model, table.ByRow()).values, ExpectedMargins(model, table).values) << most;
      }
    }
  }
}

// Nine nodes with sets, more than share a table, and a bit a category.
TEST(Predictor, SetsShareTables) {
  Tree tree;
  tree.AddNode(kNoNode);
  for (NodeId node = 0; node < 17; node += 2) tree.Split(node, 0, 0, node % 4 == 0);
  tree.category_begin = {0};
  for (std::size_t node = 0; node < tree.Size(); ++node) {
    bool const inner = !tree.IsLeaf(static_cast<NodeId>(node));
    tree.categorical[node] = inner ? 1 : 0;
    for (int category = 0; inner && category < 900; ++category) {
      if (category % 10 != static_cast<int>(node / 2)) tree.category.push_back(category);
    }
    tree.category_begin.push_back(tree.category.size());
    tree.value[node] = static_cast<float>(node);
  }
  Model model = ModelOf({tree});
  model.num_features = 1;
  std::vector<std::uint32_t> const features{0};
  PackedTree const packed = PackTrees(model, {0, 1}, features, SetTables::kMade).front();
  EXPECT_EQ(packed.sets.size(), tree.Size());
  EXPECT_LE(packed.sides.size(), 2U * 902);
  Table table{{}, 1000, 1};
  for (int row = 0; row < 1000; ++row) table.values.push_back(row % 50 == 49 ? kMissing : static_cast<float>(row));
  EXPECT_EQ(Margins(model, table.ByRow()).values, ExpectedMargins(model, table).values);
}

TEST(Predictor, ColumnOrderAndAMissingValueOfTheUsersOwnMakeNoDifference) {
  Table const table = RandomTable(200, 5);
  std::vector<float> by_column(table.values.size());
  for (std::size_t i = 0; i < by_column.size(); ++i) {
    float const value = table.values[i];
    by_column[i % 5 * 200 + i / 5] = std::isnan(value) ? -999.0F : value;
  }
  DenseTable turned;
  turned.data = by_column.data();
  turned.rows = 200;
  turned.columns = 5;
  turned.row_stride = 1;
  turned.column_stride = 200;
  turned.missing = -999.0F;
  Model const model = RandomModel();
  EXPECT_EQ(Margins(model, FeatureMatrix(turned)).values, ExpectedMargins(model, table).values);
}

TEST(Predictor, AllMissingFollowsTheDefaults) {
  Table const table{std::vector<float>(100, kMissing), 20, 5};
  Model const model = RandomModel();
  EXPECT_EQ(Margins(model, table.ByRow()).values, ExpectedMargins(model, table).values);
  EXPECT_EQ(Margins(model, table.Sparse()).values, ExpectedMargins(model, table).values);
}

TEST(Predictor, TreesWithoutSplitsAddTheirValue) {
  Table const table = RandomTable(40, 1);
  for (float const margin : Margins(ModelOf({LeafTree(0.5F), LeafTree(1)}), table.ByRow()).values)
    EXPECT_EQ(margin, 1.625F);
}

TEST(Predictor, AModelWithoutTreesAddsNothing) {
  for (float const margin : Margins(ModelOf({}), RandomTable(40, 1).ByRow()).values) EXPECT_EQ(margin, 0.125F);
}

TEST(Predictor, OneColumnIsEnoughForOneFeature) {
  Model const model = ModelOf({RandomTree(3, 10, 1, false)});
  Table const table = RandomTable(50, 1);
  EXPECT_EQ(Margins(model, table.ByRow()).values, ExpectedMargins(model, table).values);
}

TEST(Predictor, SparseColumnsThatTheModelHasNotArePassedOver) {
  Model const model = ModelOf({RandomTree(3, 10, 2, false)});
  Table const table = RandomTable(50, 9);
  EXPECT_EQ(Margins(model, table.Sparse()).values, ExpectedMargins(model, table).values);
}

TEST(Predictor, VectorLeavesAddToEveryOutput) {
  for (std::size_t const rows : {2U, 40U}) {
    Table table{std::vector<float>(rows * 3, 0.0F), rows, 3};
    table.values[3] = 5;
    auto const margins = Margins(VectorModel(), table.ByRow());
    EXPECT_EQ(margins.values[0], 1.125F);
    EXPECT_EQ(margins.values[1], -0.875F);
    EXPECT_EQ(margins.values[2], 3.125F);
    EXPECT_EQ(margins.values[3], -2.875F);
  }
}

TEST(Predictor, EachTreeAddsToItsOutput) {
  Model model = ModelOf({}, 2);
  model.AppendRound({std::make_shared<Tree const>(LeafTree(1)), std::make_shared<Tree const>(LeafTree(10))}, {1, 0});
  auto const margins = Margins(model, RandomTable(20, 1).ByRow());
  EXPECT_EQ(margins.values[38], 10.125F);
  EXPECT_EQ(margins.values[39], 1.125F);
}

TEST(Predictor, TreesCountForTheirWeights) {
  Model model = ModelOf({LeafTree(1), LeafTree(2)});
  model.tree_weights = {3, 0.5F};
  for (std::size_t const rows : {std::size_t{2}, std::size_t{40}}) {
    FeatureMatrix const features = RandomTable(rows, 1).ByRow();
    EXPECT_EQ(Margins(model, features).values.back(), 4.125F);
    Matrix<float> other(rows, 1);
    AddWeightedTrees(model, std::vector<float>{0, 10}, features, Threads(1), other.View());
    EXPECT_EQ(other.values.front(), 20.0F);
  }
}

TEST(Predictor, LinearWeightsSkipWhatIsMissing) {
  Model const model = LinearSample(2);  // by feature 0.5 0.25, 0 -0.25, -0.5 -0.75; biases -1 -1.25
  Table const table{{1, kMissing, 2, kMissing, kMissing, kMissing}, 2, 3};
  for (FeatureMatrix const& features : {table.ByRow(), table.Sparse()}) {
    auto const margins = Margins(model, features).values;
    EXPECT_EQ(margins, (std::vector<float>{-1.375F, -2.375F, -0.875F, -1.125F}));
  }
  EXPECT_THROW(PredictLeaves(model, table.ByRow(), {0, 0}, Threads(1)), ParamError);
}

TEST(Predictor, OnlyTreesOfTheRangeAreAdded) {
  Model const model = ModelOf({LeafTree(1), LeafTree(2), LeafTree(4)});
  Matrix<float> margins(3, 1);
  AddMargins(model, RandomTable(3, 1).ByRow(), {1, 2}, Threads(1), margins.View());
  EXPECT_EQ(margins.values, (std::vector<float>{2, 2, 2}));
}

TEST(Predictor, ThresholdsThatNothingIsBelowStillSendMissingLeft) {
  for (float const threshold : {-kInfinity, kMissing}) {
    Tree tree;
    tree.AddNode(kNoNode);
    tree.Split(0, 0, threshold, true);
    Table table{std::vector<float>(40, -3e38F), 40, 1};
    table.values[7] = kMissing;
    auto const leaves = PredictLeaves(ModelOf({tree}), table.ByRow(), {0, 1}, Threads(1));
    EXPECT_EQ(leaves.values[6], 2);
    EXPECT_EQ(leaves.values[7], 1);
  }
}

TEST(Predictor, LeavesAreNumbersOfNodes) {
  Model const model = RandomModel();
  Table const table = RandomTable(70, 5);
  auto const leaves = PredictLeaves(model, table.ByRow(), {2, 5}, Threads(2));
  ASSERT_EQ(leaves.columns, 3U);
  for (std::size_t row = 0; row < 70; ++row) {
    for (std::size_t t = 0; t < 3; ++t) {
      auto const value_of = [&](std::uint32_t f) { return table.values[row * 5 + f]; };
      EXPECT_EQ(leaves.View()(row, t), model.trees[2 + t]->LeafOf(value_of));
    }
  }
}

TEST(Predictor, WideRowsAreReadInSmallBlocks) {
  Model model = ModelOf({RandomTree(5, 3000, 3000, false)});
  model.num_features = 3000;
  Table const table = RandomTable(50, 3000);
  EXPECT_EQ(Margins(model, table.ByRow()).values, ExpectedMargins(model, table).values);
  EXPECT_EQ(Margins(model, table.Sparse()).values, ExpectedMargins(model, table).values);
}

}  // namespace
}  // namespace xgbl
