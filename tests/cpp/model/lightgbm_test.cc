// SPDX-License-Identifier: Apache-2.0
// Also tests lightgbm_tree.cc and read_lightgbm.cc.
#include "model/lightgbm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "base/error.h"
#include "model/sample_models.h"
#include "model/xgboost_format.h"

namespace xgbl {
namespace {

// One split with that threshold and decision type: 0 and 1 are the values of its leaves.
std::string Stump(std::string const& threshold, int decision) {
  return "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=0\nobjective=regression\n"
         "feature_names=Column_0\nfeature_infos=[0:1]\n\nTree=0\nnum_leaves=2\nnum_cat=0\nsplit_feature=0\n"
         "threshold=" +
         threshold + "\ndecision_type=" + std::to_string(decision) +
         "\nleft_child=-1\nright_child=-2\nleaf_value=0 1\nshrinkage=1\n\nend of trees\n";
}

// The value that the stump gives to x.
float ValueOf(std::string const& threshold, int decision, float x) {
  Model const model = ReadModel(Stump(threshold, decision));
  Tree const& tree = *model.trees[0];
  return tree.Value(tree.LeafOf([&](std::uint32_t) { return x; }))[0];
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kMissingNone = 0, kMissingZero = 4, kMissingNan = 8, kLeft = 2;

TEST(Lightgbm, EveryFloatGoesTheSameWay) {
  char const* const thresholds[] = {"0",        "-0",     "0.1",        "-0.1",   "1e-50",
                                    "-1e-50",   "1",      "1.00000001", "1e300",  "-1e300",
                                    "3e38",     "-3e38",  "1e-45",      "-1e-45", "0.5",
                                    "16777217", "1e-320", "7e-46",      "-7e-46", "3.4028234663852886e38",
                                    "inf",      "-inf"};
  float const values[] = {0,
                          -0.0F,
                          0.1F,
                          -0.1F,
                          1e-45F,
                          -1e-45F,
                          1,
                          1.0000001F,
                          3e38F,
                          -3e38F,
                          kInfinity,
                          -kInfinity,
                          0.5F,
                          3e-45F,
                          16777216,
                          16777218,
                          std::numeric_limits<float>::max()};
  for (char const* const text : thresholds) {
    double const threshold = std::strtod(text, nullptr);
    for (float const x : values) {
      double const counted = std::abs(x) <= 1e-35F ? 0 : static_cast<double>(x);
      EXPECT_EQ(ValueOf(text, kMissingNan, x), counted <= threshold ? 0.0F : 1.0F) << text << " " << x;
    }
  }
}

TEST(Lightgbm, MissingValuesGoTheDefaultWayOrCountAsZero) {
  EXPECT_EQ(ValueOf("0.5", kMissingNan | kLeft, kNan), 0);
  EXPECT_EQ(ValueOf("0.5", kMissingNan, kNan), 1);
  EXPECT_EQ(ValueOf("inf", kMissingNan | kLeft, kNan), 0);
  EXPECT_EQ(ValueOf("inf", kMissingNan, kNan), 1);
  EXPECT_EQ(ValueOf("-inf", kMissingNan | kLeft, kNan), 0);
  EXPECT_EQ(ValueOf("-inf", kMissingNan, kNan), 1);
  for (int const flag : {0, kLeft}) {
    EXPECT_EQ(ValueOf("inf", kMissingNone | flag, kNan), 0);
    EXPECT_EQ(ValueOf("0.5", kMissingNone | flag, kNan), 0);
    EXPECT_EQ(ValueOf("-0.5", kMissingNone | flag, kNan), 1);
  }
}

TEST(Lightgbm, ZeroIsMissingWhereOneThresholdSaysIt) {
  EXPECT_EQ(ValueOf("0.5", kMissingZero | kLeft, 0), 0);
  EXPECT_EQ(ValueOf("0.5", kMissingZero | kLeft, kNan), 0);
  EXPECT_EQ(ValueOf("-0.5", kMissingZero, 0), 1);
  EXPECT_EQ(ValueOf("0", kMissingZero, 0), 1);
  EXPECT_EQ(ValueOf("0", kMissingZero | kLeft, 1e-35F), 0);
  EXPECT_EQ(ValueOf("0", kMissingZero | kLeft, 1.1e-35F), 1);
  EXPECT_EQ(ValueOf("0", kMissingZero, -1e-35F), 1);
  EXPECT_EQ(ValueOf("0", kMissingZero, -1.1e-35F), 0);
  EXPECT_THROW(ValueOf("0.5", kMissingZero, 0), ModelError);
  EXPECT_THROW(ValueOf("-0.5", kMissingZero | kLeft, 0), ModelError);
}

TEST(Lightgbm, IsToldByItsFirstLine) {
  EXPECT_TRUE(LooksLikeLightgbm("tree\nversion=v4"));
  EXPECT_TRUE(LooksLikeLightgbm("tree\r\n"));
  for (char const* const other : {"", "tre", "trees\n", "{}", "\ntree"})
    EXPECT_FALSE(LooksLikeLightgbm(other)) << other;
}

TEST(Lightgbm, WhatIsOddIsRefused) {
  std::string const sound = Stump("0.5", 0);
  std::pair<char const*, char const*> const forgeries[] = {{"left_child=-1", "left_child=0"},
                                                           {"left_child=-1", "left_child=-3"},
                                                           {"left_child=-1", "left_child=1"},
                                                           {"right_child=-2", "right_child=-1"},
                                                           {"decision_type=0", "decision_type=1"},
                                                           {"decision_type=0", "decision_type=12"},
                                                           {"split_feature=0", "split_feature=1"},
                                                           {"threshold=0.5", "threshold=nan"},
                                                           {"leaf_value=0 1", "leaf_value=0 1e39"},
                                                           {"num_cat=0", "num_cat=1"},
                                                           {"Column_0", "\xFF\xFE"},
                                                           {"shrinkage=1", "num_cat=0"}};
  EXPECT_NO_THROW(ReadModel(sound));
  for (auto const& [from, to] : forgeries) {
    EXPECT_THROW(ReadModel(Replaced(sound, from, to)), ModelError) << to;
  }
}

}  // namespace
}  // namespace xgbl
