// SPDX-License-Identifier: Apache-2.0
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

struct SizeParam {
  static constexpr char const* kGroup = "sizes";
  double width = 1;
  double shade = 0;

  template <class F>
  static void Describe(F& field) {
    field("width", &SizeParam::width, "How wide.");
    field("shade", &SizeParam::shade, "How dark.").Own();
  }
};

/// Knows its name.
struct Star : Shape {
  Star(std::string name, int corners) : name_(std::move(name)), corners_(corners) {}
  int Corners() const override { return name_ == "star" ? corners_ : 0; }

 private:
  std::string name_;
  int corners_;
};

auto const kSquare =
    Register<Shape, Polygon<4>>("square", "Four.").Alias({"quad", "box"}).Elsewhere({"tetragon"}).Params<SizeParam>();
auto const kTriangle = Register<Shape, Polygon<3>>("triangle", "Three.").Elsewhere({"corner"}).Repeats<SizeParam>();
auto const kStar = Register<Shape, Star>("star", "Many.", 5).Own("triangle").OnlyInFiles<SizeParam>();

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
  EXPECT_EQ(registry.At("star", "shape").make()->Corners(), 5);
  EXPECT_EQ(registry.Find("circle"), nullptr);
  EXPECT_EQ(registry.Entries().size(), 3U);
}

TEST(Registry, KeepsWhatIsSaidOfAPlugIn) {
  auto const& square = *Registry<Shape>::Get().Find("square");
  auto const& star = *Registry<Shape>::Get().Find("star");
  EXPECT_TRUE(square.Has("width") && square.Has("shade") && !star.Has("width"));
  EXPECT_TRUE(Registry<Shape>::Get().HasParam("width"));
  EXPECT_FALSE(Registry<Shape>::Get().HasParam("depth"));
  for (auto const* entry : {&square, &star}) {
    ASSERT_EQ(entry->in_files.size(), 1U);  // not what is our own
    EXPECT_EQ(entry->in_files[0].name, "width");
    EXPECT_EQ(entry->in_files[0].group, "sizes");
  }
  EXPECT_EQ(Registry<Shape>::Get().Find("triangle")->group, "sizes");
  EXPECT_TRUE(star.own && !square.own);
  EXPECT_EQ(star.twin, "triangle");
}

TEST(Registry, UnknownNameIsAnErrorWithTheNearestAndAllNames) {
  EXPECT_EQ(RefusalOf("sqare"), "Unknown shape `sqare`. Did you mean `square`? Known: square, star, triangle.");
}

TEST(Registry, NamesOfOthersAreSuggestedButNotAccepted) {
  EXPECT_EQ(RefusalOf("tetragon"), "Unknown shape `tetragon`. Use `square`. Known: square, star, triangle.");
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
