// SPDX-License-Identifier: Apache-2.0
#include "base/bits.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace xgbl {
namespace {

TEST(LowestBit, IsFoundBelowAnyOthers) {
  for (unsigned place = 0; place < 64; ++place) {
    EXPECT_EQ(LowestBit(std::uint64_t{1} << place), place);
    EXPECT_EQ(LowestBit(~std::uint64_t{0} << place), place);
  }
}

}  // namespace
}  // namespace xgbl
