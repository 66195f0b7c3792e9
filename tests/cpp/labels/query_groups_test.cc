// SPDX-License-Identifier: Apache-2.0
#include "labels/query_groups.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/error.h"
#include "sample_meta.h"

namespace xgbl {
namespace {

Meta Grouped(std::vector<std::uint32_t> begin, std::vector<float> weights = {}) {
  Meta meta = MetaOf(std::vector<float>(begin.back()), 1, std::move(weights));
  meta.group_begin = std::move(begin);
  return meta;
}

TEST(QueryGroups, TellsSizesAndWeights) {
  Meta const meta = Grouped({0, 3, 3, 10}, {1, 2, 0.5F});
  QueryGroups const groups(meta, 10, "x");
  EXPECT_EQ(groups.Count(), 3U);
  EXPECT_EQ(groups.Begin(2), 3U);
  EXPECT_EQ(groups.Size(1), 0U);
  EXPECT_EQ(groups.Largest(), 7U);
  EXPECT_EQ(groups.Weight(2), 0.5F);
  EXPECT_EQ(groups.TotalWeight(), 3.5);
}

TEST(QueryGroups, WithoutGroupsAllRowsAreOne) {
  Meta const some = MetaOf({1, 2, 3}, 1, {2}), none = MetaOf({});
  QueryGroups const one(some, 3, "x"), empty(none, 0, "x");
  EXPECT_EQ(one.Count(), 1U);
  EXPECT_EQ(one.Size(0), 3U);
  EXPECT_EQ(one.Weight(0), 2.0F);
  EXPECT_EQ(empty.Count(), 0U);
  empty.ForBlocks({}, [](std::size_t, std::size_t, std::size_t) { FAIL(); });
}

TEST(QueryGroups, BlocksCoverAllQueriesInOrder) {
  std::vector<std::uint32_t> begin{0};
  for (std::uint32_t i = 0; i < 500; ++i) begin.push_back(begin.back() + i * 37 % 101 + (i == 77 ? 20'000 : 0));
  Meta const meta = Grouped(begin);
  QueryGroups const groups(meta, begin.back(), "x");
  for (auto const& ctx : AllContexts()) {
    std::vector<int> visits(groups.Count());
    std::atomic<int> blocks = 0;
    groups.ForBlocks(ctx, [&](std::size_t thread, std::size_t first, std::size_t end) {
      EXPECT_LT(thread, static_cast<std::size_t>(ctx.threads));
      for (std::size_t i = first; i < end; ++i) ++visits[i];
      ++blocks;
    });
    EXPECT_GT(blocks, 5);
    EXPECT_EQ(visits, std::vector<int>(500, 1));
  }
}

TEST(QueryGroups, WhatDoesNotFitIsRefused) {
  EXPECT_THROW(QueryGroups(Grouped({0, 3}), 4, "x"), DataError);
  EXPECT_THROW(QueryGroups(Grouped({0, 2, 3}, {1}), 3, "x"), DataError);
  EXPECT_THROW(QueryGroups(MetaOf({1, 2}, 1, {1, 1}), 2, "x"), DataError);
  EXPECT_THROW(QueryGroups(MetaOf({1, 2}, 2), 2, "x"), DataError);
  Meta few = MetaOf({1, 2, 3});
  few.group_begin = {0, 2};
  EXPECT_THROW(QueryGroups(few, 3, "x"), DataError);
}

}  // namespace
}  // namespace xgbl
