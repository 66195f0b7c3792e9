// SPDX-License-Identifier: Apache-2.0
#include "base/numbers.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace xgbl {
namespace {

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
  double value = 0;
  for (char const* text : {"2.5", " 2.5\t", "+2.5", "25e-1", "\r\n2.50"}) {
    EXPECT_TRUE(ParseNumber(text, &value)) << text;
    EXPECT_EQ(value, 2.5) << text;
  }
  for (char const* text : {"", " ", "+", "-", "+-2", "--2", "2.5x", "2,5", "1 2", "e5", "0x10", "1e"}) {
    EXPECT_FALSE(ParseNumber(text, &value)) << text;
  }
}

TEST(ParseNumber, KnowsInfinityAndNan) {
  double value = 0;
  EXPECT_TRUE(ParseNumber("-inf", &value) && value < 0 && std::isinf(value));
  EXPECT_TRUE(ParseNumber("nan", &value) && std::isnan(value));
}

TEST(ParseNumber, GivesTheNearestDoubleOfShortTexts) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100'000; ++i) {
    std::string text = std::to_string(random() >> (random() % 64)).substr(0, 16);
    text.insert(random() % (text.size() + 1), random() % 3 == 0 ? "" : ".");
    if (random() % 2 == 0) text.insert(0, "-");
    double value = 0;
    ASSERT_TRUE(ParseNumber(text, &value)) << text;
    ASSERT_EQ(value, std::strtod(text.c_str(), nullptr)) << text;
  }
  double value = 0;
  EXPECT_TRUE(ParseNumber("-0", &value) && value == 0 && std::signbit(value));
  for (char const* text : {".", "-", "-.", "1.2.3", "1-", "--1"}) EXPECT_FALSE(ParseNumber(text, &value)) << text;
}

TEST(ParseNumber, RoundsWhatIsOutOfRange) {
  float value = 1;
  EXPECT_TRUE(ParseNumber("1e-50", &value) && value == 0);
  EXPECT_TRUE(ParseNumber("-1e-400", &value) && value == 0 && std::signbit(value));
  EXPECT_TRUE(ParseNumber("1e50", &value) && value == HUGE_VALF);
  EXPECT_TRUE(ParseNumber("-1e999", &value) && value == -HUGE_VALF);
  EXPECT_TRUE(ParseNumber("0." + std::string(60, '0') + "1", &value) && value == 0);
  EXPECT_TRUE(ParseNumber("1" + std::string(60, '0'), &value) && value == HUGE_VALF);
}

TEST(ParseNumber, IntegersAreExactAndBounded) {
  std::int64_t value = 0;
  EXPECT_TRUE(ParseNumber("9223372036854775807", &value));
  EXPECT_EQ(value, std::numeric_limits<std::int64_t>::max());
  for (char const* text : {"9223372036854775808", "1.0", "1e3", ""}) EXPECT_FALSE(ParseNumber(text, &value)) << text;
}

TEST(NumberText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(NumberText(0.1), "0.1");
  EXPECT_EQ(NumberText(0.1F), "0.1");
  EXPECT_EQ(NumberText(1.0), "1");
  for (float const value : {1.0F / 3, 1e-45F, std::numeric_limits<float>::max(), -0.0F, 16777216.0F}) {
    float back = 7;
    EXPECT_TRUE(ParseNumber(NumberText(value), &back));
    EXPECT_EQ(back, value);
  }
}

TEST(NumberText, DoesNotFollowTheLocale) {
  std::string const before = std::setlocale(LC_NUMERIC, nullptr);
  std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
  EXPECT_EQ(NumberText(1.5), "1.5");
  std::setlocale(LC_NUMERIC, before.c_str());
}

TEST(Trim, TakesBlanksOffBothEnds) {
  EXPECT_EQ(Trim("\t a b \r\n"), "a b");
  EXPECT_EQ(Trim(" \n"), "");
  EXPECT_EQ(Trim(""), "");
}

}  // namespace
}  // namespace xgbl
