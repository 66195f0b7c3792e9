// SPDX-License-Identifier: Apache-2.0
// Quantiles against sorting and adding up in the plainest way.
#include "objective/quantiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sample_meta.h"

namespace xgbl {
namespace {

constexpr double kAlphas[] = {0, 0.001, 0.1, 0.25, 0.5, 0.75, 0.9, 0.999, 1};

float QuantileOf(std::vector<float> const& values, double alpha, std::vector<float> const& weights = {}) {
  WeightedValues all(!weights.empty());
  for (std::size_t i = 0; i < values.size(); ++i) all.Add(values[i], weights.empty() ? 1.0F : weights[i]);
  return all.Quantile(alpha);
}

double SortedQuantile(std::vector<float> values, double alpha) {
  std::sort(values.begin(), values.end());
  auto const n = static_cast<double>(values.size());
  double const place = alpha * (n + 1);  // counted from 1
  if (place <= 1) return double{values.front()};
  if (place >= n) return double{values.back()};
  auto const below = static_cast<std::size_t>(place) - 1;
  return double{values[below]} + (place - std::floor(place)) * (double{values[below + 1]} - double{values[below]});
}

// The least value such that the weight up to it is a share alpha of all; of whole weights, so that sums are exact.
float SteppedQuantile(std::vector<float> const& values, std::vector<float> const& weights, double alpha) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  double const total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  for (std::size_t const i : order) {
    sum += double{weights[i]};
    if (sum >= alpha * total && weights[i] > 0) return values[i];
  }
  return values[order.back()];
}

TEST(Quantiles, WithoutWeightsTheyLieBetweenOrderStatistics) {
  for (std::size_t n = 1; n < 40; ++n) {
    auto const values = Uniform(n, -5, 5, n);
    for (double const alpha : kAlphas) {
      EXPECT_NEAR(QuantileOf(values, alpha), SortedQuantile(values, alpha), 1e-6) << n << " " << alpha;
    }
  }
}

TEST(Quantiles, WithWeightsTheyAreTheFirstValueThatReachesTheShare) {
  for (std::size_t n = 1; n < 40; ++n) {
    auto const values = Uniform(n, -5, 5, n);
    auto weights = Uniform(n, 0, 5, n + 100);
    for (float& weight : weights) weight = std::floor(weight);  // some are 0
    weights[0] = 2;
    for (double const alpha : kAlphas) {
      EXPECT_EQ(QuantileOf(values, alpha, weights), SteppedQuantile(values, weights, alpha)) << n << " " << alpha;
    }
  }
}

TEST(Quantiles, EqualWeightsOfAnySizeAreTheSame) {
  auto const values = Uniform(10, 0, 1);
  float const expected = QuantileOf(values, 0.5, std::vector<float>(10, 1.0F));
  for (float const size : {0.1F, 1e-40F, 1e-45F, 3e38F}) {
    EXPECT_EQ(QuantileOf(values, 0.5, std::vector<float>(10, size)), expected) << size;
  }
}

TEST(Quantiles, TiesAndConstantsAreTheirValue) {
  EXPECT_EQ(QuantileOf({2, 2, 2, 2}, 0.3), 2);
  EXPECT_EQ(QuantileOf({2, 2, 2, 2}, 0.3, {1, 2, 3, 4}), 2);
  EXPECT_EQ(QuantileOf({1, 1, 1, 9}, 0.5, {1, 1, 1, 1}), 1);
}

TEST(Quantiles, NothingGivesZeroAndOneValueItself) {
  EXPECT_EQ(QuantileOf({}, 0.5), 0);
  EXPECT_EQ(QuantileOf({}, 0.5, {}), 0);
  EXPECT_EQ(QuantileOf({4}, 0.9), 4);
  EXPECT_EQ(QuantileOf({4}, 0.9, {0.5F}), 4);
}

TEST(Quantiles, NanAndWeightlessValuesDoNotCount) {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(QuantileOf({nan, 3, nan}, 0.5), 3);
  EXPECT_EQ(QuantileOf({1, 3, 5}, 0, {0, 1, 1}), 3);
  EXPECT_EQ(QuantileOf({1, 3}, 0.5, {0, 0}), 0);
}

TEST(Quantiles, HugeValuesAndInfinityStayInOrder) {
  EXPECT_EQ(QuantileOf({-3e38F, 0, 3e38F}, 0.5), 0);
  EXPECT_EQ(QuantileOf({-3e38F, 3e38F}, 0.5), 0);
  EXPECT_EQ(QuantileOf({HUGE_VALF, 1, -HUGE_VALF}, 0.5), 1);
}

TEST(Quantiles, OfLabelsAndOfWhatALeafLeavesOfThem) {
  auto const meta = MetaOf({1, 10, 2, 20, 3, 30, 4, 40}, 2);
  EXPECT_EQ(LabelQuantile(meta, 1, 0.5), 25);
  auto const margins = MatrixOf({0, 5, 0, 5, 0, 5, 0, 5}, 2);
  std::vector<std::uint32_t> const rows{0, 2};
  EXPECT_EQ(LeafResiduals({margins.View(), meta, rows, 1}, 1).Quantile(0.5), 15);
  EXPECT_EQ(LabelQuantile(MetaOf({}), 0, 0.5), 0);
}

}  // namespace
}  // namespace xgbl
