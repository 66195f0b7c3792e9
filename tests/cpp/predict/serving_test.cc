// SPDX-License-Identifier: Apache-2.0
#include "predict/serving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "model/sample_models.h"
#include "predict/predictor.h"
#include "predict/sample_rows.h"
#include "simd/level.h"

namespace xgbl {
namespace {

using Engine = Serving::Engine;

Context Using(SimdLevel simd, int threads = 1) {
  Context ctx;
  ctx.simd = simd;
  ctx.threads = threads;
  return ctx;
}

Matrix<float> Plain(Model const& model, FeatureMatrix const& features, RoundRange trees) {
  Matrix<float> margins(features.Rows(), static_cast<std::size_t>(model.num_outputs), 0.1F);
  AddMargins(model, features, trees, {}, margins.View());
  return margins;
}

// All engines on all instruction sets and several threads give the bits of the plain walk.
void ExpectPlain(Model const& model, FeatureMatrix const& features, RoundRange trees) {
  auto const expected = Plain(model, features, trees).values;
  Serving const serving(model);
  for (SimdLevel const simd : AvailableSimd()) {
    for (Engine const engine : {Engine::kNodes, Engine::kBytes, Engine::kPlanes}) {
      for (int const threads : {1, 3}) {
        Matrix<float> margins(features.Rows(), static_cast<std::size_t>(model.num_outputs), 0.1F);
        serving.AddWith(engine, features, trees, Using(simd, threads), margins.View());
        ASSERT_EQ(margins.values, expected) << SimdName(simd) << " engine " << static_cast<int>(engine);
      }
    }
  }
}

void ExpectPlain(Model const& model, Table const& table) {
  ExpectPlain(model, table.ByRow(), {0, model.trees.size()});
  ExpectPlain(model, table.Sparse(), {0, model.trees.size()});
}

// Trees of many shapes: a leaf only, one split, a few, and more than a heap holds; also chains.
Model MixedModel(std::uint32_t columns, bool categorical) {
  std::vector<Tree> trees;
  for (std::uint64_t seed = 0; seed < 14; ++seed) {
    constexpr int kSplits[] = {0, 1, 2, 3, 5, 9, 17, 30, 60, 200};
    trees.push_back(RandomTree(seed, kSplits[seed % 10], columns, seed > 9));
    if (!categorical) trees.back() = WithoutCategories(std::move(trees.back()));
  }
  Model model = ModelOf(std::move(trees));
  model.num_features = columns;
  return model;
}

class ServingRows : public testing::TestWithParam<std::size_t> {};

TEST_P(ServingRows, MarginsAreThoseOfThePlainWalk) {
  Table const table = RandomTable(GetParam(), 5);
  for (bool const categorical : {false, true}) ExpectPlain(MixedModel(5, categorical), table);
}

INSTANTIATE_TEST_SUITE_P(Counts, ServingRows, testing::Values(0, 1, 2, 15, 63, 64, 65, 511, 513, 1025, 2100));

TEST(Serving, OnlyTreesOfTheRangeAreAdded) {
  Table const table = RandomTable(130, 5);
  for (RoundRange const range : {RoundRange{0, 0}, RoundRange{3, 4}, RoundRange{2, 11}, RoundRange{9, 14}}) {
    ExpectPlain(MixedModel(5, true), table.ByRow(), range);
  }
}

TEST(Serving, AnyStridesAndAMissingValueOfTheUsersOwn) {
  Table const table = RandomTable(300, 5);
  std::vector<float> turned(table.values.size());
  for (std::size_t i = 0; i < turned.size(); ++i) {
    float const value = table.values[i];
    turned[(i % 5 + 1) * 300 - 1 - i / 5] = std::isnan(value) ? -999.0F : value;  // by column, last row first
  }
  DenseTable dense;
  dense.data = turned.data() + 299;
  dense.rows = 300;
  dense.columns = 5;
  dense.row_stride = -1;
  dense.column_stride = 300;
  dense.missing = -999.0F;
  Model const model = MixedModel(5, true);
  EXPECT_EQ(Plain(model, FeatureMatrix(dense), {0, 14}).values, Plain(model, table.ByRow(), {0, 14}).values);
  ExpectPlain(model, FeatureMatrix(dense), {0, 14});
}

// More thresholds than a byte can number, with values at, just below and just above them.
TEST(Serving, ThousandsOfThresholdsOnOneFeature) {
  for (int const splits : {14, 15, 16, 254, 255, 256, 3000}) {
    Tree tree;
    std::vector<NodeId> leaves{tree.AddNode(kNoNode)};
    Random const random(1, Purpose::kRows, 3);
    for (int i = 0; i < splits; ++i) {
      std::size_t const place = random.Bits(static_cast<std::uint64_t>(i)) % leaves.size();
      leaves.push_back(tree.Split(leaves[place], 0, static_cast<float>(i * 7919 % splits) * 0.25F, i % 2 == 0));
      leaves[place] = leaves.back() + 1;
    }
    for (std::size_t i = 0; i < tree.Size(); ++i) tree.value[i] = static_cast<float>(i);
    Table table{{kMissing, kInfinity, -kInfinity, -0.0F, 1e-45F, 3.4e38F}, 0, 1};
    for (int i = 0; i < splits; ++i) {
      float const edge = static_cast<float>(i) * 0.25F;
      for (float const value : {edge, std::nextafter(edge, -1.0F), std::nextafter(edge, kInfinity)})
        table.values.push_back(value);
    }
    table.rows = table.values.size();
    ExpectPlain(ModelOf({std::move(tree)}), table);
  }
}

TEST(Serving, ThresholdsThatNothingIsBelowStillSendMissingLeft) {
  for (float const threshold : {-kInfinity, kMissing, kInfinity}) {
    for (bool const missing_left : {false, true}) {
      Tree tree;
      tree.AddNode(kNoNode);
      tree.Split(0, 0, threshold, missing_left);
      tree.value = {0, 1, 2};
      ExpectPlain(ModelOf({tree}), RandomTable(100, 1));
    }
  }
}

// Sets among a thousand categories, and codes that no set has.
TEST(Serving, ThousandsOfCategories) {
  std::vector<Tree> trees;
  for (int t = 0; t < 6; ++t) {
    Tree tree;
    tree.AddNode(kNoNode);
    tree.Split(0, 0, 0, t % 2 == 0);
    tree.categorical[0] = 1;
    for (int c = t; c < 1000; c += 2 + t) tree.category.push_back(c);
    if (t == 5) tree.category = {16777215};
    tree.category_begin = {0, tree.category.size(), tree.category.size(), tree.category.size()};
    tree.value = {0, 1, static_cast<float>(t) * 0.3F};
    trees.push_back(std::move(tree));
  }
  Table table{{kMissing, kInfinity, -kInfinity, -0.0F, -1, 0.5F, 16777215, 16777216, 3e38F, 1e-45F}, 0, 1};
  for (int c = 0; c < 1010; ++c) table.values.push_back(static_cast<float>(c));
  table.rows = table.values.size();
  ExpectPlain(ModelOf(std::move(trees)), table);
}

TEST(Serving, AnEmptySetSendsAllButMissingLeft) {
  Tree tree;
  tree.AddNode(kNoNode);
  tree.Split(0, 0, 0, false);
  tree.categorical[0] = 1;
  tree.category_begin = {0, 0, 0, 0};
  tree.value = {0, 1, 2};
  ExpectPlain(ModelOf({tree}), RandomTable(100, 1));
}

TEST(Serving, ClassesVectorLeavesAndWeights) { ExpectPlain(ModelOfManyOutputs(12), RandomTable(200, 5)); }

// More thresholds than have planes at once.
TEST(Serving, TreesOfManyQuestions) {
  std::vector<Tree> trees;
  for (int t = 0; t < 3000; ++t) {
    Tree tree;
    tree.AddNode(kNoNode);
    for (int i = 0; i < 3; ++i) {
      float const threshold = static_cast<float>(3 * t + i) * 0.001F;
      tree.Split(i, static_cast<std::uint32_t>((t + i) % 2), threshold, t % 2 == 0);
    }
    for (std::size_t i = 0; i < tree.Size(); ++i) tree.value[i] = static_cast<float>(i + 1) * 0.01F;
    trees.push_back(std::move(tree));
  }
  ExpectPlain(ModelOf(std::move(trees)), RandomTable(70, 2));
}

TEST(Serving, TreesOfEveryShapeMeetPlanesOfManyRows) {
  std::vector<Tree> trees;
  for (int const splits : {1, 5, 12, 31, 32, 63, 100, 200, 254, 255, 256, 300}) {
    trees.push_back(RandomTree(static_cast<std::uint64_t>(splits), splits, 5, false));
    trees.push_back(RandomTree(static_cast<std::uint64_t>(splits), splits, 5, true));
  }
  Model const model = ModelOf(std::move(trees));
  for (std::size_t const rows : {500U, 513U, 1100U}) ExpectPlain(model, RandomTable(rows, 5));
}

TEST(Serving, WideAndNarrowRows) {
  for (std::uint32_t const columns : {1U, 700U}) {
    ExpectPlain(ModelOf({RandomTree(5, 900, columns, false)}), RandomTable(150, columns));
  }
}

TEST(Serving, SparseColumnsThatTheModelHasNotArePassedOver) {
  Model const model = ModelOf({RandomTree(3, 10, 2, false)});
  ExpectPlain(model, RandomTable(150, 9).Sparse(), {0, 1});
}

TEST(Serving, NoTreesAddNothing) { ExpectPlain(ModelOf({}), RandomTable(70, 2)); }

TEST(Serving, AllMissingAndConstantRows) {
  for (float const value : {kMissing, 2.5F}) {
    ExpectPlain(MixedModel(5, true), Table{std::vector<float>(500, value), 100, 5});
  }
}

// Rows that go to the deepest leaves of chains are many steps on their way, as covers do not tell.
TEST(Serving, CyclesOfTheDeepestLeavesAreForeseen) {
  auto const most = [](int splits) { return Serving(ModelOf({RandomTree(1, splits, 5, true)})).MostCycles(); };
  EXPECT_GT(most(2000), 50 * most(20));
}

TEST(Serving, OneRowOfManyOutputsOnEveryInstructionSet) {
  for (int const outputs : {1, 3, 70}) {
    Model model = ModelOfManyOutputs(6);
    model.num_outputs = std::max(3, outputs);
    Table const table = RandomTable(3, 5);
    auto const expected = Plain(model, table.ByRow(), {0, 6}).values;
    for (SimdLevel const simd : AvailableSimd()) {
      std::vector<float> margins(static_cast<std::size_t>(model.num_outputs), 0.1F);
      Serving(model).AddRow(table.values.data() + 10, 1, kMissing, {0, 6}, Using(simd), margins.data());
      EXPECT_TRUE(std::equal(margins.begin(), margins.end(), expected.end() - model.num_outputs)) << SimdName(simd);
    }
  }
}

TEST(Serving, OneRowIsThatOfTheTable) {
  Model const model = MixedModel(5, true);
  Serving const serving(model);
  Table const table = RandomTable(50, 5);
  auto const expected = Plain(model, table.ByRow(), {0, 14}).values;
  for (std::size_t row = 0; row < 50; ++row) {
    float margin = 0.1F;
    serving.AddRow(table.values.data() + row * 5, 1, kMissing, {0, 14}, Using(AvailableSimd().back()), &margin);
    EXPECT_EQ(margin, expected[row]);
  }
}

TEST(Serving, OneRowIsWalkedAndManyMeetPlanes) {
  Serving const serving(MixedModel(5, false));
  EXPECT_EQ(serving.Choose(1, {0, 14}, Using(AvailableSimd().back())).engine, Engine::kNodes);
  EXPECT_EQ(serving.Choose(100'000, {0, 14}, Using(AvailableSimd().back())).engine, Engine::kPlanes);
}

TEST(Serving, AFewRowsOfAUsualModelMeetHeapsOnEveryInstructionSet) {
  std::vector<Tree> trees;
  for (std::uint64_t seed = 0; seed < 100; ++seed) trees.push_back(WithoutCategories(RandomTree(seed, 62, 5, false)));
  Serving const serving(ModelOf(std::move(trees)));
  for (SimdLevel const simd : AvailableSimd()) {
    EXPECT_EQ(serving.Choose(8, {0, 100}, Using(simd)).engine, Engine::kBytes) << SimdName(simd);
    EXPECT_EQ(serving.Choose(1000, {0, 100}, Using(simd)).engine, Engine::kPlanes) << SimdName(simd);
  }
}

// Codes of so many features would fill the memory, and their cells could not be numbered in a node.
TEST(Serving, ModelsOfTooManyCellsAreWalkedByRow) {
  auto const columns = static_cast<std::uint32_t>(Serving::kMostBlockBytes / kCodeRows + 1);
  Tree tree;
  NodeId at = tree.AddNode(kNoNode);
  for (std::uint32_t feature = 0; feature < columns; ++feature) at = tree.Split(at, feature, 0.5F, false) + 1;
  for (std::size_t i = 0; i < tree.Size(); ++i) tree.value[i] = static_cast<float>(i);
  Model model = ModelOf({std::move(tree)});
  model.num_features = columns;
  Table table{std::vector<float>(std::size_t{2} * columns, 1), 2, columns};
  table.values[70] = 0;
  Serving const serving(model);
  EXPECT_EQ(serving.Choose(1'000'000, {0, 1}, Using(SimdLevel::kScalar)).engine, Engine::kNodes);
  for (FeatureMatrix const& features : {table.ByRow(), table.Sparse()}) {
    Matrix<float> margins(2, 1);
    serving.AddWith(Engine::kPlanes, features, {0, 1}, Using(SimdLevel::kScalar), margins.View());
    EXPECT_EQ(margins.values, (std::vector<float>{141, static_cast<float>(2 * columns)}));
  }
}

// Cells of a table as scipy may have them: rows not in order, and missing cells listed.
struct Listed {
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;

  explicit Listed(Table const& table) {
    for (std::size_t row = 0; row < table.rows; ++row) {
      for (std::size_t c = table.columns; c-- > 0;) {
        column.push_back(static_cast<std::int32_t>(c));
        value.push_back(double{table.values[row * table.columns + c]});
      }
      begin.push_back(static_cast<std::int64_t>(column.size()));
    }
  }
  CsrView View(std::size_t columns) const {
    return {{begin.data(), begin.size(), ScalarType::kInt64},
            {column.data(), column.size(), ScalarType::kInt32},
            {value.data(), value.size(), ScalarType::kFloat64},
            columns,
            kMissing};
  }
};

TEST(Serving, RowsInTheUsersMemoryAreReadAsTheyAre) {
  Table const table = RandomTable(300, 5);
  Listed const listed(table);
  std::vector<double> wide(table.values.begin(), table.values.end());
  ColumnTable columns;
  columns.rows = 300;
  for (std::size_t c = 0; c < 5; ++c) columns.columns.push_back({&wide[c], ScalarType::kFloat64, 5 * sizeof(double)});
  Model const model = MixedModel(5, true);
  Serving const serving(model);
  auto const expected = Plain(model, table.ByRow(), {0, 14}).values;
  for (Engine const engine : {Engine::kNodes, Engine::kBytes, Engine::kPlanes}) {
    CsrView const csr = listed.View(5);
    for (RowSource const& source : {RowSource(csr), RowSource(columns)}) {
      Matrix<float> margins(300, 1, 0.1F);
      serving.AddWith(engine, source, {0, 14}, Using(AvailableSimd().back()), margins.View());
      EXPECT_EQ(margins.values, expected);
    }
  }
}

TEST(Serving, SparseRowsThatContradictThemselvesAreRefused) {
  Serving const serving(MixedModel(5, false));
  auto const predict = [&](Listed const& listed, std::size_t columns) {
    CsrView const rows = listed.View(columns);
    Matrix<float> margins(rows.Rows(), 1);
    serving.AddMargins(rows, {0, 14}, Using(SimdLevel::kScalar), margins.View());
  };
  Listed const good(RandomTable(3, 5));
  EXPECT_NO_THROW(predict(good, 5));
  EXPECT_THROW(predict(good, 4), DataError);
  Listed negative = good, twice = good, falling = good, beyond = good;
  negative.column[0] = -1;
  twice.value = std::vector<double>(15, 1.0);
  twice.column[0] = twice.column[1];
  falling.begin[1] = 11;
  beyond.begin[3] = 16;
  for (Listed const& bad : {negative, twice, falling, beyond}) EXPECT_THROW(predict(bad, 5), DataError);
}

TEST(ServingCache, ThreadsShareWhatTheFirstMakes) {
  Model const model = MixedModel(5, false);
  ServingCache const cache;
  std::vector<std::shared_ptr<Serving const>> found(8);
  std::vector<std::thread> threads;
  for (auto& one : found) threads.emplace_back([&] { one = cache.Get(model); });
  for (auto& thread : threads) thread.join();
  for (auto const& one : found) EXPECT_EQ(one, found[0]);
  ServingCache const copy(cache);
  EXPECT_NE(copy.Get(model), found[0]);
}

TEST(ServingCache, FewRowsAreWorthALayoutTheSecondTime) {
  Model const model = MixedModel(5, false);
  ServingCache cache;
  EXPECT_EQ(cache.GetIfWorth(model, 10), nullptr);
  EXPECT_NE(cache.GetIfWorth(model, 10), nullptr);
  cache.Clear();
  EXPECT_EQ(cache.GetIfWorth(model, 10), nullptr);
  EXPECT_NE(ServingCache().GetIfWorth(model, 100'000), nullptr);
}

}  // namespace
}  // namespace xgbl
