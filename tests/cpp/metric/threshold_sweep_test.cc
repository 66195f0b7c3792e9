// SPDX-License-Identifier: Apache-2.0
// The sweep against all pairs of rows, in every way that it may hold and sort them.
#include "metric/threshold_sweep.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sample_meta.h"

namespace xgbl {
namespace {

struct Rows {
  std::vector<float> scores, shares, weights;

  ScoredRows View() const { return {scores, shares, weights}; }
};

Rows Random(std::size_t n, double low, double high) {
  Rows rows{Uniform(n, low, high, 1), Uniform(n, 0, 1, 2), {}};
  for (float& share : rows.shares) share = share < 0.4F ? 1.0F : 0.0F;
  return rows;
}

double AreaOfPairs(Rows const& rows) {
  double won = 0, positives = 0, negatives = 0;
  for (std::size_t i = 0; i < rows.scores.size(); ++i) {
    double const weight = rows.weights.empty() ? 1.0 : double{rows.weights[i]}, share = double{rows.shares[i]};
    if (std::isnan(share)) continue;
    positives += weight * share, negatives += weight * (1 - share);
    for (std::size_t j = 0; j < rows.scores.size(); ++j) {
      double const other = rows.weights.empty() ? 1.0 : double{rows.weights[j]}, rest = 1 - double{rows.shares[j]};
      double const better = rows.scores[i] > rows.scores[j] ? 1 : rows.scores[i] == rows.scores[j] ? 0.5 : 0;
      if (!std::isnan(rest)) won += better * weight * share * other * rest;
    }
  }
  return won / (positives * negatives);
}

void ExpectAreaOfPairs(Rows const& rows, double tolerance = 1e-12) {
  double const expected = AreaOfPairs(rows);
  for (int const threads : {1, 2, 7}) {
    Context ctx;
    ctx.threads = threads;
    EXPECT_NEAR(RocArea(ThresholdSweep(rows.View(), ctx)), expected, tolerance);
  }
}

TEST(ThresholdSweep, FindsTheAreaOfPlainRows) {
  for (std::size_t const n : {2U, 3U, 100U, 3000U}) {
    Rows rows = Random(n, 0, 1);
    rows.shares[0] = 1, rows.shares[1] = 0;
    ExpectAreaOfPairs(rows);
  }
}

TEST(ThresholdSweep, ScoresMayHaveBothSignsAndAnySize) {
  Rows rows = Random(2000, -1, 1);
  for (std::size_t i = 0; i < 2000; ++i) rows.scores[i] *= std::exp(static_cast<float>(i % 170) - 85.0F);
  float const odd[] = {HUGE_VALF, -HUGE_VALF, 0.0F, -0.0F, 1e-45F, -1e-45F, 3e38F, -3e38F};
  for (std::size_t i = 0; i < 800; ++i) rows.scores[i] = odd[i % 8];
  ExpectAreaOfPairs(rows);
}

TEST(ThresholdSweep, TiesCountHalf) {
  Rows rows = Random(3000, -4, 4);
  for (float& score : rows.scores) score = std::floor(score);
  ExpectAreaOfPairs(rows);
  std::fill(rows.scores.begin(), rows.scores.end(), 0.25F);
  EXPECT_EQ(RocArea(ThresholdSweep(rows.View(), {})), 0.5);
}

TEST(ThresholdSweep, RowsHaveWeightsPartsAndMayLackALabel) {
  Rows rows = Random(3000, -2, 2);
  rows.weights = Uniform(3000, 0, 3, 5);
  ExpectAreaOfPairs(rows);
  for (std::size_t i = 0; i < 1000; ++i) rows.shares[i] = i % 3 == 0 ? std::nanf("") : rows.scores[i] / 8 + 0.5F;
  ExpectAreaOfPairs(rows, 1e-8);  // weights of parts are floats
  rows.weights.clear();
  ExpectAreaOfPairs(rows, 1e-8);
}

TEST(ThresholdSweep, SumsAreTheSameBitsForAnyNumberOfThreads) {
  Rows rows = Random(300007, 0, 1);
  rows.weights = Uniform(300007, 0, 3, 5);
  double const expected = RocArea(ThresholdSweep(rows.View(), {}));
  for (auto const& ctx : AllContexts()) EXPECT_EQ(RocArea(ThresholdSweep(rows.View(), ctx)), expected);
}

TEST(ThresholdSweep, StepsGoFromNothingToTheTotal) {
  Rows const rows = Random(5000, 0, 1);
  ThresholdSweep const sweep(rows.View(), {});
  double const rows_seen =
      sweep.Sum([](Tally const& above, Tally const& through) { return through.Sum() - above.Sum(); });
  EXPECT_EQ(rows_seen, 5000);
  EXPECT_EQ(sweep.Total().Sum(), 5000);
}

TEST(ThresholdSweep, OfNothingIsEmpty) {
  EXPECT_EQ(ThresholdSweep({}, {}).Total().Sum(), 0);
  std::vector<float> const one{0.5F}, missing{std::nanf("")};
  EXPECT_EQ(ThresholdSweep({one, missing, {}}, {}).Total().Sum(), 0);
  EXPECT_TRUE(std::isnan(RocArea(ThresholdSweep({one, one, {}}, {})) - RocArea(ThresholdSweep({}, {}))));
}

}  // namespace
}  // namespace xgbl
