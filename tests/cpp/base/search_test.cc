// SPDX-License-Identifier: Apache-2.0
#include "base/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace xgbl {
namespace {

TEST(CountFirst, AgreesWithTheLibraryWithTiesAndBeyondBothEnds) {
  for (std::size_t count = 0; count < 70; ++count) {
    std::vector<int> items;
    for (std::size_t i = 0; i < count; ++i) items.push_back(static_cast<int>(i / 3) * 2);
    for (int value = -1; value < 50; ++value) {
      auto const found = std::lower_bound(items.begin(), items.end(), value) - items.begin();
      EXPECT_EQ(CountFirst(items.data(), count, [=](int item) { return item < value; }),
                static_cast<std::size_t>(found));
    }
  }
}

}  // namespace
}  // namespace xgbl
