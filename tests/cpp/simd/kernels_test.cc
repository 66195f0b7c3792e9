// SPDX-License-Identifier: Apache-2.0
#include "simd/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/math.h"

namespace xgbl {
namespace {

using Kernel = void (*)(float const*, float*, std::size_t);

Kernels const& KernelsOf(SimdLevel level) {
  Context ctx;
  ctx.simd = level;
  return Simd(ctx);
}

// Floats of every exponent and sign, with NaNs, infinities, zeros and denormals among them.
std::vector<float> Sweep() {
  std::vector<float> values;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32U); bits += 4093) {
    values.push_back(FromBits<float>(static_cast<std::uint32_t>(bits)));
  }
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (float const x : {0.0F, -0.0F, 1.0F, 88.7F, 89.0F, -87.4F, -103.9F, -104.5F, kInf, -kInf, kInf - kInf}) {
    values.push_back(x);
  }
  return values;
}

std::vector<float> Apply(Kernel kernel, std::vector<float> const& x) {
  std::vector<float> out(x.size());
  kernel(x.data(), out.data(), x.size());
  return out;
}

void ExpectSameBits(std::vector<float> const& a, std::vector<float> const& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

class EveryLevel : public testing::TestWithParam<SimdLevel> {};
INSTANTIATE_TEST_SUITE_P(Simd, EveryLevel, testing::ValuesIn(AvailableSimd()),
                         [](auto const& param_info) { return SimdName(param_info.param); });

TEST_P(EveryLevel, GivesTheBitsOfTheScalarFunctions) {
  auto const x = Sweep();
  std::vector<float> sigmoid(x.size()), exp(x.size()), log(x.size());
  std::transform(x.begin(), x.end(), sigmoid.begin(), [](float value) { return Sigmoid(value); });
  std::transform(x.begin(), x.end(), exp.begin(), [](float value) { return Exp(value); });
  std::transform(x.begin(), x.end(), log.begin(), [](float value) { return Log(value); });
  ExpectSameBits(Apply(KernelsOf(GetParam()).sigmoid, x), sigmoid);
  ExpectSameBits(Apply(KernelsOf(GetParam()).exp, x), exp);
  ExpectSameBits(Apply(KernelsOf(GetParam()).log, x), log);
}

TEST_P(EveryLevel, WorksInPlaceAtEveryLengthAndWritesNoFurther) {
  auto const& kernels = KernelsOf(GetParam());
  for (std::size_t n = 0; n < 70; ++n) {
    std::vector<float> values(n + 1, 0.25F);
    kernels.exp(values.data(), values.data(), n);
    kernels.sigmoid(values.data(), values.data(), n);
    kernels.log(values.data(), values.data(), n);
    float const expected = Log(Sigmoid(Exp(0.25F)));
    EXPECT_TRUE(std::all_of(values.begin(), values.end() - 1, [=](float v) { return v == expected; })) << n;
    EXPECT_EQ(values[n], 0.25F);
  }
}

// Rows by rank with all that pairs of them need, and room for whole vectors behind them.
struct RankedRows {
  explicit RankedRows(std::size_t n) : rows(n + PairTask::kLanes - 1, 0.25F) {
    for (std::size_t i = 0; i < n; ++i) {
      rows[i] = static_cast<float>(n - i) / 8;
      gain.push_back(static_cast<float>(i * 7 % 4));
    }
    gain.resize(rows.size(), 9);
    gradient.resize(rows.size());
    hessian.resize(rows.size());
    worth.resize(rows.size());
    task = {rows.data(), gain.data(), rows.data(), gain.data(),     gain.data(),    rows.data(), 0.5F,        1,
            1e-3F,       0.01F,       1,           gradient.data(), hessian.data(), rows.data(), rows.data(), nullptr};
  }
  std::vector<float> rows, gain, gradient, hessian, worth;
  PairTask task;
};

TEST_P(EveryLevel, PairsGiveTheSameBitsAndTouchOnlyTheirRows) {
  for (std::size_t const n : {2U, 15U, 16U, 17U, 33U, 511U, 513U, 1100U}) {
    for (bool const biased : {false, true}) {
      RankedRows here(n), expected(n);
      if (biased) here.task.worth = here.worth.data(), expected.task.worth = expected.worth.data();
      auto const sums = KernelsOf(GetParam()).add_pairs(here.task, 0, 1, n);
      auto const wanted = KernelsOf(SimdLevel::kScalar).add_pairs(expected.task, 0, 1, n);
      EXPECT_EQ(sums.gradient, wanted.gradient);
      EXPECT_EQ(sums.hessian, wanted.hessian);
      EXPECT_EQ(sums.size, wanted.size);
      EXPECT_EQ(here.gradient, expected.gradient);
      EXPECT_EQ(here.hessian, expected.hessian);
      EXPECT_EQ(here.worth, expected.worth);
      EXPECT_TRUE(std::all_of(here.hessian.begin() + static_cast<std::ptrdiff_t>(n), here.hessian.end(),
                              [](float value) { return value == 0; }));
    }
  }
}

class Environment : public testing::Test {
 protected:
  static void Force(char const* value) { setenv("XGB_LIKE_SIMD", value, 1); }
  void TearDown() override { unsetenv("XGB_LIKE_SIMD"); }
};

TEST_F(Environment, UnsetOrEmptyMeansTheFastest) {
  unsetenv("XGB_LIKE_SIMD");
  EXPECT_EQ(DefaultSimd(), AvailableSimd().back());
  Force("");
  EXPECT_EQ(DefaultSimd(), AvailableSimd().back());
}

TEST_F(Environment, ForcesALevel) {
  for (SimdLevel const level : AvailableSimd()) {
    Force(SimdName(level).c_str());
    EXPECT_EQ(DefaultSimd(), level);
  }
}

TEST_F(Environment, UnknownLevelIsAnErrorThatNamesTheAvailableOnes) {
  Force("scalr");
  try {
    DefaultSimd();
    FAIL() << "no error";
  } catch (ParamError const& error) {
    EXPECT_NE(std::string(error.what()).find("Did you mean `scalar`?"), std::string::npos) << error.what();
  }
}

TEST(Levels, ScalarIsAlwaysThereAndLowest) { EXPECT_EQ(AvailableSimd().front(), SimdLevel::kScalar); }

}  // namespace
}  // namespace xgbl
