// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tree/sampling.h"

namespace xgbl {
namespace {

constexpr std::size_t kRows = 100'000;

// Gradients of which some are far larger than most.
struct Skewed {
  Skewed() {
    Random const random(5, Purpose::kRows, 0);
    for (std::size_t i = 0; i < kRows; ++i) {
      gradient.push_back(static_cast<float>(std::pow(random.Uniform(i), 8) - 0.05));
      hessian.push_back(0.25F);
    }
  }
  std::vector<OutputGradients> View() const { return {{gradient.data(), hessian.data(), gradient.size(), 1}}; }
  std::vector<float> gradient, hessian;
};

RowSample Sample(TreeParam const& param, Skewed const& data, std::uint64_t tree = 0, int threads = 1) {
  Context ctx;
  ctx.threads = threads;
  return SampleRows(param, {1, tree}, data.View(), ctx);
}

double WeightedSum(RowSample const& sample, std::vector<float> const& values) {
  double sum = 0;
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    sum += static_cast<double>(values[sample.rows[i]]) * static_cast<double>(sample.multiplier[i]);
  }
  return sum;
}

TEST(RowSampling, UniformTakesItsShareAndDiffersByTree) {
  TreeParam param;
  param.subsample = 0.3;
  Skewed const data;
  RowSample const first = Sample(param, data, 0), second = Sample(param, data, 1);
  EXPECT_NEAR(static_cast<double>(first.rows.size()), 30'000, 800);
  std::vector<std::uint32_t> both;
  std::set_intersection(first.rows.begin(), first.rows.end(), second.rows.begin(), second.rows.end(),
                        std::back_inserter(both));
  EXPECT_NEAR(static_cast<double>(both.size()), 9'000, 500);
  EXPECT_TRUE(first.multiplier.empty());
}

TEST(RowSampling, AllRowsAreTakenWithoutAList) { EXPECT_TRUE(Sample(TreeParam{}, Skewed{}).all); }

TEST(RowSampling, GradientBasedSamplesAreUnbiasedAndOfTheWantedSize) {
  TreeParam param;
  param.sampling_method = "gradient_based";
  param.subsample = 0.2;
  Skewed const data;
  double const total = [&] {
    double sum = 0;
    for (float const g : data.gradient) sum += static_cast<double>(g);
    return sum;
  }();
  double mean = 0;
  for (std::uint64_t tree = 0; tree < 20; ++tree) {
    RowSample const sample = Sample(param, data, tree);
    EXPECT_NEAR(static_cast<double>(sample.rows.size()), 20'000, 600);
    mean += WeightedSum(sample, data.gradient) / 20;
  }
  EXPECT_NEAR(mean, total, 60);
}

TEST(RowSampling, GossKeepsTheLargestAndWeighsTheRest) {
  TreeParam param;
  param.sampling_method = "goss";
  Skewed const data;
  RowSample const sample = Sample(param, data);
  EXPECT_NEAR(static_cast<double>(sample.rows.size()), 30'000, 600);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    if (sample.multiplier[i] == 1.0F) {
      ++kept;
    } else {
      EXPECT_FLOAT_EQ(sample.multiplier[i], 8.0F);
    }
  }
  EXPECT_EQ(kept, 20'000U);
  EXPECT_NEAR(WeightedSum(sample, data.hessian), 25'000, 500);
}

TEST(RowSampling, GossDrawsAmongEqualGradients) {
  TreeParam param;
  param.sampling_method = "goss";
  Skewed data;
  std::fill(data.gradient.begin(), data.gradient.end(), -0.5F);
  EXPECT_NEAR(static_cast<double>(Sample(param, data).rows.size()), 30'000, 600);
}

TEST(RowSampling, ZeroGradientsAndNoRowsAreFine) {
  TreeParam param;
  param.sampling_method = "gradient_based";
  param.subsample = 0.5;
  Skewed data;
  std::fill(data.gradient.begin(), data.gradient.end(), 0.0F);
  std::fill(data.hessian.begin(), data.hessian.end(), 0.0F);
  EXPECT_TRUE(Sample(param, data).rows.empty());
  EXPECT_TRUE(SampleRows(param, {}, std::vector<OutputGradients>(1), Context{}).all);
}

TEST(RowSampling, DoesNotDependOnThreads) {
  Skewed const data;
  for (char const* method : {"uniform", "gradient_based", "goss"}) {
    TreeParam param;
    param.sampling_method = method;
    param.subsample = std::string(method) == "goss" ? 1 : 0.4;
    RowSample const one = Sample(param, data), many = Sample(param, data, 0, 3);
    EXPECT_EQ(one.rows, many.rows);
    EXPECT_EQ(one.multiplier, many.multiplier);
  }
}

TEST(RowSampling, ThresholdsDependOnSizesAlone) {
  Skewed const data;
  std::vector<float> sizes = data.gradient;
  for (float& size : sizes) size = std::fabs(size);
  sizes.insert(sizes.end(), {0.0F, 1e-45F, 1e-40F, 3e-30F});
  double const threshold = ThresholdFor(sizes, 20'000);
  auto const chance = [&](float size) { return std::min(1.0, double{size} / threshold); };
  EXPECT_NEAR(std::accumulate(sizes.begin(), sizes.end(), 0.0, [&](double sum, float s) { return sum + chance(s); }),
              20'000, 100);
  std::mt19937 draw(3);
  for (int turn = 0; turn < 5; ++turn) {
    std::shuffle(sizes.begin(), sizes.end(), draw);
    EXPECT_EQ(ThresholdFor(sizes, 20'000), threshold);
  }
  float const infinite = HUGE_VALF;
  EXPECT_EQ(ThresholdFor({1, infinite, 2}, 2), HUGE_VAL);
}

TEST(RowSampling, WholeQueriesAreDrawn) {
  TreeParam param;
  param.subsample = 0.3;
  param.bagging_by_query = true;
  Skewed const data;
  std::vector<std::uint32_t> begin{0, 0};
  while (begin.back() < kRows) begin.push_back(begin.back() + 10);
  RowSample const sample = SampleRows(param, {}, data.View(), {}, begin);
  EXPECT_NEAR(static_cast<double>(sample.rows.size()), 30'000, 2000);
  EXPECT_TRUE(std::is_sorted(sample.rows.begin(), sample.rows.end()));
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    EXPECT_EQ(sample.rows[i] % 10, i % 10);
    EXPECT_EQ(sample.rows[i] / 10, sample.rows[i / 10 * 10] / 10);
  }
}

TEST(RowSampling, QueriesCannotBeDrawnWithoutGroupsOrByGradient) {
  TreeParam param;
  param.bagging_by_query = true;
  EXPECT_THROW(Sample(param, Skewed{}), DataError);
  param.sampling_method = "gradient_based";
  EXPECT_THROW(SampleRows(param, {}, Skewed{}.View(), {}, std::vector<std::uint32_t>{0, kRows}), ParamError);
}

TEST(RowSampling, RatesThatAddUpToMoreThanOneAreRefused) {
  TreeParam param;
  param.sampling_method = "goss";
  param.top_rate = 0.9;
  param.other_rate = 0.2;
  EXPECT_THROW(Sample(param, Skewed{}), ParamError);
}

}  // namespace
}  // namespace xgbl
