// SPDX-License-Identifier: Apache-2.0
#include "labels/query_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sample_meta.h"

namespace xgbl {
namespace {

using Rows = std::vector<std::uint32_t>;

Rows OrderOf(std::vector<float> const& scores, Context const& ctx = {}, std::size_t top = 1U << 20U) {
  RankOrder order(ctx);
  auto const rows = order.Of(scores, top);
  return {rows.begin(), rows.end()};
}

Rows Sorted(std::vector<float> const& scores) {
  Rows rows(scores.size());
  std::iota(rows.begin(), rows.end(), 0U);
  std::stable_sort(rows.begin(), rows.end(), [&](auto a, auto b) { return scores[a] > scores[b]; });
  return rows;
}

TEST(RankOrder, IsAStableSortAtEveryLengthAndInstructionSet) {
  for (auto const& ctx : AllContexts()) {
    for (std::size_t const n : {0U, 1U, 2U, 15U, 16U, 17U, 100U, 255U, 256U, 257U, 1000U}) {
      auto scores = Uniform(n, -9, 9, n);
      for (float& score : scores) score = std::round(score);
      EXPECT_EQ(OrderOf(scores, ctx), Sorted(scores)) << n;
    }
  }
}

TEST(RankOrder, PutsNanLastAndTakesZerosForOne) {
  float const nan = std::nanf(""), low = std::numeric_limits<float>::denorm_min();
  std::vector<float> scores{nan, -HUGE_VALF, -0.0F, 0.0F, low, -low, HUGE_VALF, -nan, -3e38F, 3e38F, -0.0F};
  Rows const expected{6, 9, 4, 2, 3, 10, 5, 8, 1, 0, 7};
  EXPECT_EQ(OrderOf(scores), expected);
  scores.resize(300, nan);
  auto const sorted = OrderOf(scores);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), sorted.begin()));
}

TEST(RankOrder, TheTopIsTheBeginningOfAll) {
  for (std::size_t const n : {100U, 1000U}) {
    auto const scores = Uniform(n, -9, 9);
    auto const all = Sorted(scores);
    for (std::size_t const top : {std::size_t{0}, std::size_t{1}, n - 1, n, n + 1}) {
      EXPECT_EQ(OrderOf(scores, {}, top),
                Rows(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(n, top))));
    }
  }
}

}  // namespace
}  // namespace xgbl
