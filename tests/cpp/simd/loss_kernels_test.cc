// SPDX-License-Identifier: Apache-2.0
#include "simd/loss_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "base/math.h"
#include "simd/level.h"

namespace xgbl {
namespace {

using Kernel = void (*)(float const*, float*, std::size_t);

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

class LossKernelsAt : public testing::TestWithParam<SimdLevel> {};
INSTANTIATE_TEST_SUITE_P(Simd, LossKernelsAt, testing::ValuesIn(AvailableSimd()),
                         [](auto const& param_info) { return SimdName(param_info.param); });

TEST_P(LossKernelsAt, GivesTheBitsOfTheScalarFunctions) {
  auto const x = Sweep();
  std::vector<float> sigmoid(x.size()), exp(x.size()), log(x.size());
  std::transform(x.begin(), x.end(), sigmoid.begin(), [](float value) { return Sigmoid(value); });
  std::transform(x.begin(), x.end(), exp.begin(), [](float value) { return Exp(value); });
  std::transform(x.begin(), x.end(), log.begin(), [](float value) { return Log(value); });
  ExpectSameBits(Apply(LossKernels::Of(GetParam()).sigmoid, x), sigmoid);
  ExpectSameBits(Apply(LossKernels::Of(GetParam()).exp, x), exp);
  ExpectSameBits(Apply(LossKernels::Of(GetParam()).log, x), log);
}

TEST_P(LossKernelsAt, WorksInPlaceAtEveryLengthAndWritesNoFurther) {
  auto const& kernels = LossKernels::Of(GetParam());
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

}  // namespace
}  // namespace xgbl
