// SPDX-License-Identifier: Apache-2.0
#include "tree/exact_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "simd/kernels.h"
#include "tree/binned.h"
#include "tree/growing.h"
#include "tree/quantised_rows.h"

namespace xgbl {
namespace {

// Derivatives of some rows in every other place, and the task of a tree on all of them or some.
struct Derivatives {
  explicit Derivatives(std::size_t rows, bool outliers = false)
      : data(FeatureMatrix(NewTable(rows, 1, &cells)), Meta{}), both(2 * rows), hessians(2 * rows) {
    Random const random(11, Purpose::kRows, rows);
    for (std::size_t row = 0; row < rows; ++row) {
      both[2 * row] = static_cast<float>(random.Uniform(row) - 0.5);
      hessians[2 * row] = row % 50 == 7 ? 0 : static_cast<float>(random.Uniform(row + rows));
      if (outliers && row % 1000 == 5) both[2 * row] = 1e6F;
    }
  }
  TreeTask Task(Context const& ctx) const {
    return {ctx, data, param, sampled, {{both.data(), hessians.data(), data.Rows(), 2}}, {}};
  }

  float* cells = nullptr;
  DMatrix data;
  std::vector<float> both, hessians;
  TreeParam param;
  RowSample sampled;
};

ExactRows RowsOf(Derivatives const& derivatives, Context const& ctx) {
  TreeTask const task = derivatives.Task(ctx);
  return ExactRowsOf(task, ExactScale(task), PackNearest(task.gradients[0], GradientBits::kAuto, ctx));
}

// The integers are those of who has slots, at every instruction set, and nobody is off by more than is said.
void ExpectRows(Derivatives const& derivatives, bool wide) {
  for (SimdLevel const level : AvailableSimd()) {
    for (int const threads : {1, 3}) {
      Context ctx;
      ctx.simd = level;
      ctx.threads = threads;
      TreeTask const task = derivatives.Task(ctx);
      auto const expected = QuantisedRows(task, ExactScale(task));
      ExactRows const rows = RowsOf(derivatives, ctx);
      CoarseGradients const& coarse = rows.coarse;
      ASSERT_EQ(coarse.packed.wide, wide);
      double most = 0, most_off = 0;
      for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        ASSERT_EQ(rows.rows[i].gradient, expected[i].gradient) << i;
        ASSERT_EQ(rows.rows[i].hessian, expected[i].hessian) << i;
        auto const g = static_cast<double>(rows.rows[i].gradient), h = static_cast<double>(rows.rows[i].hessian);
        FixedSum const packed = coarse.packed.Row(i);
        double const off = std::fabs(static_cast<double>(packed.gradient) * coarse.gradient_unit - g);
        ASSERT_LE(off, coarse.gradient_error);
        ASSERT_LE(std::fabs(static_cast<double>(packed.hessian) * coarse.hessian_unit - h), coarse.hessian_error);
        ASSERT_LE(std::fabs(g), h * coarse.most_ratio + (h == 0 ? 1e190 : 0)) << i;
        most = std::max(most, h > 0 ? std::fabs(g) / h : 1e200);
        most_off = std::max(most_off, off);
      }
      EXPECT_EQ(rows.sampled, SumOfSampled(expected, ctx));
      EXPECT_NEAR(coarse.most_ratio / most, 1, 1e-5);
      EXPECT_LE(coarse.gradient_error, most_off * (1 + 1e-5));
    }
  }
}

TEST(ExactRows, AreThoseOfTheScanWhateverHistogramsHave) {
  for (std::size_t const rows : {1U, 9U, 5000U}) ExpectRows(Derivatives(rows), false);
  ExpectRows(Derivatives(5000, true), true);
}

TEST(ExactRows, OfASampleOnlyItsRowsAreAddedUp) {
  Derivatives derivatives(5000);
  derivatives.sampled = {false, {3, 57, 4999}, {}};
  Context const ctx;
  ExactRows const rows = RowsOf(derivatives, ctx);
  EXPECT_EQ(rows.sampled, rows.rows[3].Sum() + rows.rows[57].Sum() + rows.rows[4999].Sum());
}

}  // namespace
}  // namespace xgbl
