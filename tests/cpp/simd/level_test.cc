// SPDX-License-Identifier: Apache-2.0
#include "simd/level.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/error.h"

namespace xgbl {
namespace {

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
