// SPDX-License-Identifier: Apache-2.0
#include "parallel/buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace xgbl {
namespace {

constexpr std::size_t kSmall = 3, kLarge = std::size_t{1} << 20U;  // items

TEST(Buffer, IsAlignedAndFollowedByALineOfZeros) {
  for (std::size_t const size : {std::size_t{0}, kSmall, kLarge}) {
    Buffer<float> const buffer(size);
    EXPECT_EQ(buffer.size(), size);
    EXPECT_EQ(buffer.empty(), size == 0);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % kCacheLine, 0U);
    float const* const end = buffer.data() + size;
    EXPECT_TRUE(std::all_of(end, end + kCacheLine / sizeof(float), [](float item) { return item == 0; }));
  }
}

TEST(Buffer, MovesWithItsItems) {
  Buffer<int> from(kSmall);
  std::fill_n(from.data(), kSmall, 7);
  Buffer<int> to(std::move(from));
  EXPECT_TRUE(from.empty());  // NOLINT(bugprone-use-after-move)
  Buffer<int> last(kLarge, Pages::kAny);
  last = std::move(to);
  ASSERT_EQ(last.size(), kSmall);
  EXPECT_EQ(last[kSmall - 1], 7);
}

TEST(Buffer, OfMoreThanMemoryHoldsIsRefused) {
  EXPECT_THROW(Buffer<double>(std::numeric_limits<std::size_t>::max() / 4), std::bad_alloc);
}

}  // namespace
}  // namespace xgbl
