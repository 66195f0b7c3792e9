// SPDX-License-Identifier: Apache-2.0
#include "tree/histogram_cache.h"

#include <gtest/gtest.h>

#include <vector>

#include "tree/binned.h"

namespace xgbl {
namespace {

class HistogramCacheTest : public ::testing::Test {
 protected:
  // A cache of so many histograms, with those of nodes 0 to 4 built.
  HistogramCache Filled(int room, int max_depth) {
    TreeParam param;
    param.max_cached_hist_node = room;
    param.max_depth = max_depth;
    HistogramCache cache(param, builder_, 1);
    cache.Reserve(5);
    for (NodeId node = 0; node < 5; ++node) {
      HistogramBuilder::Job const job{{}, true, &cache[node]};
      builder_.Build({&job, 1}, Context{});
    }
    return cache;
  }

  BinnedSample const sample_ = MakeBinned(100, {{4, 0}, {4, 0}});
  PackedGradients const gradients_ =
      PackGradients(RandomGradients(100, 1).Of(0), GradientBits::kAuto, nullptr, Context{});
  HistogramBuilder builder_{*sample_.matrix, {&gradients_, 1}};
};

TEST_F(HistogramCacheTest, KeepsNoMoreThanThereIsRoomFor) {
  HistogramCache cache = Filled(2, 0);
  for (NodeId node = 0; node < 3; ++node) cache.KeepIfUseful(node, 1, true, &builder_);
  EXPECT_FALSE(cache[0].Empty());
  EXPECT_FALSE(cache[1].Empty());
  EXPECT_TRUE(cache[2].Empty());
  cache.Drop(0, &builder_);
  cache.KeepIfUseful(3, 1, true, &builder_);
  EXPECT_FALSE(cache[3].Empty());
}

TEST_F(HistogramCacheTest, DoesNotCountWhatBecameTheHistogramOfAChild) {
  HistogramCache cache = Filled(1, 0);
  cache.KeepIfUseful(0, 0, true, &builder_);
  cache.Forget(0);
  cache.KeepIfUseful(1, 1, true, &builder_);
  EXPECT_FALSE(cache[0].Empty());
  EXPECT_FALSE(cache[1].Empty());
}

TEST_F(HistogramCacheTest, TreesThatGrowAtOnceShareTheMemory) {
  TreeParam param;
  param.max_cached_hist_node = 1000;
  std::size_t const trees = HistogramCache::kMostBytes / builder_.Bytes(2 * kNarrowRows) / 5;  // five for each
  HistogramCache cache(param, builder_, trees);
  cache.Reserve(7);
  for (NodeId node = 0; node < 7; ++node) {
    HistogramBuilder::Job const job{{}, true, &cache[node]};
    builder_.Build({&job, 1}, Context{});
    cache.KeepIfUseful(node, 1, true, &builder_);
    EXPECT_EQ(cache[node].Empty(), node >= 5) << node;
  }
}

TEST_F(HistogramCacheTest, DropsWhatNobodyWillAskFor) {
  HistogramCache cache = Filled(5, 3);
  cache.KeepIfUseful(0, 1, true, &builder_);
  cache.KeepIfUseful(1, 1, false, &builder_);  // a leaf
  cache.KeepIfUseful(2, 2, true, &builder_);   // has children, but no grandchildren
  EXPECT_FALSE(cache[0].Empty());
  EXPECT_TRUE(cache[1].Empty());
  EXPECT_TRUE(cache[2].Empty());
}

}  // namespace
}  // namespace xgbl
