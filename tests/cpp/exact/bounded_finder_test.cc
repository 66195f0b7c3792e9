// SPDX-License-Identifier: Apache-2.0
// Split search by bounds must give what the scan of sorted columns gives, to the bit.
// Also tests bounded_finder.cc and bounded_search.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exact/column_scan.h"
#include "exact/finders.h"
#include "exact/sample_node.h"
#include "simd/exact_kernels.h"
#include "simd/level.h"
#include "tree/growing.h"

namespace xgbl {
namespace {

class Finder final : public TreeMethod {
 public:
  explicit Finder(bool bounded) : bounded_(bounded) {}
  bool StopsEarly() const override { return false; }
  void Prepare(std::vector<TreeTask>* tasks) const override {
    TreeTask& task = tasks->front();
    if (bounded_) task.views.order = task.data.InValueOrder(task.ctx);
    EXPECT_EQ(task.views.order != nullptr, bounded_);
    task.views.columns = task.data.Sorted(task.ctx);
  }
  std::unique_ptr<SplitFinder> Start(TreeTask* task, ColumnSampler const& columns) const override {
    return task->views.order ? MakeBoundedFinder(*task, columns) : MakeColumnFinder(*task, columns);
  }

 private:
  bool bounded_;
};

GrownTree GrowBy(bool bounded, Sample const& sample, TreeParam const& param, int threads, TreeKey key = {}) {
  Context ctx;
  ctx.threads = threads;
  std::vector<OutputGradients> const gradients{
      {sample.gradient.data(), sample.hessian.data(), sample.gradient.size(), 1}};
  RowSample const rows = SampleRows(param, key, gradients, ctx);
  return PrepareAndGrow({ctx, *sample.data, param, rows, gradients, key}, Finder(bounded));
}

void ExpectSame(Sample const& sample, TreeParam const& param, std::size_t least_nodes = 3) {
  GrownTree const scanned = GrowBy(false, sample, param, 1);
  EXPECT_GE(scanned.tree.Size(), least_nodes);
  for (int const threads : {1, 2, 3}) {
    GrownTree const bounded = GrowBy(true, sample, param, threads);
    EXPECT_TRUE(SameTree(scanned.tree, bounded.tree)) << threads;
    EXPECT_EQ(LeafOfRow(scanned), LeafOfRow(bounded)) << threads;
  }
}

TreeParam Depth(int depth) {
  TreeParam param;
  param.max_depth = depth;
  return param;
}

struct Shape {
  std::size_t rows, columns;
  int levels;
  double missing;
};

class AnyShape : public testing::TestWithParam<Shape> {};

TEST_P(AnyShape, GivesTheTreeOfTheScan) {
  Shape const s = GetParam();
  for (std::uint64_t const seed : {1U, 2U, 3U}) {
    Sample const sample = RandomSample(seed, s.rows, s.columns, s.levels, s.missing);
    ExpectSame(sample, Depth(7));
  }
}

TEST_P(AnyShape, GivesTheTreeOfTheScanWithEveryOption) {
  Shape const s = GetParam();
  Sample const sample = RandomSample(5, s.rows, s.columns, s.levels, s.missing);
  std::vector<std::function<void(TreeParam*)>> const options{
      [](TreeParam* p) { p->reg_alpha = 3; },
      [](TreeParam* p) { p->reg_lambda = 0; },
      [](TreeParam* p) { p->max_delta_step = 0.2; },
      [](TreeParam* p) { p->min_child_weight = 40; },
      [](TreeParam* p) { p->min_child_weight = 0; },
      [](TreeParam* p) { p->min_split_loss = 2; },
      [](TreeParam* p) { p->subsample = 0.4; },
      [](TreeParam* p) { p->colsample_bynode = 0.5; },
      [](TreeParam* p) { p->monotone_constraints = {1, -1}; },
      [](TreeParam* p) { p->interaction_constraints = {{0, 1}, {2}}; },
      [](TreeParam* p) { p->grow_policy = "lossguide", p->max_leaves = 40, p->max_depth = 0; },
  };
  for (std::size_t i = 0; i < options.size(); ++i) {
    TreeParam param = Depth(6);
    options[i](&param);
    SCOPED_TRACE(i);
    ExpectSame(sample, param, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Bounded, AnyShape,
                         testing::Values(Shape{6000, 4, 1'000'000, 0}, Shape{6000, 4, 1'000'000, 0.3},
                                         Shape{5000, 3, 700, 0}, Shape{5000, 3, 300, 0.5}, Shape{5000, 3, 256, 0},
                                         Shape{3000, 3, 5, 0}, Shape{3000, 4, 5, 0.6}, Shape{3000, 3, 1, 0.5},
                                         Shape{40, 3, 1000, 0.2}, Shape{2500, 37, 5000, 0.1}));

// Values of a column as `value(row)` gives them, beside a second column of noise.
Sample WithColumn(std::size_t rows, std::function<float(std::size_t)> const& value) {
  Sample sample = RandomSample(11, rows, 2, 1000, 0);
  std::vector<float> cells;
  for (std::size_t row = 0; row < rows; ++row) {
    cells.insert(cells.end(), {value(row), sample.data->Features().Value(row, 1)});
  }
  sample.data = DenseMatrix(cells, 2);
  return sample;
}

TEST(Bounded, OddColumnsAreSplitAsTheScanDoes) {
  float const huge = std::numeric_limits<float>::max(), tiny = std::numeric_limits<float>::denorm_min();
  std::vector<std::function<float(std::size_t)>> const columns{
      [](std::size_t) { return 3.0F; },                                                 // constant
      [](std::size_t) { return kMissing; },                                             // nothing there
      [](std::size_t row) { return row == 77 ? 1.0F : 0.0F; },                          // one row apart
      [](std::size_t row) { return row % 3 == 0 ? 0.0F : static_cast<float>(row); },    // one value is heavy
      [](std::size_t row) { return static_cast<float>(row / 2); },                      // pairs
      [](std::size_t row) { return std::pow(1.02F, static_cast<float>(row % 4000)); },  // heavy tail
      [&](std::size_t row) { return row % 2 == 0 ? huge : -huge / static_cast<float>(row); },
      [&](std::size_t row) { return tiny * static_cast<float>(row); },
      [](std::size_t row) { return row % 2 == 0 ? 0.0F : -0.0F; },
      [](std::size_t row) { return std::nextafter(1.0F, row % 2 == 0 ? 0.0F : 2.0F); },
      [](std::size_t row) { return row % 5 == 0   ? kMissing
                                   : row % 7 == 0 ? -0.0F
                                                  : static_cast<float>(row % 900); },
  };
  for (std::size_t i = 0; i < columns.size(); ++i) {
    SCOPED_TRACE(i);
    ExpectSame(WithColumn(4500, columns[i]), Depth(6));
  }
}

TEST(Bounded, EqualColumnsGoToTheLowerOneAndEqualGainsToTheLowerThreshold) {
  Sample sample = RandomSample(4, 4000, 1, 2000, 0);
  std::vector<float> cells;
  for (std::size_t row = 0; row < 4000; ++row) {
    float const x = sample.data->Features().Value(row, 0);
    cells.insert(cells.end(), {-x, x, x, 5 - x});
    sample.gradient[row] = static_cast<int>(x) % 2 == 0 ? 1.0F : -1.0F;  // gains repeat everywhere
    sample.hessian[row] = 1;
  }
  sample.data = DenseMatrix(cells, 4);
  ExpectSame(sample, Depth(8));
}

// Threads that share a node out have every other of its features, so that a higher one may be met first.
TEST(Bounded, EqualColumnsOfSeveralThreadsGoToTheLowerOne) {
  Sample sample = RandomSample(4, 20'000, 2, 10'000, 0);
  std::vector<float> cells;
  for (std::size_t row = 0; row < 20'000; ++row) {
    float const noise = sample.data->Features().Value(row, 0), x = sample.data->Features().Value(row, 1);
    cells.insert(cells.end(), {noise, x, x, x, -x, x, noise, x});
    sample.gradient[row] = x < 4000 ? 1.0F : static_cast<int>(x) % 2 == 0 ? -1.0F : -0.5F;
    sample.hessian[row] = 1;
  }
  sample.data = DenseMatrix(cells, 8);
  ExpectSame(sample, Depth(5));
}

TEST(Bounded, ExtremeDerivativesAreSplitAsTheScanDoes) {
  std::vector<std::function<void(Sample*, std::size_t)>> const changes{
      [](Sample* s, std::size_t row) { s->hessian[row] = row % 2 == 0 ? 1e-12F : 1e6F; },
      [](Sample* s, std::size_t row) {
        s->hessian[row] = 0;
        s->gradient[row] *= row % 3 == 0 ? 0.0F : 1.0F;
      },
      [](Sample* s, std::size_t row) { s->gradient[row] *= row % 997 == 0 ? 1e7F : 1.0F; },
      [](Sample* s, std::size_t row) { s->gradient[row] = std::fabs(s->gradient[row]); },
      [](Sample* s, std::size_t row) { s->gradient[row] *= row < 3000 ? 0.0F : 1e-30F; },
      [](Sample* s, std::size_t row) {
        if (row % 2 == 0) s->gradient[row] = s->hessian[row] = 0;
      },  // weight 0
  };
  for (double const missing : {0.0, 0.4}) {
    for (std::size_t i = 0; i < changes.size(); ++i) {
      SCOPED_TRACE(i);
      Sample sample = RandomSample(9, 5000, 3, 3000, missing);
      for (std::size_t row = 0; row < 5000; ++row) changes[i](&sample, row);
      ExpectSame(sample, Depth(7), 1);
    }
  }
}

TEST(Bounded, SamplingOfEveryKindIsAsWithTheScan) {
  Sample const sample = RandomSample(6, 6000, 5, 100'000, 0.1);
  for (char const* method : {"uniform", "gradient_based", "goss"}) {
    TreeParam param = Depth(6);
    param.sampling_method = method;
    param.subsample = method == std::string("goss") ? 1 : 0.5;
    ExpectSame(sample, param);
  }
}

TEST(Bounded, ManyRowsHaveFinerBins) {
  for (double const missing : {0.0, 0.2}) {
    Sample const sample = RandomSample(3, 260'000, 3, 1'000'000, missing);
    ExpectSame(sample, Depth(6), 60);
  }
  Sample sample = RandomSample(5, 260'000, 2, 5000, 0.1);
  for (float& hessian : sample.hessian) hessian = 1;
  for (std::size_t row = 0; row < sample.gradient.size(); row += 9000) sample.gradient[row] *= 1e4F;
  ExpectSame(sample, Depth(6));
  ExpectSame(RandomSample(7, 250'000, 20, 1'000'000, 0), Depth(3));  // tiles of more than 16 slots
}

// A node that has most of the rows is searched by several threads, each of which has some of its features, or none.
TEST(Bounded, ThreadsMayOutnumberTheFeaturesOfANode) {
  for (double const missing : {0.0, 0.2}) {
    Sample const sample = RandomSample(6, 20'000, 3, 1'000'000, missing);
    GrownTree const alone = GrowBy(true, sample, Depth(5), 1);
    for (int const threads : {2, 8}) {
      EXPECT_TRUE(SameTree(alone.tree, GrowBy(true, sample, Depth(5), threads).tree)) << threads;
    }
  }
}

TEST(Bounded, HugeRegularisationIsLeftToTheScan) {
  for (std::uint64_t const seed : {1U, 2U, 3U}) {
    Sample sample = RandomSample(seed, 20'000, 6, 1'000'000, 0);
    for (std::size_t row = 0; row < 20'000; ++row) {
      sample.gradient[row] *= 1e25F;
      sample.hessian[row] = std::numeric_limits<float>::denorm_min();
    }
    TreeParam param = Depth(8);
    param.reg_lambda = 1e38;
    param.min_child_weight = 0;
    GrownTree const scanned = GrowBy(false, sample, param, 1);
    EXPECT_GE(scanned.tree.Size(), 3U);
    EXPECT_TRUE(SameTree(scanned.tree, Grow(sample, param).tree));
  }
}

TEST(Bounded, AWideTableThatKeepsNoBinsGrowsTheSameTree) {
  Sample const sample = RandomSample(8, 2100, 600, 1'000'000, 0.2);
  TreeParam param;
  param.grow_policy = "lossguide";
  param.max_depth = 0;
  param.max_leaves = 60;
  ExpectSame(sample, param);
}

// No split within a bin may have a higher score than its bound, whichever rows of the bin go left, and however much the
// sums are off.
TEST(Bounded, NoSplitIsAboveTheBoundOfItsBin) {
  Random const random(17, Purpose::kRows, 0);
  TreeParam param;
  std::size_t open = 0;
  for (std::size_t trial = 0; trial < 2000; ++trial) {
    param.reg_alpha = trial % 2 == 0 ? 0 : 5;
    param.reg_lambda = trial % 3 == 0 ? 0 : 2;
    param.min_child_weight = trial % 5 == 0 ? 20 : 0;
    auto const draw = [&](std::size_t i) { return random.Uniform(trial * 100 + i) - 0.5; };
    FixedSum const before{static_cast<std::int64_t>(draw(0) * 200), static_cast<std::int64_t>(draw(1) * 30 + 15)};
    std::array<FixedSum, 7> rows{};
    FixedSum bin;
    double rise = 0, ratio = 0;
    for (std::size_t i = 0; i < 7; ++i) {
      rows[i] = {static_cast<std::int64_t>(draw(2 + i) * 60), static_cast<std::int64_t>(draw(20 + i) * 8 + 5)};
      bin += rows[i];
      auto const gradient = static_cast<double>(rows[i].gradient);
      rise += std::max(gradient, 0.0);
      ratio = std::max(ratio, std::fabs(gradient) / static_cast<double>(rows[i].hessian));
    }
    FixedSum const total = before + bin + FixedSum{static_cast<std::int64_t>(draw(40) * 300), 25};
    GrowingTree tree;
    tree.scales = {FixedScale{}};
    tree.nodes.emplace_back();
    tree[0].sums = total;
    ScanBatch const batch(param, MonotoneConstraints(param, 1), tree, {0});
    double const error = trial % 4 < 2 ? 0 : 1.5, off = trial % 4 == 3 ? 2 * error : 0;  // of two rows
    double const shift = trial % 11 < 5 ? 0 : 37;
    std::array<double, 2> const gradient{static_cast<double>(before.gradient) + off - shift,
                                         static_cast<double>(before.gradient + bin.gradient) + off - shift};
    std::array<double, 2> const hessian{static_cast<double>(before.hessian) - off + shift,
                                        static_cast<double>(before.hessian + bin.hessian) - off + shift};
    double const error_rows = trial % 2 == 0 ? 2 : 9;
    double bound = -1;
    BoundTask task{batch.CandidatesOf(total)};
    task.rows = 2;
    task.left_gradient = gradient.data();
    task.left_hessian = hessian.data();
    task.gradient_shift = shift;
    task.hessian_shift = -shift;
    task.rise = &rise;
    task.count = 1;
    task.error_rows = &error_rows;
    task.gradient_error = task.hessian_error = error;
    task.most_ratio = trial % 7 == 0 ? 1e200 : std::max(ratio, 1e-3);
    task.bound = &bound;
    for (SimdLevel const level : AvailableSimd()) {
      Context ctx;
      ctx.simd = level;
      bound = -1;
      task.bar = trial % 3 == 0 ? -1 : random.Uniform(trial * 100 + 50) * 300;
      ExactKernels::Of(ctx.simd).bin_bounds(task);
      open += bound > -1 ? 1 : 0;
      for (std::size_t subset = 0; subset < 128; ++subset) {
        FixedSum left = before;
        for (std::size_t i = 0; i < 7; ++i) left += (subset >> i & 1U) != 0 ? rows[i] : FixedSum{};
        FixedSum const right = total - left;
        if (std::min(left.hessian, right.hessian) < batch.LeastHessian()) continue;
        ASSERT_LE(ScoreOf(batch, left, right), std::max(bound, task.bar) * (1 + 1e-12)) << trial;
      }
    }
  }
  EXPECT_GT(open, 1000 * AvailableSimd().size());
  EXPECT_LT(open, 1990 * AvailableSimd().size());
}

// A place is never passed over whose exact sums, off by no more than the errors, beat the bar; all levels agree.
TEST(Bounded, NoPlaceThatBeatsTheBarIsPassedOver) {
  Random const random(18, Purpose::kRows, 0);
  TreeParam param;
  std::size_t beaten = 0, passed = 0;
  for (std::size_t trial = 0; trial < 1000; ++trial) {
    param.reg_alpha = trial % 2 == 0 ? 0 : 5;
    param.reg_lambda = trial % 3 == 0 ? 0 : 2;
    param.min_child_weight = trial % 5 == 0 ? 20 : 0;
    auto const draw = [&](std::size_t i) { return random.Uniform(trial * 3000 + i) - 0.5; };
    FixedSum const total{static_cast<std::int64_t>(draw(0) * 300), 120};
    GrowingTree tree;
    tree.scales = {FixedScale{}};
    tree.nodes.emplace_back();
    tree[0].sums = total;
    ScanBatch const batch(param, MonotoneConstraints(param, 1), tree, {0});
    double const error = trial % 4 == 0 ? 0 : 2;
    std::size_t const count = std::array<std::size_t, 6>{0, 1, 7, 8, 9, 513}[trial % 6];
    double const shift_g = draw(1) * 50, shift_h = 10;
    double const bar = (draw(2) + 0.5) * 2000;
    std::vector<double> gradient(count), hessian(count);
    bool beats = false;
    for (std::size_t i = 0; i < count; ++i) {
      FixedSum const left{static_cast<std::int64_t>(draw(10 + i) * 120),
                          static_cast<std::int64_t>(draw(1000 + i) * 80 + 60)};
      FixedSum const right = total - left;
      gradient[i] = static_cast<double>(left.gradient) - shift_g + 2 * error * draw(2000 + i);
      hessian[i] = static_cast<double>(left.hessian) - shift_h + 2 * error * draw(2400 + i % 600);
      bool const allowed = std::min(left.hessian, right.hessian) >= batch.LeastHessian();
      beats = beats || (allowed && batch.Beats<true>(left, right, bar));
    }
    BeatTask task{batch.CandidatesOf(total)};
    task.left_gradient = gradient.data();
    task.left_hessian = hessian.data();
    task.gradient_shift = shift_g;
    task.hessian_shift = shift_h;
    task.count = count;
    task.gradient_error = task.hessian_error = error;
    task.bar = bar;
    bool const may = ExactKernels::Of(Context{}.simd).any_beats(task);
    EXPECT_TRUE(may || !beats) << trial;
    EXPECT_TRUE(count > 0 || !may);
    for (SimdLevel const level : AvailableSimd()) {
      Context ctx;
      ctx.simd = level;
      EXPECT_EQ(ExactKernels::Of(ctx.simd).any_beats(task), may) << trial;
    }
    beaten += may ? 1 : 0;
    passed += may ? 0 : 1;
  }
  EXPECT_GT(beaten, 100U);
  EXPECT_GT(passed, 200U);
}

TEST(Bounded, TablesThatDoNotSuitAreLeftToTheScan) {
  auto const suits = [](Sample const& sample) {
    Context const ctx;
    TreeParam const param;
    std::vector<OutputGradients> const gradients{
        {sample.gradient.data(), sample.hessian.data(), sample.gradient.size(), 1}};
    RowSample const rows = SampleRows(param, {}, gradients, ctx);
    TreeTask const task{ctx, *sample.data, param, rows, gradients, {}};
    return SuitsBounds(task) && task.data.InValueOrder(ctx) != nullptr;
  };
  Sample sample = RandomSample(1, 30'000, 3, 50'000, 0.2);
  EXPECT_TRUE(suits(sample));
  sample.hessian[5] = -0.1F;
  EXPECT_FALSE(suits(sample));
  EXPECT_FALSE(suits(RandomSample(1, 100, 3, 50, 0)));
  EXPECT_FALSE(suits(RandomSample(1, 30'000, 3, 50'000, 0.97)));
}

}  // namespace
}  // namespace xgbl
