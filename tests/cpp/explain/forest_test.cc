// SPDX-License-Identifier: Apache-2.0
#include "explain/forest.h"

#include <gtest/gtest.h>

#include <limits>
#include <tuple>
#include <vector>

#include "model/sample_models.h"

namespace xgbl {
namespace {

using Visit = std::tuple<std::size_t, std::size_t, double>;

TEST(Forest, EachOutputHasTheTreesThatAddToIt) {
  Model model = VectorModel();
  model.AppendRound({std::make_shared<Tree const>(SampleTree())}, {1});
  model.tree_weights = {1, 0.5F, 2};
  Forest const forest(model, {1, 3});
  EXPECT_EQ(forest.Features(), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(forest.Depth(), 2U);
  std::vector<Visit> second;
  forest.ForEachTree(1, [&](PackedTree const& tree, std::size_t place, double weight) {
    second.emplace_back(&tree - &forest.At(0), place, weight);
  });
  EXPECT_EQ(second, (std::vector<Visit>{{0, 1, 0.5}, {1, 0, 2}}));
  std::vector<Visit> outputs;
  forest.ForEachOutput(0, [&](auto... visit) { outputs.emplace_back(visit...); });
  EXPECT_EQ(outputs, (std::vector<Visit>{{0, 0, 0.5}, {1, 1, 0.5}}));
}

TEST(Forest, CountsTheNodesThatNoComparisonAnswers) {
  EXPECT_EQ(Forest(ModelOf({LeafTree(1)}), {0, 1}).MostChoices(), 0U);
  EXPECT_EQ(Forest(ModelOf({LeafTree(1), SampleTree()}), {0, 2}).MostChoices(), 1U);
  Tree tree = SampleTree();
  tree.threshold[0] = -std::numeric_limits<float>::infinity();  // its default is left
  Model const model = ModelOf({tree, LeafTree(1)});
  EXPECT_EQ(Forest(model, {0, 2}).MostChoices(), 2U);
}

TEST(Forest, HasNoTablesOfCategories) {
  Model const model = ModelOf({SampleTree()});
  EXPECT_TRUE(Forest(model, {0, 1}).At(0).sets.empty());
}

}  // namespace
}  // namespace xgbl
