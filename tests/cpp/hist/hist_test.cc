// SPDX-License-Identifier: Apache-2.0
// Also tests approx.cc, histogram_finder.cc and histogram_scan.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "hist/histogram_finder.h"
#include "simd/level.h"
#include "tree/growing.h"

namespace xgbl {
namespace {

constexpr std::size_t kManyRows = (std::size_t{1} << 17U) + 1000;  // several pieces of histograms and partitions

struct Growth {
  TreeParam param;
  std::string method = "hist";
  int threads = 1;
  SimdLevel simd = DefaultSimd();
  int outputs = 1;  // copies of the gradient
};

GrownTree GrowWith(Sample const& sample, Growth const& how) {
  Context ctx;
  ctx.threads = how.threads;
  ctx.simd = how.simd;
  auto const method = Registry<TreeMethod>::Get().At(how.method, "tree method").make();
  std::vector<OutputGradients> const gradients(
      static_cast<std::size_t>(how.outputs),
      {sample.gradient.data(), sample.hessian.data(), sample.gradient.size(), 1});
  RowSample const rows = SampleRows(how.param, {7, 3}, gradients, ctx);
  return PrepareAndGrow({ctx, *sample.data, how.param, rows, gradients, {7, 3}}, *method);
}

// Whole gradients and hessians, so that every form of them is exact and equal gains are equal in all methods.
Sample WholeSample(std::size_t rows, std::size_t columns, int levels, double missing) {
  Sample sample = RandomSample(11, rows, columns, levels, missing);
  for (float& g : sample.gradient) g = std::round(g * 4);
  std::fill(sample.hessian.begin(), sample.hessian.end(), 1.0F);
  return sample;
}

Sample CategorySample(std::size_t rows, int categories, double missing) {
  Sample sample = WholeSample(rows, 2, categories, missing);
  Meta meta;
  meta.feature_types = {"c", "q"};
  sample.data->SetInfo(meta);
  Random const random(3, Purpose::kRows, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    float const code = sample.data->Features().Value(row, 0);
    std::uint64_t const effect = std::isnan(code) ? 3 : Mix(static_cast<std::uint64_t>(code)) % 9;
    sample.gradient[row] = static_cast<float>(effect) - 4 + std::round(static_cast<float>(random.Uniform(row)) * 2);
  }
  return sample;
}

TEST(Hist, ABinForEveryValueGivesThePartitionsOfExact) {
  for (double const missing : {0.0, 0.3}) {
    Sample const sample = WholeSample(3000, 5, 40, missing);
    Growth exact, hist;
    exact.method = "exact";
    hist.param.gradient_bits = "32";
    EXPECT_EQ(LeafOfRow(GrowWith(sample, exact)), LeafOfRow(GrowWith(sample, hist)));
  }
}

// What each row gets: the same for trees that differ in which child is the left one.
std::vector<float> ValueOfRow(GrownTree const& grown) {
  std::vector<float> values;
  for (NodeId const leaf : LeafOfRow(grown)) values.push_back(grown.tree.Value(leaf)[0]);
  return values;
}

// Features that have a value or none are scored together.
TEST(Hist, IndicatorsGiveThePartitionsOfExact) {
  Sample const sample = WholeSample(3000, 12, 1, 0.6);
  for (double const least : {1.0, 150.0}) {
    Growth exact, hist;
    exact.method = "exact";
    hist.param.gradient_bits = "32";
    exact.param.min_child_weight = hist.param.min_child_weight = least;
    GrownTree const grown = GrowWith(sample, hist);
    EXPECT_GT(grown.tree.Size(), 3U);
    EXPECT_EQ(ValueOfRow(GrowWith(sample, exact)), ValueOfRow(grown)) << least;
  }
}

TEST(Hist, IndicatorsOfEqualOutputsGiveTheTreeOfOne) {
  Sample const sample = WholeSample(3000, 12, 1, 0.6);
  Growth one, three;
  three.outputs = 3;
  GrownTree const single = GrowWith(sample, one), vector = GrowWith(sample, three);
  EXPECT_EQ(single.tree.feature, vector.tree.feature);
  EXPECT_GT(single.tree.Size(), 3U);
}

TEST(Hist, ApproxWithEnoughBinsGivesThePartitionsOfHist) {
  Sample sample = WholeSample(3000, 5, 40, 0.2);
  for (float const hessian : {1.0F, 2.0F}) {
    std::fill(sample.hessian.begin(), sample.hessian.end(), hessian);
    for (char const* proposal : {"global", "local"}) {
      Growth hist, approx;
      approx.method = "approx";
      approx.param.cut_proposal = proposal;
      EXPECT_EQ(LeafOfRow(GrowWith(sample, hist)), LeafOfRow(GrowWith(sample, approx))) << proposal << hessian;
    }
  }
}

TEST(Hist, ApproxHasTheCandidatesOfHistWhereHessiansAreOne) {
  Sample sample = RandomSample(4, 20000, 3, 15000, 0.1);
  std::fill(sample.hessian.begin(), sample.hessian.end(), 1.0F);
  Growth hist, approx;
  approx.method = "approx";
  hist.param.max_bin = approx.param.max_bin = 8;
  EXPECT_EQ(LeafOfRow(GrowWith(sample, hist)), LeafOfRow(GrowWith(sample, approx)));
}

TEST(Hist, DoesNotDependOnThreadsOrInstructionSet) {
  Sample const sample = RandomSample(12, kManyRows, 6, 3000, 0.1);
  for (char const* policy : {"depthwise", "lossguide"}) {
    for (char const* method : {"hist", "approx"}) {
      Growth base;
      base.method = method;
      base.param.grow_policy = policy;
      base.param.max_leaves = 40;
      base.param.max_depth = 9;
      GrownTree const one = GrowWith(sample, base);
      for (int const threads : {2, 3, 7}) {
        Growth other = base;
        other.threads = threads;
        EXPECT_TRUE(SameTree(one.tree, GrowWith(sample, other).tree)) << policy << ' ' << threads;
      }
      for (SimdLevel const level : AvailableSimd()) {
        Growth other = base;
        other.simd = level;
        EXPECT_TRUE(SameTree(one.tree, GrowWith(sample, other).tree)) << policy << ' ' << SimdName(level);
      }
    }
  }
}

TEST(Hist, RowsAreInTheLeafThatTheTreeSendsThemTo) {
  for (char const* sampling : {"uniform", "gradient_based", "goss"}) {
    Sample const sample = CategorySample(3000, 20, 0.2);
    Growth how;
    how.param.sampling_method = sampling;
    how.param.subsample = std::string(sampling) == "goss" ? 1 : 0.5;
    GrownTree const grown = GrowWith(sample, how);
    CheckTree(grown.tree, 2);
    std::vector<NodeId> const leaf_of_row = LeafOfRow(grown);
    for (std::size_t row = 0; row < 3000; ++row) {
      NodeId const walked = grown.tree.LeafOf([&](std::size_t f) { return sample.data->Features().Value(row, f); });
      ASSERT_EQ(leaf_of_row[row], walked) << sampling << ' ' << row;
    }
  }
}

TEST(Hist, HistogramsThatAreNotKeptAreBuiltAgain) {
  Sample const sample = RandomSample(13, 5000, 6, 300, 0.1);
  for (char const* policy : {"depthwise", "lossguide"}) {
    Growth roomy, tight;
    roomy.param.grow_policy = tight.param.grow_policy = policy;
    tight.param.max_cached_hist_node = 1;
    EXPECT_TRUE(SameTree(GrowWith(sample, roomy).tree, GrowWith(sample, tight).tree)) << policy;
  }
}

TEST(Hist, TreesThatStartTogetherAreThoseThatStartAlone) {
  Sample const sample = RandomSample(21, 6000, 6, 300, 0.1);
  auto const method = Registry<TreeMethod>::Get().At("hist", "tree method").make();
  std::vector<OutputGradients> const gradients{{sample.gradient.data(), sample.hessian.data(), 6000, 1}};
  Context ctx;
  ctx.simd = DefaultSimd();
  RowSample const all;
  for (char const* bits : {"16", "32"}) {
    TreeParam param;
    param.gradient_bits = bits;
    std::vector<TreeTask> tasks;
    for (std::uint64_t k = 0; k < 4; ++k) tasks.push_back({ctx, *sample.data, param, all, gradients, {5, k}});
    method->Prepare(&tasks);
    for (std::uint64_t k = 0; k < 4; ++k) {
      Tree const alone = PrepareAndGrow({ctx, *sample.data, param, all, gradients, {5, k}}, *method).tree;
      EXPECT_FALSE(tasks[k].root == nullptr || tasks[k].root->histogram.Empty());
      EXPECT_TRUE(SameTree(GrowTree(std::move(tasks[k]), *method, true).tree, alone)) << k;
    }
  }
}

TEST(Hist, EqualOutputsGiveTheTreeOfOne) {
  Sample const sample = WholeSample(4000, 4, 50, 0.1);
  Growth one, three;
  three.outputs = 3;
  GrownTree const single = GrowWith(sample, one), vector = GrowWith(sample, three);
  EXPECT_EQ(single.tree.feature, vector.tree.feature);
  EXPECT_EQ(single.tree.threshold, vector.tree.threshold);
  for (NodeId node = 0; Tree::At(node) < single.tree.Size(); ++node) {
    EXPECT_EQ(vector.tree.cover[Tree::At(node)], 3 * single.tree.cover[Tree::At(node)]);
    for (float const value : vector.tree.Value(node)) EXPECT_EQ(value, single.tree.Value(node)[0]);
  }
}

// The largest gain of any split of the categories in two, missing values on either side.
double BestGainOfSubsets(Sample const& sample, int categories) {
  std::vector<double> g(static_cast<std::size_t>(categories) + 1), h(g.size());
  for (std::size_t row = 0; row < sample.gradient.size(); ++row) {
    float const code = sample.data->Features().Value(row, 0);
    std::size_t const at = std::isnan(code) ? g.size() - 1 : static_cast<std::size_t>(code);
    g[at] += static_cast<double>(sample.gradient[row]);
    h[at] += 1;
  }
  double best = 0;
  for (std::uint32_t set = 1; set + 1 < (1U << g.size()); ++set) {
    double left_g = 0, left_h = 0, right_g = 0, right_h = 0;
    for (std::size_t c = 0; c < g.size(); ++c) {
      bool const left = (set >> c & 1U) != 0;
      (left ? left_g : right_g) += g[c];
      (left ? left_h : right_h) += h[c];
    }
    double const all_g = left_g + right_g, all_h = left_h + right_h;
    best = std::max(best, left_g * left_g / left_h + right_g * right_g / right_h - all_g * all_g / all_h);
  }
  return best;
}

TEST(Hist, SetsOfCategoriesAreTheBestOfAllSubsets) {
  for (double const missing : {0.0, 0.2}) {
    Sample const sample = CategorySample(2000, 9, missing);
    Growth how;
    how.param.max_depth = 1;
    how.param.reg_lambda = 0;
    GrownTree const grown = GrowWith(sample, how);
    ASSERT_EQ(grown.tree.categorical[0], 1);
    EXPECT_NEAR(static_cast<double>(grown.tree.gain[0]), BestGainOfSubsets(sample, 9), 1e-2);
  }
}

TEST(Hist, LocalCutsLeaveCategoriesAlone) {
  Sample const sample = CategorySample(3000, 12, 0.1);
  Growth local, global;
  local.method = global.method = "approx";
  local.param.cut_proposal = "local";
  local.param.max_depth = global.param.max_depth = 1;
  EXPECT_EQ(GrowWith(sample, local).tree.category, GrowWith(sample, global).tree.category);
}

TEST(Hist, NegativeHessiansAndHugePenaltiesAreSurvived) {
  Sample sample = CategorySample(500, 30, 0.1);
  for (SimdLevel const level : AvailableSimd()) {
    for (double const lambda : {0.0, 1.0, 1e300}) {
      Growth how;
      how.simd = level;
      how.param.reg_lambda = lambda;
      how.param.min_child_weight = 0;
      for (float const hessian : {-1.0F, 0.0F, 1.0F}) {
        std::fill(sample.hessian.begin(), sample.hessian.end(), hessian);
        CheckTree(GrowWith(sample, how).tree, 2);
      }
    }
  }
}

TEST(Hist, FewCategoriesAreSplitOneAgainstTheRest) {
  Growth how;
  how.param.max_cat_to_onehot = 10;
  how.param.max_depth = 3;
  GrownTree const grown = GrowWith(CategorySample(2000, 9, 0.1), how);
  for (NodeId node = 0; Tree::At(node) < grown.tree.Size(); ++node) {
    if (grown.tree.categorical[Tree::At(node)] != 0) {
      EXPECT_EQ(grown.tree.CategorySet(node).size(), 1U);
    }
  }
}

TEST(Hist, SetsOfCategoriesAreSmallerThanTheThreshold) {
  for (int const threshold : {1, 2, 3, 64}) {
    Growth how;
    how.param.max_cat_threshold = threshold;
    GrownTree const grown = GrowWith(CategorySample(4000, 200, 0.1), how);
    std::size_t largest = 0;
    for (NodeId node = 0; Tree::At(node) < grown.tree.Size(); ++node) {
      largest = std::max(largest, grown.tree.CategorySet(node).size());
    }
    EXPECT_EQ(largest, static_cast<std::size_t>(threshold) - 1);
  }
}

TEST(Hist, AHundredThousandCategoriesWork) {
  Growth how;
  how.param.max_depth = 3;
  Sample const sample = CategorySample(kManyRows, 100'000, 0);
  GrownTree const grown = GrowWith(sample, how);
  EXPECT_EQ(grown.tree.categorical[0], 1);
}

TEST(Hist, OutliersDoNotBlurTheOthers) {
  Sample sample = RandomSample(14, 20'000, 3, 100, 0);
  Growth how;
  how.param.max_depth = 3;
  how.param.min_child_weight = 0;
  GrownTree const clean = GrowWith(sample, how);
  std::vector<double> wide_gain;
  sample.gradient[77] = 1e6F;
  Growth wide = how;
  wide.param.gradient_bits = "32";
  EXPECT_TRUE(SameTree(GrowWith(sample, how).tree, GrowWith(sample, wide).tree));  // auto is wide here
  EXPECT_GT(clean.tree.Size(), 7U);
}

TEST(Hist, SmallDataAndDegenerateDataGrowALeaf) {
  float const huge = std::numeric_limits<float>::max(), denormal = std::numeric_limits<float>::denorm_min();
  for (auto const& values : std::vector<std::vector<float>>{
           {1}, {kMissing, kMissing, kMissing}, {5, 5, 5}, {huge, -huge, denormal}, {0, -0.0F, 0}}) {
    Sample sample;
    sample.data = DenseMatrix(values, 1);
    sample.gradient.assign(values.size(), 0.5F);
    sample.hessian.assign(values.size(), 1.0F);
    for (char const* method : {"hist", "approx"}) {
      Growth how;
      how.method = method;
      GrownTree const grown = GrowWith(sample, how);
      EXPECT_EQ(grown.tree.Size(), 1U);
      EXPECT_EQ(LeafOfRow(grown), std::vector<NodeId>(values.size(), 0));
    }
  }
}

TEST(Hist, GossTakesNoSubsample) {
  Growth how;
  how.param.sampling_method = "goss";
  how.param.subsample = 0.5;
  EXPECT_THROW(GrowWith(WholeSample(100, 2, 5, 0), how), ParamError);
}

TEST(Hist, ConstraintsThatDoNotFitAreRefused) {
  Growth how;
  Sample const sample = CategorySample(100, 5, 0);
  how.param.monotone_constraints = {0, 1};
  EXPECT_NO_THROW(GrowWith(sample, how));
  how.param.monotone_constraints = {1, 0};
  EXPECT_THROW(GrowWith(sample, how), ParamError);
}

TEST(Hist, MissingAgainstPresentIsAllowedInTheOrderOfTheConstraint) {
  Sample sample;
  std::vector<float> values(40, kMissing);
  std::fill_n(values.begin(), 20, 1.0F);
  sample.data = DenseMatrix(values, 1);
  for (float const value : values) sample.gradient.push_back(std::isnan(value) ? 1.0F : -1.0F);
  sample.hessian.assign(40, 1.0F);
  for (char const* method : {"hist", "approx"}) {
    for (int const sign : {1, -1}) {
      Growth how;
      how.method = method;
      how.param.monotone_constraints = {sign};
      GrownTree const grown = GrowWith(sample, how);
      EXPECT_EQ(grown.tree.Size(), 3U) << method << sign;
      EXPECT_NE(LeafOfRow(grown)[0], LeafOfRow(grown)[39]);
    }
  }
}

// Of several outputs the mean hessian is what `min_child_weight` asks for, there as everywhere.
TEST(Hist, MissingAgainstPresentIsWeighedByAllOutputs) {
  std::vector<float> values(40, kMissing);
  std::fill_n(values.begin(), 20, 1.0F);
  auto const data = DenseMatrix(values, 1);
  std::vector<float> gradient;
  for (float const value : values) gradient.push_back(std::isnan(value) ? 1.0F : -1.0F);
  std::vector<float> const light(40, 0.01F), heavy(40, 1.0F);
  std::vector<OutputGradients> const gradients{{gradient.data(), light.data(), 40, 1},
                                               {gradient.data(), heavy.data(), 40, 1}};
  auto const method = Registry<TreeMethod>::Get().At("hist", "tree method").make();
  for (int const sign : {1, -1}) {
    for (double const least : {10.0, 11.0}) {
      TreeParam param;
      param.monotone_constraints = {sign};
      param.min_child_weight = least;
      GrownTree const grown = PrepareAndGrow({Context(), *data, param, RowSample(), gradients, {7, 3}}, *method);
      EXPECT_EQ(grown.tree.Size(), least < 10.1 ? 3U : 1U) << sign;
    }
  }
}

TEST(Hist, LevelsThatDoNotOccurGoWithTheWeightNearerToZero) {
  std::vector<float> values;
  Sample sample;
  for (int row = 0; row < 60; ++row) {
    int const level = row % 3;  // of ten; level 2 is strong, the others are weak
    values.push_back(static_cast<float>(level));
    sample.gradient.push_back(level == 2 ? -5.0F : 0.2F);
  }
  values.back() = 9;
  sample.data = DenseMatrix(values, 1);
  Meta meta;
  meta.feature_types = {"c"};
  sample.data->SetInfo(meta);
  sample.hessian.assign(60, 1.0F);
  for (float const flip : {1.0F, -1.0F}) {
    for (float& gradient : sample.gradient) gradient *= flip;
    Growth how;
    how.param.max_depth = 1;
    GrownTree const grown = GrowWith(sample, how);
    auto const leaf = [&](float level) { return grown.tree.LeafOf([&](std::size_t) { return level; }); };
    EXPECT_EQ(leaf(5), leaf(0));
    EXPECT_NE(leaf(5), leaf(2));
  }
}

TEST(Hist, MonotoneConstraintsHold) {
  Sample const sample = RandomSample(15, 3000, 3, 60, 0);
  for (int const sign : {1, -1}) {
    Growth how;
    how.param.monotone_constraints = {sign, 0, 0};
    GrownTree const grown = GrowWith(sample, how);
    for (float const other : {5.0F, 30.0F}) {
      float last = -std::numeric_limits<float>::infinity();
      for (int step = 0; step < 60; ++step) {
        auto const at = static_cast<float>(sign > 0 ? step : 59 - step);
        NodeId const leaf = grown.tree.LeafOf([&](std::size_t f) { return f == 0 ? at : other; });
        EXPECT_GE(grown.tree.Value(leaf)[0], last);
        last = grown.tree.Value(leaf)[0];
      }
    }
  }
}

// Two outputs of the same gradient grow the tree of one, and have its values twice.
TEST(Hist, MonotoneConstraintsBoundEachOutput) {
  Sample const sample = RandomSample(15, 3000, 3, 60, 0);
  Growth one, two;
  two.outputs = 2;
  for (int const sign : {1, -1}) {
    one.param.monotone_constraints = two.param.monotone_constraints = {sign, 0, -sign};
    Tree const single = GrowWith(sample, one).tree, twin = GrowWith(sample, two).tree;
    EXPECT_EQ(single.feature, twin.feature);
    EXPECT_EQ(single.threshold, twin.threshold);
    for (std::size_t node = 0; node < single.Size(); ++node) {
      for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(twin.value[2 * node + k], single.value[node]);
    }
  }
}

}  // namespace
}  // namespace xgbl
