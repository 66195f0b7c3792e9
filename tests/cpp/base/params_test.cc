// SPDX-License-Identifier: Apache-2.0
#include "base/params.h"

#include <gtest/gtest.h>

namespace xgbl {
namespace {

struct Sample {
  int depth = 6;
  std::int64_t seed = 0;
  double rate = 0.3;
  bool loud = false;
  std::string policy = "wide";
  Ints signs;
  IntSets sets;
  Doubles shares;
  Strings names;

  template <class F>
  static void Describe(F& field) {
    field("depth", &Sample::depth, "Deepest level.").Range(0, 100);
    field("seed", &Sample::seed, "Seed.");
    field("rate", &Sample::rate, "Shrinkage.").Alias({"eta"}).Above(0, 1);
    field("loud", &Sample::loud, "Whether to talk.");
    field("policy", &Sample::policy, "Order of growth.").OneOf({"wide", "best"});
    field("signs", &Sample::signs, "Signs.").Range(-1, 1);
    field("sets", &Sample::sets, "Sets.");
    field("shares", &Sample::shares, "Shares.");
    field("names", &Sample::names, "Names.");
  }
};

Sample With(std::string const& name, std::string const& text) { return ParamsFrom<Sample>({{name, text}}); }

std::string RefusalOf(std::string const& name, std::string const& text) {
  try {
    With(name, text);
  } catch (ParamError const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Params, DefaultsAreTheInitialisers) {
  EXPECT_EQ(TextOf(Sample{}).at("rate"), "0.3");
  EXPECT_EQ(SpecsOf<Sample>()[0].default_text, "6");
  EXPECT_EQ(SpecsOf<Sample>()[5].type, "list of int");
}

TEST(Params, NumbersAreReadAsTheUserMayWriteThem) {
  EXPECT_EQ(With("depth", "6.0").depth, 6);
  EXPECT_EQ(With("depth", " 1e1 ").depth, 10);
  EXPECT_EQ(With("seed", "9007199254740993").seed, 9007199254740993);
  EXPECT_EQ(With("rate", "1").rate, 1);
  EXPECT_EQ(With("eta", "0.5").rate, 0.5);
}

TEST(Params, BoolsAreWordsOrDigits) {
  for (char const* yes : {"true", "True", "TRUE", "1"}) EXPECT_TRUE(With("loud", yes).loud) << yes;
  for (char const* no : {"false", "False", "0"}) EXPECT_FALSE(With("loud", no).loud) << no;
  EXPECT_NE(RefusalOf("loud", "yes"), "accepted");
}

TEST(Params, ValuesOutOfRangeAreRefused) {
  for (char const* bad : {"-1", "101", "2.5", "", "six", "nan", "inf", "1e30"}) {
    EXPECT_NE(RefusalOf("depth", bad), "accepted") << bad;
  }
  for (char const* bad : {"0", "1.01", "nan", "inf", "", "0,5"}) EXPECT_NE(RefusalOf("rate", bad), "accepted") << bad;
}

TEST(Params, RefusalsSayWhatIsAllowed) {
  EXPECT_EQ(RefusalOf("depth", "-1"), "`depth` must be an int >= 0 and <= 100; got `-1`.");
  EXPECT_EQ(RefusalOf("rate", "2"), "`rate` must be a float > 0 and <= 1; got `2`.");
  EXPECT_EQ(RefusalOf("policy", "bets"), "`policy` must be one of wide, best; got `bets`. Did you mean `best`?");
}

TEST(Params, ListsComeInEveryBracket) {
  for (char const* text : {"(1,0,-1)", "[1, 0, -1]", "1,0,-1", " ( 1 , 0 , -1 , ) "}) {
    EXPECT_EQ(With("signs", text).signs, (Ints{1, 0, -1})) << text;
  }
  EXPECT_EQ(With("sets", "[[0, 1], [2]]").sets, (IntSets{{0, 1}, {2}}));
  EXPECT_EQ(With("shares", "[0.5,1]").shares, (Doubles{0.5, 1}));
  EXPECT_EQ(With("names", "['a', \"b c\", d]").names, (Strings{"a", "b c", "d"}));
  EXPECT_TRUE(With("signs", "()").signs.empty());
  EXPECT_TRUE(With("signs", "").signs.empty());
}

TEST(Params, BrokenListsAreRefused) {
  for (char const* bad : {"(2)", "1,x", "(1", "1)", "[[1]]"}) EXPECT_NE(RefusalOf("signs", bad), "accepted") << bad;
  for (char const* bad : {"[1]", "[[1]", "[1]]", "[[x]]"}) EXPECT_NE(RefusalOf("sets", bad), "accepted") << bad;
}

TEST(Params, TextReadsBack) {
  ParamMap const given{{"depth", "3"},     {"seed", "-4"},      {"rate", "0.125"},         {"loud", "1"},
                       {"policy", "best"}, {"signs", "(1,-1)"}, {"sets", "[[0, 1], [2]]"}, {"shares", "[0.5,1]"},
                       {"names", "a,b"}};
  EXPECT_EQ(TextOf(ParamsFrom<Sample>(given)), given);
}

TEST(Params, NamesOfOthersArePassedOver) {
  Sample sample;
  EXPECT_FALSE(SetParam(sample, "width", "3"));
  EXPECT_EQ(TextOf(With("width", "3")), TextOf(Sample{}));
}

}  // namespace
}  // namespace xgbl
