// SPDX-License-Identifier: Apache-2.0
// Also tests interventional.cc, linear.cc, row_walks.cc, shap.cc and simd/shap_kernels.cc.
#include "explain/explain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "explain/oracle.h"
#include "model/sample_models.h"
#include "predict/predictor.h"
#include "simd/level.h"

namespace xgbl {
namespace {

constexpr std::size_t kColumns = 5;

Context With(int threads, SimdLevel simd = SimdLevel::kScalar) {
  Context ctx;
  ctx.threads = threads;
  ctx.simd = simd;
  return ctx;
}

Model CoveredModel(std::vector<Tree> trees, std::size_t columns = kColumns) {
  Model model = ModelOf(std::move(trees));
  model.num_features = columns;
  return model;
}

using Method = void (*)(Model const&, FeatureMatrix const&, RoundRange, Context const&, MatrixView<float>);

// With a bias of 0.125 to begin with.
Matrix<float> Explained(Method method, Model const& model, FeatureMatrix const& features,
                        Context const& ctx = With(1)) {
  std::size_t const width = model.num_features + 1;
  std::size_t const cells = method == &AddInteractions ? width * width : width;
  Matrix<float> out(features.Rows(), static_cast<std::size_t>(model.num_outputs) * cells);
  for (std::size_t i = cells - 1; i < out.values.size(); i += cells) out.values[i] = 0.125F;
  method(model, features, {0, model.trees.size()}, ctx, out.View());
  return out;
}

template <class GameOf>
std::vector<Exact> ExpectedValues(Model const& model, GameOf const& game_of) {
  std::vector<Exact> expected(model.num_features + 1);
  for (auto const& tree : model.trees) {
    Game const game = [&](std::size_t known) { return game_of(*tree, known); };
    for (std::size_t f = 0; f < model.num_features; ++f) expected[f] += Shapley(game, model.num_features, f);
    expected.back() += game(0);
  }
  expected.back() += 0.125L;
  return expected;
}

void ExpectNear(std::vector<Exact> const& expected, Span<float const> found) {
  ASSERT_EQ(expected.size(), found.size());
  Exact size = 1;
  for (Exact const value : expected) size = std::max(size, std::abs(value));
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(expected[i]), static_cast<double>(found[i]), static_cast<double>(size) * 3e-7) << i;
  }
}

class RandomShape : public testing::TestWithParam<int> {
 protected:
  Model const model_ = CoveredModel({CoveredTree(1, GetParam(), kColumns), CoveredTree(2, GetParam(), kColumns),
                                     CoveredTree(3, std::min(GetParam(), 12), kColumns, true)});
  Table const table_ = RandomTable(37, kColumns);
  Row RowAt(std::size_t row) const { return table_.values.data() + row * kColumns; }
};

INSTANTIATE_TEST_SUITE_P(Splits, RandomShape, testing::Values(0, 1, 2, 3, 7, 20, 60));

TEST_P(RandomShape, ContributionsAreShapleyValues) {
  auto const found = Explained(AddContributions, model_, table_.ByRow());
  for (std::size_t row = 0; row < table_.rows; ++row) {
    auto const game = [&](Tree const& tree, std::size_t known) { return MeanBelow(tree, RowAt(row), known); };
    ExpectNear(ExpectedValues(model_, game), found.View().Row(row));
  }
}

TEST_P(RandomShape, InteractionsAreShapleyInteractions) {
  auto const found = Explained(AddInteractions, model_, table_.ByRow());
  auto const sums = Explained(AddContributions, model_, table_.ByRow());
  for (std::size_t row = 0; row < table_.rows; row += 5) {
    MatrixView<float const> const square(found.View().Row(row).data(), kColumns + 1, kColumns + 1);
    for (std::size_t a = 0; a <= kColumns; ++a) {
      double sum = 0;
      for (std::size_t b = 0; b <= kColumns; ++b) {
        sum += double{square(a, b)};
        if (a == b) continue;
        Exact expected = 0;
        for (auto const& tree : model_.trees) {
          Game const game = [&](std::size_t known) { return MeanBelow(*tree, RowAt(row), known); };
          if (std::max(a, b) < kColumns) expected += HalfInteraction(game, kColumns, a, b);
        }
        EXPECT_NEAR(static_cast<double>(expected), double{square(a, b)}, 1e-5);
      }
      EXPECT_NEAR(sum, double{sums.View()(row, a)}, 2e-5);
    }
  }
}

TEST_P(RandomShape, InterventionalContributionsAreShapleyValues) {
  Table background = RandomTable(60, kColumns);
  background.values.erase(background.values.begin(), background.values.begin() + 41 * kColumns);
  background.rows = 19;
  std::size_t const width = kColumns + 1;
  Matrix<float> found(table_.rows, width);
  for (std::size_t row = 0; row < table_.rows; ++row) found.values[row * width + kColumns] = 0.125F;
  AddInterventional(model_, table_.ByRow(), background.ByRow(), {0, 3}, With(1), found.View());
  for (std::size_t row = 0; row < table_.rows; row += 3) {
    auto const game = [&](Tree const& tree, std::size_t known) {
      return MeanOver(tree, RowAt(row), background, known);
    };
    ExpectNear(ExpectedValues(model_, game), found.View().Row(row));
  }
}

TEST_P(RandomShape, EveryMethodAddsUpToTheMargin) {
  Matrix<float> margins(table_.rows, 1, 0.125F);
  AddMargins(model_, table_.ByRow(), {0, 3}, With(1), margins.View());
  for (Method const method : {&AddContributions, &AddPathContributions, &AddInteractions}) {
    auto const found = Explained(method, model_, table_.ByRow());
    for (std::size_t row = 0; row < table_.rows; ++row) {
      double sum = 0;
      for (float const value : found.View().Row(row)) sum += double{value};
      EXPECT_NEAR(sum, double{margins.values[row]}, 3e-5);
    }
  }
}

TEST_P(RandomShape, ThreadsInstructionSetsAndKindsOfMatricesGiveTheSameBits) {
  Table const table = RandomTable(700, kColumns);
  for (Method const method : {&AddContributions, &AddPathContributions, &AddInteractions}) {
    auto const expected = Explained(method, model_, table.ByRow()).values;
    EXPECT_EQ(Explained(method, model_, table.Sparse()).values, expected);
    for (SimdLevel const simd : AvailableSimd()) {
      EXPECT_EQ(Explained(method, model_, table.ByRow(), With(3, simd)).values, expected) << SimdName(simd);
    }
  }
}

// Few background rows: whether a leaf is worth a table hangs on how many rows there are.
TEST_P(RandomShape, InterventionalContributionsAreTheSameForAnyNumberOfThreads) {
  Table const table = RandomTable(300, kColumns), background = RandomTable(3, kColumns);
  auto const with = [&](int threads) {
    Matrix<float> found(300, kColumns + 1);
    AddInterventional(model_, table.ByRow(), background.ByRow(), {0, 3}, With(threads), found.View());
    return found.values;
  };
  for (int const threads : {2, 3, 8}) EXPECT_EQ(with(threads), with(1)) << threads;
}

TEST_P(RandomShape, MarginalsAreMeansByCovers) {
  for (std::vector<std::uint32_t> const& known : {std::vector<std::uint32_t>{}, {1}, {0, 3}, {0, 1, 2, 3, 4}}) {
    std::size_t set = 0;
    for (std::uint32_t const feature : known) set |= std::size_t{1} << feature;
    Matrix<float> found(table_.rows, 1, 0.125F);
    AddMarginals(model_, table_.ByRow(), known, {0, 3}, With(2), found.View());
    for (std::size_t row = 0; row < table_.rows; ++row) {
      Exact expected = 0.125L;
      for (auto const& tree : model_.trees) expected += MeanBelow(*tree, RowAt(row), set);
      EXPECT_NEAR(static_cast<double>(expected), found.values[row], 1e-5);
    }
  }
}

TEST_P(RandomShape, ARowIsExplainedAsIfAlone) {
  auto const all = Explained(AddContributions, model_, table_.ByRow());
  Table const one{{table_.values.end() - kColumns, table_.values.end()}, 1, kColumns};
  auto const alone = Explained(AddContributions, model_, one.ByRow());
  EXPECT_EQ(std::vector<float>(all.values.end() - kColumns - 1, all.values.end()), alone.values);
}

class Depth : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Levels, Depth, testing::Values(1, 8, 9, 17, 30, 31, 70));

TEST_P(Depth, ChainsOfDifferentFeaturesAreExact) {
  auto const columns = static_cast<std::uint32_t>(GetParam());
  Tree tree = CoveredTree(5, GetParam(), columns, true);
  for (std::size_t i = 0; i < tree.Size(); ++i) tree.feature[i] = static_cast<std::uint32_t>(i / 2);
  Table const table = RandomTable(9, columns);
  auto const found = Explained(AddContributions, CoveredModel({tree}, columns), table.ByRow());
  for (std::size_t row = 0; row < table.rows; ++row) {
    std::vector<Exact> expected(columns + 1);
    AddByLeaves(tree, table.values.data() + row * columns, 0, {}, &expected);
    expected.back() = found.values[row * (columns + 1) + columns];
    ExpectNear(expected, found.View().Row(row));
  }
}

TEST_P(Depth, DeepTreesAreExact) {
  Tree const tree = CoveredTree(6, GetParam() * 8, 40, false);
  Table const table = RandomTable(9, 40);
  auto const found = Explained(AddContributions, CoveredModel({tree}, 40), table.ByRow());
  for (std::size_t row = 0; row < table.rows; ++row) {
    std::vector<Exact> expected(41);
    AddByLeaves(tree, table.values.data() + row * 40, 0, {}, &expected);
    expected.back() = found.values[row * 41 + 40];
    ExpectNear(expected, found.View().Row(row));
  }
}

TEST_P(Depth, InterventionalSumsHoldOnLongPaths) {
  auto const columns = static_cast<std::uint32_t>(GetParam());
  Tree tree = CoveredTree(5, GetParam(), columns, true);
  for (std::size_t i = 0; i < tree.Size(); ++i) tree.feature[i] = static_cast<std::uint32_t>(i / 2);
  Model const model = CoveredModel({tree}, columns);
  Table const table = RandomTable(9, columns);
  Matrix<float> found(9, columns + 1), margins(9, 1);
  AddInterventional(model, table.ByRow(), table.ByRow(), {0, 1}, With(2), found.View());
  AddMargins(model, table.ByRow(), {0, 1}, With(1), margins.View());
  for (std::size_t row = 0; row < 9; ++row) {
    double sum = 0;
    for (float const value : found.View().Row(row)) sum += double{value};
    EXPECT_NEAR(sum, double{margins.values[row]}, 1e-5);
  }
}

// One path of 70 features, and a leaf that few share with 20 of them.
TEST(Explain, InterventionalContributionsOfShortPathsBesideALongOne) {
  constexpr std::uint32_t kMany = 70;
  Tree tree;
  NodeId at = tree.AddNode(kNoNode);
  for (std::uint32_t feature = 0; feature < kMany; ++feature) at = tree.Split(at, feature, 0.5F, false) + 1;
  for (std::size_t i = 0; i < tree.Size(); ++i) tree.value[i] = static_cast<float>(i % 5);
  Model const model = CoveredModel({tree}, kMany);
  Table table{std::vector<float>(3 * kMany, 1), 3, kMany};
  table.values[19] = table.values[kMany + 30] = 0;
  Matrix<float> found(3, kMany + 1), margins(3, 1);
  AddInterventional(model, table.ByRow(), table.ByRow(), {0, 1}, With(1), found.View());
  AddMargins(model, table.ByRow(), {0, 1}, With(1), margins.View());
  for (std::size_t row = 0; row < 3; ++row) {
    double sum = 0;
    for (float const value : found.View().Row(row)) sum += double{value};
    EXPECT_NEAR(sum, double{margins.values[row]}, 1e-5);
  }
}

TEST(Explain, APathOfThousandsOfSplitsIsNoProblem) {
  Model const model = CoveredModel({CoveredTree(8, 5000, kColumns, true)});
  Table const table = RandomTable(3, kColumns);
  for (Method const method : {&AddContributions, &AddPathContributions, &AddInteractions}) {
    for (float const value : Explained(method, model, table.ByRow()).values) EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(Explain, CoversThatTellNothingCountAsHalves) {
  for (float const cover : {0.0F, std::numeric_limits<float>::infinity(), kMissing}) {
    Tree tree = SampleTree();
    Tree halves = SampleTree();
    tree.cover.assign(5, cover);
    halves.cover = {4, 2, 2, 1, 1};
    Table const table = RandomTable(20, 3);
    EXPECT_EQ(Explained(AddContributions, CoveredModel({tree}, 3), table.ByRow()).values,
              Explained(AddContributions, CoveredModel({halves}, 3), table.ByRow()).values);
  }
}

TEST(Explain, NoRowsNoTreesAndTreesWithoutSplitsAreFine) {
  Table const table = RandomTable(2, 3);
  for (Method const method : {&AddContributions, &AddPathContributions, &AddInteractions}) {
    EXPECT_TRUE(Explained(method, ModelOf({SampleTree()}), RandomTable(0, 3).ByRow()).values.empty());
    EXPECT_EQ(Explained(method, ModelOf({}), table.ByRow()).values.back(), 0.125F);
    auto const found = Explained(method, ModelOf({LeafTree(0.5F), LeafTree(1)}), table.ByRow()).values;
    EXPECT_EQ(found.back(), 1.625F);
    EXPECT_EQ(found.front(), 0.0F);
  }
}

TEST(Explain, AllMissingRowsFollowTheDefaults) {
  Model const model = CoveredModel({CoveredTree(1, 30, kColumns)});
  Table const table{std::vector<float>(2 * kColumns, kMissing), 2, kColumns};
  auto const found = Explained(AddContributions, model, table.Sparse());
  auto const game = [&](Tree const& tree, std::size_t known) { return MeanBelow(tree, table.values.data(), known); };
  ExpectNear(ExpectedValues(model, game), found.View().Row(1));
}

// Such nodes have cells of their own behind those of the features, as many as a tree has.
TEST(Explain, TreesThatAskForPresenceOnly) {
  Tree tree = CoveredTree(4, 60, kColumns);
  for (std::size_t i = 0; i < tree.Size(); ++i) {
    tree.threshold[i] = -kInfinity;
    tree.default_left[i] = 1;
    tree.categorical[i] = 0;
  }
  Model const model = CoveredModel({tree});
  Table const table = RandomTable(37, kColumns);
  auto const found = Explained(AddContributions, model, table.ByRow());
  for (std::size_t row = 0; row < table.rows; ++row) {
    Row const x = table.values.data() + row * kColumns;
    ExpectNear(ExpectedValues(model, [&](Tree const& t, std::size_t known) { return MeanBelow(t, x, known); }),
               found.View().Row(row));
  }
  Matrix<float> margins(table.rows, 1, 0.125F);
  AddMargins(model, table.ByRow(), {0, 1}, With(1), margins.View());
  auto const squares = Explained(AddInteractions, model, table.Sparse());
  for (std::size_t row = 0; row < table.rows; ++row) {
    double sum = 0;
    for (float const value : squares.View().Row(row)) sum += double{value};
    EXPECT_NEAR(sum, double{margins.values[row]}, 3e-5);
  }
}

TEST(Explain, WeightsOfTreesCount) {
  Tree const tree = CoveredTree(1, 10, kColumns);
  Model weighted = CoveredModel({tree, tree});
  weighted.tree_weights = {0.25F, 0.75F};
  Table const table = RandomTable(5, kColumns);
  auto const one = Explained(AddContributions, CoveredModel({tree}), table.ByRow()).values;
  auto const both = Explained(AddContributions, weighted, table.ByRow()).values;
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], both[i], 1e-6);
}

TEST(Explain, VectorLeavesAndTreesOfTheirOwnOutputAgree) {
  Tree const first = CoveredTree(1, 10, kColumns);
  Tree vector = first;
  vector.outputs = 2;
  vector.value.clear();
  for (float const value : first.value) vector.value.insert(vector.value.end(), {value, -2 * value});
  Tree second = first;
  for (float& value : second.value) value *= -2;
  Model apart = CoveredModel({});
  apart.num_outputs = 2;
  apart.AppendRound({std::make_shared<Tree const>(first), std::make_shared<Tree const>(second)}, {0, 1});
  Model together = apart.WithoutRounds();
  together.AppendRound({std::make_shared<Tree const>(vector)}, {0});
  Table const table = RandomTable(40, kColumns);
  for (Method const method : {&AddContributions, &AddPathContributions, &AddInteractions}) {
    EXPECT_EQ(Explained(method, together, table.ByRow()).values, Explained(method, apart, table.ByRow()).values);
  }
}

TEST(Explain, LinearModelsGiveWeightedValues) {
  Model const model = LinearSample(2);  // by feature 0.5 0.25, 0 -0.25, -0.5 -0.75; biases -1 -1.25
  Table const table{{1, kMissing, 2, kMissing, kMissing, kMissing}, 2, 3};
  std::vector<float> const expected{0.5F, 0, -1, -0.875F, 0.25F, 0, -1.5F, -1.125F, 0, 0, 0, -0.875F, 0, 0, 0, -1.125F};
  EXPECT_EQ(Explained(AddContributions, model, table.ByRow()).values, expected);
  EXPECT_EQ(Explained(AddPathContributions, model, table.Sparse()).values, expected);
  auto const square = Explained(AddInteractions, model, table.ByRow()).values;
  EXPECT_EQ(square[2 * 4 + 2], -1.0F);
  EXPECT_EQ(square[2], 0.0F);
  Matrix<float> found(2, 8);
  AddInterventional(model, table.ByRow(), table.ByRow(), {0, 0}, With(1), found.View());
  EXPECT_EQ(std::vector<float>(found.values.begin(), found.values.begin() + 4),
            (std::vector<float>{0.25F, 0, -0.5F, -1.25F}));
}

TEST(Explain, AnInterruptedCallEnds) {
  Context ctx = With(1);
  ctx.interrupted = [] { return true; };
  Table const table = RandomTable(40, kColumns);
  Model const model = CoveredModel({CoveredTree(1, 10, kColumns)});
  Matrix<float> out(40, kColumns + 1);
  EXPECT_THROW(AddContributions(model, table.ByRow(), {0, 1}, ctx, out.View()), Cancelled);
  EXPECT_THROW(AddInterventional(model, table.ByRow(), table.ByRow(), {0, 1}, ctx, out.View()), Cancelled);
}

}  // namespace
}  // namespace xgbl
