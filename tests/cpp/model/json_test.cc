// SPDX-License-Identifier: Apache-2.0
// Long arrays of numbers, which are read before the parser sees the text; the rest of JSON is in archive_test.cc.
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "model/archive.h"

namespace xgbl {
namespace {

std::string const kLong = "[1,2,3,4,5,6,7,8,9,10]";

TEST(LongArrays, AreReadAsNumbersOfOneType) {
  Value value = ParseJson("{\"a\":" + kLong + ",\"b\":[0.5,-1e-3 , 2.25,7, 8]}");
  auto& members = *value.As<Value::Object>();
  EXPECT_EQ(members.find("a")->second.As<Numbers<std::int64_t>>()->size(), 10U);
  EXPECT_EQ(*members.find("b")->second.As<Numbers<float>>(), (Numbers<float>{0.5F, -1e-3F, 2.25F, 7, 8}));
}

TEST(LongArrays, WhatIsNoPlainArrayIsForTheParser) {
  for (std::string const& text : {std::string("[1,2]"), std::string("[[1,2,3],[4,5,6],[7,8]]"), "\"" + kLong + "\"",
                                  "\"\\\"" + kLong + "\"", "[\"" + kLong + "\"," + kLong + "]"}) {
    EXPECT_EQ(WriteJson(ParseJson(text)), text);
  }
  EXPECT_EQ(WriteJson(ParseJson("[1,2,3,4,5,6,7,8,9,true]")), "[1,2,3,4,5,6,7,8,9,1]");
  for (char const* bad : {"[1,2,3,4,5,6,7,8,9,01]", "[1,2,3,4,5,6,7,8,9,1e99]", "[1,2,3,4,5,6,7,8,9,10"}) {
    EXPECT_THROW(ParseJson(bad), ModelError) << bad;
  }
}

TEST(LongArrays, ErrorsBehindThemNameThePlaceInTheFile) {
  try {
    ParseJson("[" + kLong + ",x]");
    FAIL();
  } catch (ModelError const& error) {
    EXPECT_NE(std::string(error.what()).find(" at byte 25: "), std::string::npos) << error.what();
  }
}

// An attribute may hold any text.
TEST(LongArrays, ATextThatLooksLikeTheirMarkStays) {
  for (std::string const& mark : {std::string("\\u0001#0"), std::string("\\u0001#"), std::string("\\u0001#-1")}) {
    Value const value = ParseJson("[\"" + mark + "\"," + kLong + "]");
    EXPECT_EQ(*value.As<Value::Array>()->at(0).As<std::string>(), "\x01" + mark.substr(6));
    EXPECT_EQ(WriteJson(value.As<Value::Array>()->at(1)), kLong);
  }
}

}  // namespace
}  // namespace xgbl
