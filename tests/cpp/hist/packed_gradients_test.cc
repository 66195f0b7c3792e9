// SPDX-License-Identifier: Apache-2.0
#include "hist/packed_gradients.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"
#include "hist/binned.h"
#include "simd/level.h"

namespace xgbl {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
Random const kRandom(7, Purpose::kRounding, 0);

PackedGradients Pack(std::vector<float> const& g, std::vector<float> const& h,
                     GradientBits bits = GradientBits::kNarrow, Context const& ctx = {}) {
  return PackGradients({g.data(), h.data(), g.size(), 1}, bits, &kRandom, ctx);
}

bool Wide(std::vector<float> const& g, std::vector<float> const& h) { return Pack(g, h, GradientBits::kAuto).wide; }

std::vector<FixedSum> RowsOf(PackedGradients const& packed) {
  std::vector<FixedSum> rows;
  for (std::size_t i = 0; i < packed.Rows(); ++i) rows.push_back(packed.Row(i));
  return rows;
}

// `count` draws from a normal distribution, near enough.
std::vector<float> Normal(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    double sum = -6;
    for (std::size_t k = 0; k < 12; ++k) sum += kRandom.Uniform(12 * i + k);
    values[i] = static_cast<float>(sum);
  }
  return values;
}

TEST(PackedGradients, NarrowOnesAreOneOfTheTwoNeighbours) {
  for (std::size_t const rows : {std::size_t{1}, std::size_t{70000}}) {
    RandomGradients const gradients(rows, 1);
    PackedGradients const packed = PackGradients(gradients.Of(0), GradientBits::kNarrow, &kRandom, Context{});
    ASSERT_FALSE(packed.wide);
    ASSERT_EQ(packed.Rows(), rows);
    for (std::size_t i = 0; i < rows; ++i) {
      auto const g = static_cast<double>(gradients.gradient[i]), h = static_cast<double>(gradients.hessian[i]);
      ASSERT_NEAR(packed.scale.Gradient(packed.Row(i)), g, packed.scale.gradient_unit * 1.0001) << i;
      ASSERT_NEAR(packed.scale.Hessian(packed.Row(i)), h, packed.scale.hessian_unit * 1.0001) << i;
    }
  }
}

TEST(PackedGradients, NearestOnesAreOffByHalfAUnitAtMost) {
  RandomGradients const gradients(70000, 1);
  for (SimdLevel const level : AvailableSimd()) {
    Context ctx;
    ctx.simd = level;
    PackedGradients const packed = PackGradients(gradients.Of(0), GradientBits::kNarrow, nullptr, ctx);
    ASSERT_FALSE(packed.wide);
    for (std::size_t i = 0; i < packed.Rows(); ++i) {
      auto const g = static_cast<double>(gradients.gradient[i]), h = static_cast<double>(gradients.hessian[i]);
      ASSERT_NEAR(packed.scale.Gradient(packed.Row(i)), g, packed.scale.gradient_unit * 0.5001) << i;
      ASSERT_NEAR(packed.scale.Hessian(packed.Row(i)), h, packed.scale.hessian_unit * 0.5001) << i;
    }
  }
}

TEST(PackedGradients, RoundingHasNoBias) {
  constexpr std::size_t kRows = 1000000;
  for (float const fraction : {0.03125F, 0.25F, 0.5F, 0.9375F}) {
    std::vector<float> g(kRows, -100 - fraction), h(kRows, 17 + fraction);
    g[0] = 32766;
    h[0] = 65534;
    PackedGradients const packed = Pack(g, h);
    ASSERT_EQ(packed.scale.gradient_unit, 1);
    FixedSum sum;
    for (std::size_t i = 1; i < kRows; ++i) sum += packed.Row(i);
    double const count = kRows - 1, part = static_cast<double>(fraction);
    double const sigma = std::sqrt(count * part * (1 - part));
    EXPECT_NEAR(static_cast<double>(sum.gradient), count * (-100 - part), 5 * sigma);
    EXPECT_NEAR(static_cast<double>(sum.hessian), count * (17 + part), 5 * sigma);
  }
}

TEST(PackedGradients, RoundingOfGradientAndHessianIsIndependent) {
  constexpr std::size_t kRows = 100000;
  std::vector<float> g(kRows, 0.5F), h(kRows, 0.5F);
  g[0] = 32766;
  h[0] = 65534;
  PackedGradients const packed = Pack(g, h);
  double both = 0, next = 0;
  for (std::size_t i = 1; i + 1 < kRows; ++i) {
    both += static_cast<double>(packed.Row(i).gradient == packed.Row(i).hessian);
    next += static_cast<double>(packed.Row(i).gradient == packed.Row(i + 1).gradient);
  }
  EXPECT_NEAR(both / kRows, 0.5, 5 * 0.5 / std::sqrt(kRows));
  EXPECT_NEAR(next / kRows, 0.5, 5 * 0.5 / std::sqrt(kRows));
}

TEST(PackedGradients, KeysGiveOtherRoundings) {
  RandomGradients const gradients(10000, 1);
  auto const first = RowsOf(PackGradients(gradients.Of(0), GradientBits::kNarrow, &kRandom, Context{}));
  Random const other(7, Purpose::kRounding, 1);
  auto const second = RowsOf(PackGradients(gradients.Of(0), GradientBits::kNarrow, &other, Context{}));
  std::size_t equal = 0;
  for (std::size_t i = 0; i < first.size(); ++i) equal += first[i] == second[i] ? 1 : 0;
  EXPECT_LT(equal, first.size() * 3 / 4);
}

TEST(PackedGradients, NeverLeaveTheirRange) {
  for (float const largest : {1.0F, 0.7F, 3e38F, 1e-38F, std::numeric_limits<float>::denorm_min()}) {
    std::vector<float> g(5000, largest), h(5000, largest);
    for (std::size_t i = 0; i < g.size(); i += 2) g[i] = -largest;
    h[0] = 0;  // not a constant
    PackedGradients const packed = Pack(g, h);
    for (std::size_t i = 0; i < g.size(); ++i) {
      ASSERT_GE(std::abs(packed.Row(i).gradient), 32765) << largest;
      ASSERT_LE(std::abs(packed.Row(i).gradient), 32767) << largest;
      ASSERT_EQ(packed.Row(i).gradient < 0, i % 2 == 0);
      ASSERT_GE(packed.Row(i).hessian, i == 0 ? 0 : 65533) << largest;
    }
  }
}

TEST(PackedGradients, EqualHessiansAreExact) {
  for (float const hessian : {1.0F, 0.3F, 1e38F, 1e-45F}) {
    PackedGradients const packed = Pack({1, 2, 3}, {hessian, hessian, hessian});
    FixedSum const sum = packed.Row(0) + packed.Row(1) + packed.Row(2);
    EXPECT_EQ(sum.hessian, 3);
    EXPECT_EQ(packed.scale.Hessian(sum), 3 * static_cast<double>(hessian));
  }
}

TEST(PackedGradients, ZerosStayZero) {
  PackedGradients const zeros = Pack({0, 0}, {0, 0});
  EXPECT_EQ(zeros.Row(1), FixedSum{});
  EXPECT_GT(zeros.scale.hessian_unit, 0);
  PackedGradients const some = Pack({0, 1, -0.0F}, {0, 1, -0.0F});
  EXPECT_FALSE(some.wide);
  EXPECT_EQ(some.Row(0), FixedSum{});
  EXPECT_EQ(some.Row(2), FixedSum{});
}

TEST(PackedGradients, NoRowsAreFine) {
  EXPECT_EQ(Pack({}, {}, GradientBits::kAuto).Rows(), 0U);
  EXPECT_EQ(Pack({}, {}, GradientBits::kWide).Rows(), 0U);
}

TEST(PackedGradients, WideOnesAreTheNearest) {
  std::vector<float> const g{3e8F, -3e8F, 1, -0.5F, 1e-30F}, h{1, 1e-30F, 0, 0.5F, 0.1F};
  PackedGradients const packed = Pack(g, h, GradientBits::kWide);
  ASSERT_TRUE(packed.wide);
  for (std::size_t i = 0; i < g.size(); ++i) {
    EXPECT_NEAR(packed.scale.Gradient(packed.Row(i)), static_cast<double>(g[i]), packed.scale.gradient_unit / 2);
    EXPECT_NEAR(packed.scale.Hessian(packed.Row(i)), static_cast<double>(h[i]), packed.scale.hessian_unit);
    EXPECT_EQ(packed.Row(i).hessian > 0, h[i] > 0);
  }
}

TEST(PackedGradients, WideOnesTakeTheExtremes) {
  for (float const largest : {std::numeric_limits<float>::max(), 1e-45F}) {
    PackedGradients const packed = Pack({largest, -largest}, {largest, 0}, GradientBits::kWide);
    EXPECT_EQ(packed.scale.Gradient(packed.Row(0)), static_cast<double>(largest));
    EXPECT_EQ(packed.scale.Gradient(packed.Row(1)), -static_cast<double>(largest));
    EXPECT_EQ(packed.scale.Hessian(packed.Row(0)), static_cast<double>(largest));
  }
}

TEST(PackedGradients, AreWideWhereOutliersWouldBlurTheRest) {
  for (std::size_t const rows : {std::size_t{20}, std::size_t{1000}, std::size_t{200000}}) {
    std::vector<float> g = Normal(rows), h(rows, 1);
    EXPECT_FALSE(Wide(g, h)) << rows;
    g[rows / 2] = 1e6F;
    EXPECT_TRUE(Wide(g, h)) << rows;
    for (std::size_t i = 0; i < rows; i += 20) g[i] = -1e6F;
    EXPECT_TRUE(Wide(g, h)) << rows;
  }
}

TEST(PackedGradients, AreWideWhereWeightsAreFarApart) {
  RandomGradients gradients(100000, 1);
  gradients.hessian[5] = 1e7F;
  EXPECT_TRUE(Wide(gradients.gradient, gradients.hessian));
}

TEST(PackedGradients, RowsOfNoWeightDoNotCount) {
  std::vector<float> g = Normal(10000), h(10000, 1);
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (i % 10 != 0) g[i] = h[i] = 0;
  }
  EXPECT_FALSE(Wide(g, h));
  g[10] = 1e6F;
  EXPECT_TRUE(Wide(g, h));
}

TEST(PackedGradients, NegativeHessiansAreWideEvenIfNarrowIsAskedFor) {
  PackedGradients const packed = Pack({1, 2}, {1, -1}, GradientBits::kNarrow);
  EXPECT_TRUE(packed.wide);
  EXPECT_LT(packed.Row(1).hessian, 0);
}

TEST(PackedGradients, RejectsNanAndInfinity) {
  std::vector<float> const good(50000, 1);
  for (float const value : {kInfinity, -kInfinity, kInfinity - kInfinity}) {
    std::vector<float> bad = good;
    bad[40000] = value;
    EXPECT_THROW(Pack(bad, good), DataError);
    EXPECT_THROW(Pack(good, bad, GradientBits::kWide), DataError);
    EXPECT_THROW(Wide(good, bad), DataError);
  }
}

TEST(PackedGradients, DoNotDependOnThreadsOrInstructionSet) {
  RandomGradients const gradients(300001, 2);
  for (auto const bits : {GradientBits::kNarrow, GradientBits::kWide}) {
    auto const expected = RowsOf(PackGradients(gradients.Of(1), bits, &kRandom, Context{}));
    for (int const threads : {1, 2, 3, 7}) {
      for (SimdLevel const level : AvailableSimd()) {
        Context ctx = WithThreads(threads);
        ctx.simd = level;
        EXPECT_EQ(RowsOf(PackGradients(gradients.Of(1), bits, &kRandom, ctx)), expected) << threads;
      }
    }
  }
}

TEST(PackedGradients, OutputsHaveOneForm) {
  RandomGradients gradients(5000, 3);
  std::vector<OutputGradients> const outputs{gradients.Of(0), gradients.Of(1), gradients.Of(2)};
  for (auto const& packed : PackOutputs(outputs, GradientBits::kAuto, &kRandom, Context{})) EXPECT_FALSE(packed.wide);
  gradients.gradient[301] = 1e9F;
  for (auto const& packed : PackOutputs(outputs, GradientBits::kAuto, &kRandom, Context{})) EXPECT_TRUE(packed.wide);
  for (auto const& packed : PackOutputs(outputs, GradientBits::kNarrow, &kRandom, Context{})) EXPECT_FALSE(packed.wide);
  gradients.hessian[4] = -1;
  for (auto const& packed : PackOutputs(outputs, GradientBits::kNarrow, &kRandom, Context{})) EXPECT_TRUE(packed.wide);
  gradients.hessian[5] = kInfinity;
  EXPECT_THROW(PackOutputs(outputs, GradientBits::kNarrow, &kRandom, Context{}), DataError);
  EXPECT_TRUE(PackOutputs({}, GradientBits::kAuto, &kRandom, Context{}).empty());
}

TEST(PackedGradients, OutputsAreRoundedApartAndOnAnyThreadsAlike) {
  RandomGradients gradients(20000, 2);
  for (std::size_t i = 0; i < 20000; ++i) {
    gradients.gradient[2 * i + 1] = gradients.gradient[2 * i];
    gradients.hessian[2 * i + 1] = gradients.hessian[2 * i];
  }
  std::vector<OutputGradients> const outputs{gradients.Of(0), gradients.Of(1)};
  auto const packed = PackOutputs(outputs, GradientBits::kNarrow, &kRandom, Context{});
  auto const again = PackOutputs(outputs, GradientBits::kNarrow, &kRandom, WithThreads(3));
  EXPECT_NE(RowsOf(packed[0]), RowsOf(packed[1]));
  EXPECT_EQ(RowsOf(packed[0]), RowsOf(again[0]));
  EXPECT_EQ(RowsOf(packed[1]), RowsOf(again[1]));
}

TEST(PackedGradients, OfOneOutputAreTheSameWhateverTheStride) {
  RandomGradients const both(1000, 2);
  std::vector<float> g, h;
  for (std::size_t i = 0; i < 1000; ++i) {
    g.push_back(both.gradient[2 * i + 1]);
    h.push_back(both.hessian[2 * i + 1]);
  }
  for (SimdLevel const level : AvailableSimd()) {
    Context ctx;
    ctx.simd = level;
    EXPECT_EQ(RowsOf(Pack(g, h, GradientBits::kNarrow, ctx)),
              RowsOf(PackGradients(both.Of(1), GradientBits::kNarrow, &kRandom, ctx)));
  }
}

}  // namespace
}  // namespace xgbl
