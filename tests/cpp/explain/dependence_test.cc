// SPDX-License-Identifier: Apache-2.0
#include "explain/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "explain/oracle.h"
#include "model/sample_models.h"

namespace xgbl {
namespace {

constexpr std::uint32_t kColumns = 5;

Model ModelWith(int splits, bool categorical) {
  std::vector<Tree> trees;
  for (std::uint64_t seed = 1; seed < 5; ++seed) {
    Tree tree = CoveredTree(seed, splits, kColumns, seed == 4);
    for (std::size_t i = 0; i < tree.Size(); ++i) {
      bool const on_categories = categorical && tree.left[i] != kNoNode;
      tree.categorical[i] = on_categories ? 1 : 0;
    }
    trees.push_back(std::move(tree));
  }
  Model model = ModelOf(std::move(trees));
  model.num_features = kColumns;
  return model;
}

// The mean if one feature has a value, relative to that if nothing is known.
double Expected(Model const& model, std::uint32_t feature, float x) {
  std::vector<float> const row(kColumns, x);
  Exact sum = 0;
  for (auto const& tree : model.trees) {
    sum += MeanBelow(*tree, row.data(), std::size_t{1} << feature) - MeanBelow(*tree, row.data(), 0);
  }
  return static_cast<double>(sum);
}

class Steps : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Splits, Steps, testing::Values(1, 2, 5, 40, 200));

TEST_P(Steps, AreTheMeansOfEveryValue) {
  Model const model = ModelWith(GetParam(), false);
  Table const table = RandomTable(100, 1);
  for (auto const& steps : DependenceSteps(model, {0, 4})) {
    EXPECT_TRUE(std::is_sorted(steps.edges.begin(), steps.edges.end()));
    for (float const x : table.values) {
      auto const above = std::upper_bound(steps.edges.begin(), steps.edges.end(), x) - steps.edges.begin();
      double const found = std::isnan(x) ? steps.missing[0] : steps.values[static_cast<std::size_t>(above)];
      EXPECT_NEAR(found, Expected(model, steps.feature, x), 1e-9) << steps.feature << " at " << x;
    }
  }
}

TEST_P(Steps, OfCategoriesGoByCode) {
  Model const model = ModelWith(GetParam(), true);
  for (auto const& steps : DependenceSteps(model, {0, 4})) {
    EXPECT_TRUE(steps.categorical);
    for (std::size_t code = 0; code < 12; ++code) {
      double const found = steps.values[std::min(code, steps.values.size() - 1)];
      EXPECT_NEAR(found, Expected(model, steps.feature, static_cast<float>(code)), 1e-9);
    }
    EXPECT_NEAR(steps.missing[0], Expected(model, steps.feature, kMissing), 1e-9);
  }
}

TEST(DependenceSteps, NeedTreesWithSplits) {
  EXPECT_TRUE(DependenceSteps(ModelOf({}), {0, 0}).empty());
  EXPECT_TRUE(DependenceSteps(ModelOf({LeafTree(1)}), {0, 1}).empty());
  EXPECT_THROW(DependenceSteps(LinearSample(1), {0, 0}), ParamError);
}

}  // namespace
}  // namespace xgbl
