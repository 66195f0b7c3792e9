// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <gtest/gtest.h>

#include "model/sample_models.h"

namespace xgbl {
namespace {

// The only category of SampleTree() is the third feature, which a split sends 1 and 3 of to one side.
TEST(KnownCodes, SetsTellOfFilesThatSayNoMore) {
  for (bool const typed : {false, true}) {
    Model model = ModelOf({LeafTree(1), SampleTree()});
    if (typed) model.feature_types = {"float", "int", "c"};
    auto const known = KnownCodesOf(model);
    ASSERT_EQ(known.size(), 1U);
    EXPECT_EQ(known[0].feature, 2U);
    EXPECT_EQ(known[0].codes, (CodeSet{{0, 3}}));
    EXPECT_FALSE(known[0].certain);
  }
}

TEST(KnownCodes, TrainingTellsMoreThanSets) {
  for (bool const typed : {false, true}) {
    Model model = ModelOf({SampleTree()});
    if (typed) model.feature_types = {"c", "int", "c"};
    model.facts.codes = {{0, {}}, {2, {{1, 1}, {5, 6}}}};
    auto const known = KnownCodesOf(model);
    ASSERT_EQ(known.size(), 2U);
    EXPECT_TRUE(known[0].codes.empty());
    EXPECT_EQ(known[1].codes, (CodeSet{{1, 1}, {5, 6}}));
    EXPECT_TRUE(known[0].certain && known[1].certain);
  }
}

TEST(KnownCodes, LabelsTellMost) {
  Model model = FullModel();
  model.facts.codes = {{2, {{9, 9}}}};
  auto const known = KnownCodesOf(model);
  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(known[0].codes, (CodeSet{{0, 3}}));
  EXPECT_TRUE(known[0].certain);
}

TEST(KnownCodes, SomeAreToldAndOthersInSets) {
  Model model = ModelOf({SampleTree()});
  model.feature_types = {"c", "int", "c"};
  model.facts.codes = {{0, {{2, 2}}}};
  auto const known = KnownCodesOf(model);
  ASSERT_EQ(known.size(), 2U);
  EXPECT_TRUE(known[0].certain);
  EXPECT_FALSE(known[1].certain);
}

TEST(KnownCodes, ThereAreNoneOfNumbersAndLinearModels) {
  EXPECT_TRUE(KnownCodesOf(ModelOf({LeafTree(1)})).empty());
  EXPECT_TRUE(KnownCodesOf(Model()).empty());
  Model linear = FullModel();
  linear.linear = std::make_shared<LinearModel const>();
  EXPECT_TRUE(KnownCodesOf(linear).empty());
}

TEST(SplitBySets, TellsFeaturesUpToTheLast) {
  EXPECT_EQ(SplitBySets(ModelOf({LeafTree(1), SampleTree()})), (std::vector<bool>{false, false, true}));
  EXPECT_TRUE(SplitBySets(ModelOf({LeafTree(1)})).empty());
}

}  // namespace
}  // namespace xgbl
