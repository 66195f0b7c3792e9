// SPDX-License-Identifier: Apache-2.0
#include "exact/fine_gradients.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hist/binned.h"
#include "simd/level.h"
#include "tree/growing.h"

namespace xgbl {
namespace {

enum class Kind { kPlain, kOutliers, kSomeWithoutHessian, kOneHessian, kOneSteepRow };

// Derivatives of some rows, so far apart, and the task of a tree on all of them or some.
struct Derivatives {
  Derivatives(std::size_t rows, Kind kind, std::size_t distance = 1)
      : data(FeatureMatrix(NewTable(rows, 1, &cells)), Meta{}),
        gradients(distance * rows),
        hessians(distance * rows),
        stride(distance) {
    Random const random(11, Purpose::kRows, rows);
    for (std::size_t row = 0; row < rows; ++row) {
      float& g = gradients[distance * row];
      float& h = hessians[distance * row];
      g = static_cast<float>(random.Uniform(row) - 0.5);
      h = kind == Kind::kOneHessian ? 1 : static_cast<float>(random.Uniform(row + rows) + 0.1);
      if (kind == Kind::kSomeWithoutHessian && row % 50 == 7) h = 0;
      if (kind == Kind::kOutliers && row % 1000 == 5) g = 1e6F;
      if (kind == Kind::kOneSteepRow && row == rows - 3) h = 1e-3F;
    }
  }
  TreeTask Task(Context const& ctx) const {
    return {ctx, data, param, sampled, {{gradients.data(), hessians.data(), data.Rows(), stride}}, {}};
  }

  float* cells = nullptr;
  DMatrix data;
  std::vector<float> gradients, hessians;
  std::size_t stride;
  TreeParam param;
  RowSample sampled;
};

FineGradients RowsOf(Derivatives const& derivatives, Context const& ctx) {
  TreeTask const task = derivatives.Task(ctx);
  return FineGradientsOf(task, FineScale(task), PackGradients(task.gradients[0], GradientBits::kAuto, nullptr, ctx));
}

// What is said of the most that a row is off, or has, is true, and not much more than needed.
void ExpectMost(double said, double most) {
  EXPECT_GE(said, most);
  EXPECT_LE(said, most * (1 + 1e-5));
}

// The integers are those of the scan of columns.
void ExpectRows(Derivatives const& derivatives, Context const& ctx) {
  TreeTask const task = derivatives.Task(ctx);
  FixedScale const scale = FineScale(task);
  FixedSum sum;
  FineGradients const rows = RowsOf(derivatives, ctx);
  CoarseGradients const& coarse = rows.coarse;
  double ratio = 0, gradient_off = 0, hessian_off = 0;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    FixedPair const expected = Quantise(task.gradients[0].G(i), task.gradients[0].H(i), scale);
    ASSERT_EQ(rows.rows[i].gradient, expected.gradient) << i;
    ASSERT_EQ(rows.rows[i].hessian, expected.hessian) << i;
    sum += expected;
    auto const g = static_cast<double>(rows.rows[i].gradient), h = static_cast<double>(rows.rows[i].hessian);
    FixedSum const packed = coarse.packed.Row(i);
    gradient_off = std::max(gradient_off, std::fabs(static_cast<double>(packed.gradient) * coarse.gradient_unit - g));
    hessian_off = std::max(hessian_off, std::fabs(static_cast<double>(packed.hessian) * coarse.hessian_unit - h));
    ratio = std::max(ratio, h > 0 ? std::fabs(g) / h : 1e200);
  }
  EXPECT_EQ(rows.sampled, sum);
  ExpectMost(coarse.gradient_error, gradient_off);
  ExpectMost(coarse.hessian_error, hessian_off);
  ExpectMost(coarse.most_ratio, ratio);
}

TEST(FineGradients, AreThoseOfTheScanAtEveryInstructionSet) {
  for (Kind const kind :
       {Kind::kPlain, Kind::kOutliers, Kind::kSomeWithoutHessian, Kind::kOneHessian, Kind::kOneSteepRow}) {
    for (std::size_t const rows : {9U, 10'001U}) {
      for (std::size_t const distance : {1U, 2U}) {
        Derivatives const derivatives(rows, kind, distance);
        for (SimdLevel const level : AvailableSimd()) {
          SCOPED_TRACE(testing::Message() << static_cast<int>(kind) << " " << rows << " " << SimdName(level));
          Context ctx;
          ctx.simd = level;
          ctx.threads = distance == 1 ? 3 : 1;
          ExpectRows(derivatives, ctx);
        }
      }
    }
  }
  EXPECT_TRUE(RowsOf(Derivatives(10'001, Kind::kOutliers), Context{}).coarse.packed.wide);
  EXPECT_FALSE(RowsOf(Derivatives(10'001, Kind::kPlain), Context{}).coarse.packed.wide);
}

TEST(FineGradients, OfASampleOnlyItsRowsAreAddedUp) {
  Derivatives derivatives(5000, Kind::kPlain);
  derivatives.sampled = {false, {3, 57, 4999}, {}};
  Context const ctx;
  FineGradients const rows = RowsOf(derivatives, ctx);
  EXPECT_EQ(rows.sampled, rows.rows[3].Sum() + rows.rows[57].Sum() + rows.rows[4999].Sum());
}

}  // namespace
}  // namespace xgbl
