// SPDX-License-Identifier: Apache-2.0
#include "tree/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

namespace xgbl {
namespace {

TEST(ColumnSampler, LevelsAreWithinTheTreeAndNodesWithinTheLevel) {
  TreeParam param;
  param.colsample_bytree = param.colsample_bylevel = param.colsample_bynode = 0.5;
  ColumnSampler const sampler(param, {3, 9}, 40, {});
  EXPECT_EQ(sampler.Tree().size(), 20U);
  auto const node = sampler.Node(2, 77);
  EXPECT_EQ(node.size(), 5U);
  EXPECT_TRUE(std::includes(sampler.Tree().begin(), sampler.Tree().end(), node.begin(), node.end()));
  EXPECT_EQ(node, sampler.Node(2, 77));
  EXPECT_NE(node, sampler.Node(2, 78));
}

TEST(ColumnSampler, AtLeastOneColumnIsDrawn) {
  TreeParam param;
  param.colsample_bytree = 0.01;
  EXPECT_EQ(ColumnSampler(param, {0, 0}, 7, {}).Tree().size(), 1U);
}

TEST(ColumnSampler, FeatureWeightsSetTheOddsAndZeroMeansNever) {
  TreeParam param;
  param.colsample_bytree = 0.34;
  std::vector<float> const weights{1, 3, 0};
  std::map<std::uint32_t, int> drawn;
  for (std::uint64_t tree = 0; tree < 4000; ++tree) ++drawn[ColumnSampler(param, {5, tree}, 3, weights).Tree()[0]];
  EXPECT_EQ(drawn.count(2), 0U);
  EXPECT_NEAR(static_cast<double>(drawn[1]) / 4000, 0.75, 0.03);
}

}  // namespace
}  // namespace xgbl
