// SPDX-License-Identifier: Apache-2.0
// Split search by bounds must give what the scan of sorted columns gives, to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tree/bounded_finder.h"
#include "tree/column_finder.h"
#include "tree/growing.h"

namespace xgbl {
namespace {

class Finder final : public TreeMethod {
 public:
  explicit Finder(bool bounded) : bounded_(bounded) {}
  bool StopsEarly() const override { return false; }
  std::unique_ptr<SplitFinder> Start(TreeTask const& task, ColumnSampler const& columns) const override {
    return bounded_ ? MakeBoundedFinder(task, columns) : MakeColumnFinder(task, columns);
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
  return GrowTree({ctx, *sample.data, param, rows, gradients, key}, Finder(bounded), true);
}

void ExpectSame(Sample const& sample, TreeParam const& param, std::size_t least_nodes = 3) {
  GrownTree const scanned = GrowBy(false, sample, param, 1);
  EXPECT_GE(scanned.tree.Size(), least_nodes);
  for (int const threads : {1, 3}) {
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

}  // namespace
}  // namespace xgbl
