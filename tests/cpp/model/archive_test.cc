// SPDX-License-Identifier: Apache-2.0
// Also tests field.cc and ubjson.cc.
#include "model/archive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"

namespace xgbl {
namespace {

template <class T>
T const& At(Value const& object, std::string const& key) {
  return *object.As<Value::Object>()->find(key)->second.As<T>();
}

TEST(ArrayBuilder, WholeNumbersStayWhole) {
  ArrayBuilder builder;
  builder.Add(std::int64_t{3});
  builder.Add(std::int64_t{-4});
  EXPECT_EQ(*builder.Finish().As<Numbers<std::int64_t>>(), (Numbers<std::int64_t>{3, -4}));
}

TEST(ArrayBuilder, OneFractionMakesAllReal) {
  ArrayBuilder builder;
  builder.Add(std::int64_t{3});
  builder.Add(0.5F);
  builder.Add(std::int64_t{1});
  EXPECT_EQ(*builder.Finish().As<Numbers<float>>(), (Numbers<float>{3, 0.5F, 1}));
}

TEST(ArrayBuilder, MixturesKeepTheirOrder) {
  ArrayBuilder builder;
  builder.Add(std::int64_t{3});
  builder.Add(Value("x"));
  builder.Add(0.5F);
  Value const value = builder.Finish();
  auto const& items = *value.As<Value::Array>();
  EXPECT_EQ(*items[0].As<std::int64_t>(), 3);
  EXPECT_EQ(*items[1].As<std::string>(), "x");
  EXPECT_EQ(*items[2].As<double>(), 0.5);
}

TEST(ArrayBuilder, TruthIsANumber) {
  Value const value = ParseJson("[true,false]");
  EXPECT_EQ(*value.As<Numbers<std::int64_t>>(), (Numbers<std::int64_t>{1, 0}));
}

TEST(Json, ReadsEveryKindOfValue) {
  Value const value = ParseJson(R"( {"a": null, "b": true, "c": -3, "d": 2.5, "e": "x\u00e9\n", "f": {}, "g": [[]]} )");
  EXPECT_EQ(At<bool>(value, "b"), true);
  EXPECT_EQ(At<std::int64_t>(value, "c"), -3);
  EXPECT_EQ(At<double>(value, "d"), 2.5);
  EXPECT_EQ(At<std::string>(value, "e"), "x\xC3\xA9\n");
  EXPECT_TRUE(At<Value::Object>(value, "f").empty());
  EXPECT_EQ(At<Value::Array>(value, "g").size(), 1U);
}

TEST(Json, ReadsFloatsToTheLastBit) {
  Value const value = ParseJson("[1E-45,3.4028235E38,1.1754944e-38,0.1,-0.0]");
  auto const& numbers = *value.As<Numbers<float>>();
  EXPECT_EQ(numbers[0], std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(numbers[1], std::numeric_limits<float>::max());
  EXPECT_EQ(numbers[2], std::numeric_limits<float>::min());
  EXPECT_EQ(numbers[3], 0.1F);
  EXPECT_TRUE(std::signbit(numbers[4]));
}

TEST(Json, ReadsBareNumbersThatJsonLacks) {
  Value const value = ParseJson(R"({"a":[1.5,NaN,-Infinity,Infinity],"b":NaN,"NaN Infinity \"NaN":"Infinity"})");
  auto const& numbers = At<Numbers<float>>(value, "a");
  EXPECT_TRUE(std::isnan(numbers[1]));
  EXPECT_EQ(numbers[2], -std::numeric_limits<float>::infinity());
  EXPECT_EQ(numbers[3], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(At<double>(value, "b")));
  EXPECT_EQ(At<std::string>(value, "NaN Infinity \"NaN"), "Infinity");
}

TEST(Json, WritesWhatXgboostWrites) {
  Value::Object object;
  object.emplace("b", Numbers<float>{0, 0.5F, -1.5e-10F, 1e30F, 1e-45F, 16777216});
  object.emplace("a", Value::Array{Value(), Value(true), Value(std::int64_t{-7}), Value("\"\\\n\x01")});
  object.emplace("c", Numbers<std::uint8_t>{0, 255});
  EXPECT_EQ(WriteJson(object),
            R"({"a":[null,true,-7,"\"\\\n\u0001"],"b":[0E0,5E-1,-1.5E-10,1E30,1E-45,1.6777216E7],"c":[0,255]})");
}

TEST(Json, EmptyContainersAreWrittenEmpty) {
  EXPECT_EQ(WriteJson(Value::Object{}), "{}");
  EXPECT_EQ(WriteJson(Value::Array{}), "[]");
  EXPECT_EQ(WriteJson(Numbers<float>{}), "[]");
}

TEST(Json, FloatsReadBackAsTheSameNumber) {
  Numbers<float> numbers;
  for (std::uint32_t bits = 1; bits < 0x7F800000U; bits += 7919 * 101) {
    float number = 0;
    std::memcpy(&number, &bits, sizeof(number));
    numbers.push_back(bits % 2 == 0 ? number : -number);
  }
  EXPECT_EQ(*ParseJson(WriteJson(numbers)).As<Numbers<float>>(), numbers);
}

TEST(Json, LongArraysAreReadAsShortOnes) {
  std::string whole = "[ 0", real = "[0.5";
  for (int i = 1; i < 100; ++i) {
    whole += ",\n\t" + std::to_string(i % 2 == 0 ? i : -i);
    real += i % 3 == 0 ? ", 7" : " ,-2.5E-1";
  }
  Value const value = ParseJson("{\"a\":" + whole + " ],\"b]\":" + real + "],\"c\":\"[1,2,3,4,5,6,7,8,9,10]\"}");
  auto const& first = At<Numbers<std::int64_t>>(value, "a");
  auto const& second = At<Numbers<float>>(value, "b]");
  ASSERT_EQ(first.size(), 100U);
  ASSERT_EQ(second.size(), 100U);
  EXPECT_EQ(first[98], 98);
  EXPECT_EQ(first[99], -99);
  EXPECT_EQ(second[98], -0.25F);
  EXPECT_EQ(second[99], 7.0F);
  EXPECT_EQ(At<std::string>(value, "c"), "[1,2,3,4,5,6,7,8,9,10]");
}

TEST(Json, LongArraysAreCheckedAsShortOnes) {
  for (std::string const bad : {"01", "1.", ".5", "+1", "1e", "--1", "1e999", "1 2", "", "0x1", "1,]", "nan"}) {
    EXPECT_THROW(ParseJson("[1,2,3,4,5,6,7,8,9,10," + bad + "]"), ModelError) << bad;
  }
  EXPECT_THROW(ParseJson("[1,2,3,4,5,6,7,8,9,10"), ModelError);
  Value const big = ParseJson("[1,2,3,4,5,6,7,8,9,9223372036854775807]");
  EXPECT_EQ(big.As<Numbers<std::int64_t>>()->back(), std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(std::isnan(ParseJson("[1,2,3,4,5,6,7,8,9,10,NaN]").As<Numbers<float>>()->back()));
  EXPECT_NO_THROW(ParseJson("[\"\\u0001#0\",[1,2,3,4,5,6,7,8,9,10],\"\\u0001#0\",\"\\u0001#9\"]"));
}

TEST(Json, RefusesWhatIsNotJson) {
  for (char const* bad : {"", " ", "{", "[1,", "{\"a\":}", "{\"a\":1}x", "[01]", "\"\\ud800\"", "[1e999]", "\"\xFF\"",
                          "{\"a\":1,\"a\":2}", "nan", "[nul]"}) {
    EXPECT_THROW(ParseJson(bad), ModelError) << bad;
  }
}

TEST(Json, RefusesDeepNesting) {
  std::string const deep(1000000, '[');
  EXPECT_THROW(ParseJson(deep), ModelError);
  EXPECT_NO_THROW(ParseJson(std::string(kMaxDepth, '[') + std::string(kMaxDepth, ']')));
}

TEST(Members, APlaceThatIsTriedFirstIsOnlyAHint) {
  Members members;
  for (char const* name : {"c", "a", "b"}) members.Append(std::string(name)) = Value(name);
  members.Close();
  std::size_t place = 0;
  for (char const* name : {"a", "b", "c"}) EXPECT_EQ(members.find(name, &place)->first.View(), name);
  EXPECT_EQ(place, 3U);
  EXPECT_EQ(members.find("d", &place), members.end());
  EXPECT_EQ(members.find("b", &place)->first.View(), "b");
  EXPECT_EQ(place, 2U);
}

TEST(Members, NamesAreBorrowedOrTheirOwn) {
  std::string const text = "a name that is too long to be kept without memory of its own";
  Name const borrowed = Name::Borrowed(text);
  EXPECT_EQ(borrowed.View().data(), text.data());
  Name copy;
  {
    Name const own(text);
    copy = own;
  }
  EXPECT_NE(copy.View().data(), text.data());
  EXPECT_EQ(copy.Text(), text);
}

TEST(Ubjson, ReadsBackWhatItWrites) {
  Value::Object object;
  object.emplace("real", Numbers<float>{0.5F, std::numeric_limits<float>::quiet_NaN(), -1e30F});
  object.emplace("whole", Numbers<std::int32_t>{-1, 2147483647});
  object.emplace("items", Value::Array{Value(), Value(2.5), Value("\xC3\xA9")});
  object.emplace("truth", Value(true));
  for (std::int64_t const n : {0LL, 127LL, -128LL, 128LL, -129LL, 32768LL, 1LL << 40U, -(1LL << 40U)}) {
    object.emplace("n" + std::to_string(n), Value(static_cast<std::int64_t>(n)));
  }
  std::string const bytes = WriteUbjson(object);
  EXPECT_EQ(WriteUbjson(ParseUbjson(bytes)), bytes);
}

TEST(Ubjson, EveryNaNIsWrittenAlike) {
  float odd = 0;
  std::uint32_t const bits = 0xFFFFFF7AU;
  std::memcpy(&odd, &bits, sizeof(odd));
  EXPECT_EQ(WriteUbjson(Numbers<float>{odd}), WriteUbjson(Numbers<float>{std::numeric_limits<float>::quiet_NaN()}));
}

TEST(Ubjson, TypedArraysAreBigEndianWithLongLengths) {
  std::string const expected("[$l#L\0\0\0\0\0\0\0\2\0\0\1\2\xFF\xFF\xFF\xFE", 21);
  EXPECT_EQ(WriteUbjson(Numbers<std::int32_t>{258, -2}), expected);
}

TEST(Ubjson, ReadsPlainFormsOfOtherWriters) {
  using namespace std::string_literals;
  auto const plain = "{U\1ai\5U\1b[i\1d\x3F\0\0\0i\2]U\1c{U\1xT}}"s;
  auto const counted = "{U\1ai\5U\1b[#i\3i\1d\x3F\0\0\0i\2NU\1c{#i\1U\1xT}"s;
  for (auto const& text : {plain, counted}) {
    Value const value = ParseUbjson(text);
    EXPECT_EQ(At<std::int64_t>(value, "a"), 5);
    EXPECT_EQ(At<Numbers<float>>(value, "b"), (Numbers<float>{1, 0.5F, 2}));
    EXPECT_EQ(At<Value::Object>(value, "c").count("x"), 1U);
  }
}

TEST(Ubjson, RefusesLengthsBeyondTheFile) {
  std::string const huge("\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8);
  for (std::string const head : {"[$d#L", "[$l#L", "[#L", "SL", "{L", "[$Z#L", "[$[#L", "{#L", "{$i#L"}) {
    EXPECT_THROW(ParseUbjson(head + huge), ModelError) << head;
  }
}

TEST(Ubjson, RefusesWhatIsNotUbjson) {
  using namespace std::string_literals;
  for (auto const& bad :
       {""s, "{"s, "q"s, "SU\2a"s, "Si\xFF"s, "SU\1\xFF"s, "[$d"s, "[$q#i\1a"s, "Zx"s, "Hi\1"s, "{U\1aZU\1aZ}"s}) {
    EXPECT_THROW(ParseUbjson(bad), ModelError) << bad;
  }
}

TEST(Ubjson, RefusesDeepNesting) { EXPECT_THROW(ParseUbjson(std::string(1000000, '[')), ModelError); }

TEST(FloatText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(FloatText(0.5F), "5E-1");
  EXPECT_EQ(FloatText(1.3100224F), "1.3100224E0");
  EXPECT_EQ(FloatText(-0.0F), "-0E0");
  EXPECT_EQ(FloatText(std::numeric_limits<float>::quiet_NaN()), "NaN");
  EXPECT_EQ(FloatText(-std::numeric_limits<float>::infinity()), "-Infinity");
}

TEST(ToFloat, IsInfiniteBeyondTheRange) {
  EXPECT_EQ(ToFloat(1e39), std::numeric_limits<float>::infinity());
  EXPECT_EQ(ToFloat(-1e300), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(ToFloat(0.1), 0.1F);
  EXPECT_TRUE(std::isnan(ToFloat(std::nan(""))));
}

TEST(Utf8, TellsTextFromBytes) {
  for (char const* good : {"", "abc", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x8E\x84", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(IsUtf8(good)) << good;
  }
  for (char const* bad :
       {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "a\xC3"}) {
    EXPECT_FALSE(IsUtf8(bad)) << bad;
  }
}

}  // namespace
}  // namespace xgbl
