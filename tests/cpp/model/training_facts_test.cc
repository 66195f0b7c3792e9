// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <gtest/gtest.h>

#include <limits>

namespace xgbl {
namespace {

using Codes = std::map<std::size_t, CodeSet>;

TEST(CodeSet, NeighboursMakeARange) {
  EXPECT_EQ(CodeSetOf({}), CodeSet{});
  EXPECT_EQ(CodeSetOf({0, 1, 2, 4, 7, 8}), (CodeSet{{0, 2}, {4, 4}, {7, 8}}));
  EXPECT_EQ(CodeSetOf({kMostCode}), (CodeSet{{kMostCode, kMostCode}}));
}

TEST(CodeSet, UnionsCloseGaps) {
  EXPECT_EQ(Union({}, {}), CodeSet{});
  EXPECT_EQ(Union({{0, 1}}, {}), (CodeSet{{0, 1}}));
  EXPECT_EQ(Union({{5, 6}}, {{0, 1}}), (CodeSet{{0, 1}, {5, 6}}));
  EXPECT_EQ(Union({{0, 1}, {5, 6}}, {{2, 4}}), (CodeSet{{0, 6}}));
  EXPECT_EQ(Union({{0, 9}}, {{2, 4}, {9, 12}}), (CodeSet{{0, 12}}));
}

TEST(CodeSet, ContainsWholeNumbersOfItsRanges) {
  CodeSet const codes{{0, 2}, {5, 5}, {kMostCode, kMostCode}};
  for (float const code : {0.0F, -0.0F, 1.0F, 2.0F, 5.0F, static_cast<float>(kMostCode)}) {
    EXPECT_TRUE(Contains(codes, code)) << code;
  }
  float const infinity = std::numeric_limits<float>::infinity();
  for (float const code :
       {-1.0F, 0.5F, 3.0F, 6.0F, 16777216.0F, 1e30F, infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_FALSE(Contains(codes, code)) << code;
    EXPECT_FALSE(Contains({}, code)) << code;
  }
}

TEST(CodesText, ComesBackAsItWas) {
  for (Codes const& codes :
       {Codes{{0, {}}}, Codes{{0, {{0, 4}, {7, 7}}}, {3, {{0, 1}}}}, Codes{{2, {}}, {4, {{1, 1}, {3, kMostCode}}}}}) {
    Codes found{{9, {}}};
    EXPECT_TRUE(ParseCodes(CodesText(codes), 5, &found)) << CodesText(codes);
    EXPECT_EQ(found, codes);
  }
  EXPECT_EQ(CodesText({{0, {{0, 4}, {7, 7}}}, {3, {{0, 1}}}}), "0:0-4,7;3:0-1");
}

TEST(CodesText, OfADamagedFileIsRefused) {
  for (char const* text :
       {"", ";", ":", "0", "0:0;", ";0:0", "0:0;;1:0", "a:0", "0:a", "0:-1", "-1:0", "+1:0", "0:+1", " 0:0", "0: 0",
        "0:0 ", "0:1.5", "0:1e1", "0:0x1", "0:1-", "0:-", "0:1-2-3", "0:0,", "0:,0", "0:0,,2", "0:0:0", "0:nan",
        // Ranges that fall, overlap or touch; features twice or that the model does not have.
        "0:4-2", "0:5,1", "0:0-4,4", "0:0-4,2-6", "0:0-4,5", "0:3,3", "0:0;0:1", "3:0", "18446744073709551615:0",
        // Numbers beyond what codes can be.
        "0:16777216", "0:0-16777216", "0:2147483647", "0:4294967296", "0:9223372036854775807", "0:9223372036854775808",
        "0:99999999999999999999999999", "9223372036854775808:0"}) {
    Codes found;
    EXPECT_FALSE(ParseCodes(text, 3, &found)) << text;
  }
  Codes found;
  EXPECT_FALSE(ParseCodes(std::string_view("0:1\0", 4), 3, &found));
  EXPECT_FALSE(ParseCodes("0:0", 0, &found));
}

}  // namespace
}  // namespace xgbl
