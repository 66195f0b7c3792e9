// SPDX-License-Identifier: Apache-2.0
#include "model/number_arrays.h"

#include <gtest/gtest.h>

#include <string>

namespace xgbl {
namespace {

std::string const kLong = "[1,2,3,4,5,6,7,8,9,10]";

TEST(NumberArrays, LongArraysBecomeMarks) {
  NumberArrays lifted("{\"a\":" + kLong + ",\"b\":[0.5,-1e-3 , 2.25,7, 8]}");
  EXPECT_EQ(lifted.Rest(), "{\"a\":\"\\u0001#0\",\"b\":\"\\u0001#1\"}");
  EXPECT_EQ(lifted.Find("\x01#0")->As<Numbers<std::int64_t>>()->size(), 10U);
  EXPECT_EQ((*lifted.Find("\x01#1")->As<Numbers<float>>())[1], -1e-3F);
  for (char const* none : {"", "#0", "\x01#", "\x01#2", "\x01#-1", "\x01#0x"}) {
    EXPECT_EQ(lifted.Find(none), nullptr) << none;
  }
}

TEST(NumberArrays, WhatTheParserMustJudgeStays) {
  for (std::string const& text :
       {std::string("[1,2]"), std::string("[[1,2,3],[4,5,6],[7,8]]"), std::string("[1,2,3,4,5,6,7,8,9,true]"),
        std::string("[1,2,3,4,5,6,7,8,9,1e99]"), std::string("[1,2,3,4,5,6,7,8,9,01]"),
        std::string("[1,2,3,4,5,6,7,8,9,10"), "\"" + kLong + "\"", "\"\\\"" + kLong + "\""}) {
    NumberArrays const lifted(text);
    EXPECT_EQ(lifted.Rest(), text);
    EXPECT_TRUE(lifted.Empty());
  }
}

// An attribute may hold any text.
TEST(NumberArrays, ATextLikeAMarkKeepsAllArraysWhereTheyAre) {
  std::string const text = "[\"\\u0001#0\"," + kLong + "]";
  EXPECT_EQ(NumberArrays(text).Rest(), text);
  Value const value = ParseJson(text);
  EXPECT_EQ(*value.As<Value::Array>()->at(0).As<std::string>(), "\x01#0");
}

}  // namespace
}  // namespace xgbl
