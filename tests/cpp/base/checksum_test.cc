// SPDX-License-Identifier: Apache-2.0
#include "base/checksum.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace xgbl {
namespace {

std::uint64_t Of(std::string const& bytes) {
  Checksum sum;
  sum.Add(bytes.data(), bytes.size());
  return sum.Value();
}

std::string const kText = "twenty-nine bytes of any kind";

TEST(Checksum, DependsOnTheBytesNotOnThePieces) {
  for (std::size_t first = 0; first <= kText.size(); ++first) {
    for (std::size_t second = first; second <= kText.size(); ++second) {
      Checksum sum;
      sum.Add(kText.data(), first);
      sum.Add(kText.data() + first, second - first);
      sum.Add(kText.data() + second, kText.size() - second);
      ASSERT_EQ(sum.Value(), Of(kText)) << first << " " << second;
    }
  }
}

TEST(Checksum, TellsEveryAlteredBitAndEveryLengthApart) {
  std::set<std::uint64_t> seen{Of(kText)};
  for (std::size_t bit = 0; bit < 8 * kText.size(); ++bit) {
    std::string altered = kText;
    altered[bit / 8] = static_cast<char>(altered[bit / 8] ^ (1 << bit % 8));
    EXPECT_TRUE(seen.insert(Of(altered)).second) << bit;
  }
  for (std::size_t zeros = 0; zeros < 20; ++zeros) {
    EXPECT_TRUE(seen.insert(Of(std::string(zeros, '\0'))).second) << zeros;
    EXPECT_TRUE(seen.insert(Of(kText + std::string(zeros + 1, '\0'))).second) << zeros;
  }
}

TEST(Checksum, TellsSwappedWordsApart) { EXPECT_NE(Of("12345678abcdefgh"), Of("abcdefgh12345678")); }

// A file that was written before must still be read.
TEST(Checksum, StaysTheSameForEver) {
  EXPECT_EQ(Of(""), 0xA706DD2F4D197E6FULL);
  EXPECT_EQ(Of("xgb_like, a test"), 0x6B3B04F31B6DEEA7ULL);
}

}  // namespace
}  // namespace xgbl
