// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "simd/kernels.h"

namespace xgbl {
namespace {

using Rows = std::vector<std::uint32_t>;

struct Case {
  std::vector<std::uint8_t> codes;
  Rows rows;
  std::uint8_t first = 0;
  std::uint8_t last = 0;
  bool inside_left = true;
};

Case RandomCase(std::size_t count, std::uint8_t first, std::uint8_t last, bool inside_left) {
  Random const random(3, Purpose::kRows, count);
  Case out{{}, {}, first, last, inside_left};
  for (std::size_t i = 0; i < count; ++i) {
    out.codes.push_back(static_cast<std::uint8_t>(random.Bits(i)));
    out.rows.push_back(static_cast<std::uint32_t>(0xFFFFFF00U - 3 * i));
  }
  return out;
}

Rows Side(Case const& test, bool left) {
  Rows side;
  for (std::size_t i = 0; i < test.rows.size(); ++i) {
    bool const inside = test.codes[i] >= test.first && test.codes[i] <= test.first + test.last;
    if ((inside == test.inside_left) == left) side.push_back(test.rows[i]);
  }
  return side;
}

void ExpectSplit(SimdLevel level, Case const& test) {
  constexpr std::uint32_t kUntouched = 77;
  std::size_t const count = test.rows.size();
  Rows rows = test.rows, right(count + 1, kUntouched);
  rows.push_back(kUntouched);
  Context ctx;
  ctx.simd = level;
  std::size_t const left = Simd(ctx).split_rows(
      {test.codes.data(), rows.data(), count, test.first, test.last, test.inside_left, rows.data(), right.data()});
  EXPECT_EQ(Rows(rows.data(), rows.data() + left), Side(test, true));
  EXPECT_EQ(Rows(right.data(), right.data() + (count - left)), Side(test, false));
  EXPECT_EQ(rows[count], kUntouched);
  EXPECT_EQ(right[count], kUntouched);
}

TEST(SplitRows, InPlaceAtEveryLengthOnEveryLevel) {
  for (SimdLevel const level : AvailableSimd()) {
    for (std::size_t count = 0; count < 130; ++count) ExpectSplit(level, RandomCase(count, 100, 90, true));
  }
}

TEST(SplitRows, AllRangesOfCodes) {
  for (SimdLevel const level : AvailableSimd()) {
    for (unsigned first = 0; first < 256; first += 15) {
      for (unsigned last = 0; first + last < 256; last += 15) {
        auto const low = static_cast<std::uint8_t>(first), width = static_cast<std::uint8_t>(last);
        ExpectSplit(level, RandomCase(1000, low, width, true));
        ExpectSplit(level, RandomCase(1000, low, width, false));
      }
    }
  }
}

}  // namespace
}  // namespace xgbl
