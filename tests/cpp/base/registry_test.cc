// SPDX-License-Identifier: Apache-2.0
// Also tests suggest.cc.
#include "base/registry.h"

#include <gtest/gtest.h>

namespace xgbl {
namespace {

struct Shape {
  virtual ~Shape() = default;
  virtual int Corners() const = 0;
};

template <int kCorners>
struct Polygon : Shape {
  int Corners() const override { return kCorners; }
};

Registration<Shape> const kSquare{
    "square", {"quad", "box"}, "Four.", {}, [] { return std::make_unique<Polygon<4>>(); }};
Registration<Shape> const kTriangle{"triangle", {}, "Three.", {}, [] { return std::make_unique<Polygon<3>>(); }};

NamesElsewhere<Shape> const kElsewhere({{"tetragon", "square"}, {"corner", "triangle"}});

std::string RefusalOf(std::string const& name) {
  try {
    Registry<Shape>::Get().At(name, "shape");
  } catch (ParamError const& error) {
    return error.what();
  }
  return "no error";
}

TEST(Registry, FindsByNameAndAlias) {
  auto const& registry = Registry<Shape>::Get();
  EXPECT_EQ(registry.At("triangle", "shape").make()->Corners(), 3);
  EXPECT_EQ(registry.At("box", "shape").make()->Corners(), 4);
  EXPECT_EQ(registry.Find("circle"), nullptr);
  EXPECT_EQ(registry.Entries().size(), 2U);
}

TEST(Registry, UnknownNameIsAnErrorWithTheNearestAndAllNames) {
  EXPECT_EQ(RefusalOf("sqare"), "Unknown shape `sqare`. Did you mean `square`? Known: square, triangle.");
}

TEST(Registry, NamesOfOthersAreSuggestedButNotAccepted) {
  EXPECT_EQ(RefusalOf("tetragon"), "Unknown shape `tetragon`. Use `square`. Known: square, triangle.");
  EXPECT_EQ(Registry<Shape>::Get().Find("tetragon"), nullptr);
  for (char const* name : {"Corner", "CORNER:sharp=1", "Triangle", "triangle:sharp=1"}) {
    EXPECT_NE(RefusalOf(name).find("`. Use `triangle`."), std::string::npos) << name;
  }
  EXPECT_NE(RefusalOf("Box").find("Use `square`"), std::string::npos);
}

TEST(Suggest, FindsSlipsAndNothingElse) {
  std::vector<std::string> const names{"max_depth", "eta", "lambda"};
  EXPECT_EQ(Nearest("max_dpeth", names), "max_depth");
  EXPECT_EQ(Nearest("MAX_DEPTH", names), "max_depth");
  EXPECT_EQ(Nearest("lamda", names), "lambda");
  EXPECT_EQ(Nearest("subsample", names), "");
  EXPECT_EQ(Nearest("", {}), "");
  EXPECT_EQ(DidYouMean("etaa", names), " Did you mean `eta`?");
  EXPECT_EQ(DidYouMean("quite_another_name", names), "");
}

}  // namespace
}  // namespace xgbl
