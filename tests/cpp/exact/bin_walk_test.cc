// SPDX-License-Identifier: Apache-2.0
#include "exact/bin_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "exact/sample_node.h"
#include "simd/level.h"

namespace xgbl {
namespace {

// The root of a sample, some of whose rows are walked in the order of their numbers.
class Root {
 public:
  Root(Sample const& sample, GradientBits bits, Context const& ctx)
      : node_(sample, RowsBelow(sample.gradient.size()), bits, ctx), walk_(node_.Coarse(), ctx.simd) {
    walk_.Load(node_.Batch(), node_.Total());
  }

  // The score of the best place before or after any of the rows, where so much is to the left of them.
  double Best(Span<std::uint32_t const> rows, FixedSum left) const {
    double best = node_.Score(left);
    for (auto const row : rows) best = std::max(best, node_.Score(left += node_.Exact(row)));
    return best;
  }
  // `off`: by how much the sums that are handed over are wrong, and said to be.
  bool MayBeat(Span<std::uint32_t const> rows, std::vector<FixedSum> const& lefts, double bar, FixedSum off = {}) {
    std::vector<NearSum> near;
    for (FixedSum const left : lefts) {
      FixedSum const wrong = left + off;
      near.push_back({static_cast<double>(wrong.gradient), static_cast<double>(wrong.hessian),
                      std::fabs(static_cast<double>(off.gradient)), std::fabs(static_cast<double>(off.hessian))});
    }
    return walk_.MayBeatAmong(rows, near, bar);
  }
  FixedSum Total() const { return node_.Total(); }
  FixedSum SumBelow(std::uint32_t end) const {
    FixedSum sum;
    for (std::uint32_t row = 0; row < end; ++row) sum += node_.Exact(row);
    return sum;
  }

 private:
  static std::vector<std::uint32_t> RowsBelow(std::size_t count) {
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
  }

  SampleNode node_;
  BinWalk walk_;
};

// Neither a whole number of pieces or blocks nor one of vectors must be needed.
TEST(BinWalk, PassesNoPlaceOverThatBeatsTheBarAndFewOthers) {
  Sample const sample = RandomSample(4, 3000, 1, 1000, 0);
  for (GradientBits const bits : {GradientBits::kNarrow, GradientBits::kWide}) {
    for (SimdLevel const level : AvailableSimd()) {
      Context ctx;
      ctx.simd = level;
      Root root(sample, bits, ctx);
      for (std::uint32_t const first : {0U, 700U, 1900U}) {
        for (std::size_t const count : {1U, 15U, 16U, 17U, 512U, 513U, 1100U}) {
          std::vector<std::uint32_t> rows(count);
          for (std::size_t i = 0; i < count; ++i) rows[i] = first + static_cast<std::uint32_t>(i);
          FixedSum const left = root.SumBelow(first);
          double const best = root.Best(rows, left);
          if (best <= 0) continue;
          EXPECT_TRUE(root.MayBeat(rows, {left}, best * (1 - 1e-9))) << first << " " << count;
          EXPECT_TRUE(root.MayBeat(rows, {root.SumBelow(1500), left}, best * (1 - 1e-9))) << first << " " << count;
          EXPECT_FALSE(root.MayBeat(rows, {left}, best * 2)) << first << " " << count;
        }
      }
    }
  }
}

TEST(BinWalk, SumsBelowThatAreOffPassNoPlaceOver) {
  Sample const sample = RandomSample(4, 3000, 1, 1000, 0);
  Root root(sample, GradientBits::kNarrow, Context{});
  std::int64_t const hessian = root.Total().hessian / 50;
  std::size_t asked = 0;
  for (std::uint32_t const first : {100U, 700U, 1900U}) {
    for (std::size_t const count : {1U, 16U, 513U}) {
      std::vector<std::uint32_t> rows(count);
      for (std::size_t i = 0; i < count; ++i) rows[i] = first + static_cast<std::uint32_t>(i);
      FixedSum const left = root.SumBelow(first);
      double const best = root.Best(rows, left);
      if (best <= 0) continue;
      std::int64_t const gradient = left.gradient / 4;
      for (FixedSum const off : {FixedSum{gradient, 0}, FixedSum{-gradient, 0}, FixedSum{0, hessian},
                                 FixedSum{0, -hessian}, FixedSum{gradient, -hessian}, FixedSum{-gradient, hessian}}) {
        EXPECT_TRUE(root.MayBeat(rows, {left}, best * (1 - 1e-9), off)) << first << " " << count;
        ++asked;
      }
    }
  }
  EXPECT_GE(asked, 40U);
}

TEST(BinWalk, NoRowsLeaveThePlaceWhereTheyWouldBe) {
  Root root(RandomSample(4, 100, 1, 1000, 0), GradientBits::kNarrow, Context{});
  double const score = root.Best({}, root.SumBelow(50));
  EXPECT_TRUE(root.MayBeat({}, {root.SumBelow(50)}, score * (1 - 1e-9)));
  EXPECT_FALSE(root.MayBeat({}, {root.SumBelow(50)}, score * 2));
}

// The place before all rows is the only good one.
TEST(BinWalk, DoesNotPassTheFirstPlaceOver) {
  Sample sample = RandomSample(4, 3000, 1, 1000, 0);
  for (std::size_t row = 0; row < 3000; ++row) sample.gradient[row] = row < 1000 ? 1.0F : -1.0F;
  Root root(sample, GradientBits::kWide, Context{});
  std::vector<std::uint32_t> rows(300);
  std::iota(rows.begin(), rows.end(), 1000U);
  FixedSum const left = root.SumBelow(1000);
  EXPECT_TRUE(root.MayBeat(rows, {left}, root.Best({}, left) * (1 - 1e-9)));
}

}  // namespace
}  // namespace xgbl
