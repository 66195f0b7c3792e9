// SPDX-License-Identifier: Apache-2.0
#include "simd/ranking_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "simd/level.h"

namespace xgbl {
namespace {

class RankingKernelsAt : public testing::TestWithParam<SimdLevel> {};
INSTANTIATE_TEST_SUITE_P(Simd, RankingKernelsAt, testing::ValuesIn(AvailableSimd()),
                         [](auto const& param_info) { return SimdName(param_info.param); });

// Rows by rank with all that pairs of them need, and room for whole vectors behind them.
struct RankedRows {
  explicit RankedRows(std::size_t n) : rows(n + PairTask::kLanes - 1, 0.25F) {
    for (std::size_t i = 0; i < n; ++i) {
      rows[i] = static_cast<float>(n - i) / 8;
      gain.push_back(static_cast<float>(i * 7 % 4));
    }
    gain.resize(rows.size(), 9);
    gradient.resize(rows.size());
    hessian.resize(rows.size());
    worth.resize(rows.size());
    task = {rows.data(), gain.data(), rows.data(), gain.data(),     gain.data(),    rows.data(), 0.5F,        1,
            1e-3F,       0.01F,       1,           gradient.data(), hessian.data(), rows.data(), rows.data(), nullptr};
  }
  std::vector<float> rows, gain, gradient, hessian, worth;
  PairTask task;
};

TEST_P(RankingKernelsAt, PairsGiveTheSameBitsAndTouchOnlyTheirRows) {
  for (std::size_t const n : {2U, 15U, 16U, 17U, 33U, 511U, 513U, 1100U}) {
    for (bool const biased : {false, true}) {
      RankedRows here(n), expected(n);
      if (biased) here.task.worth = here.worth.data(), expected.task.worth = expected.worth.data();
      auto const sums = RankingKernels::Of(GetParam()).add_pairs(here.task, 0, 1, n);
      auto const wanted = RankingKernels::Of(SimdLevel::kScalar).add_pairs(expected.task, 0, 1, n);
      EXPECT_EQ(sums.gradient, wanted.gradient);
      EXPECT_EQ(sums.hessian, wanted.hessian);
      EXPECT_EQ(sums.size, wanted.size);
      EXPECT_EQ(here.gradient, expected.gradient);
      EXPECT_EQ(here.hessian, expected.hessian);
      EXPECT_EQ(here.worth, expected.worth);
      EXPECT_TRUE(std::all_of(here.hessian.begin() + static_cast<std::ptrdiff_t>(n), here.hessian.end(),
                              [](float value) { return value == 0; }));
    }
  }
}

}  // namespace
}  // namespace xgbl
