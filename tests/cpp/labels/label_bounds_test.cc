// SPDX-License-Identifier: Apache-2.0
#include "labels/meta.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace xgbl {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Meta WithBounds(std::vector<float> lower, std::vector<float> upper) {
  Meta meta;
  meta.label_lower = std::move(lower);
  meta.label_upper = std::move(upper);
  return meta;
}

TEST(LabelBounds, TellKindsOfRowsApart) {
  Meta const meta = WithBounds({2, 2, 0, -kInfinity, 1, 0, 1e-45F}, {2, kInfinity, 3, 3, 4, kInfinity, 1e-45F});
  LabelBounds const bounds(meta, 7, "x");
  std::vector<bool> event, lower, upper;
  for (std::size_t i = 0; i < 7; ++i) {
    event.push_back(bounds[i].IsEvent());
    lower.push_back(bounds[i].HasLower());
    upper.push_back(bounds[i].HasUpper());
  }
  EXPECT_EQ(event, (std::vector<bool>{true, false, false, false, false, false, true}));
  EXPECT_EQ(lower, (std::vector<bool>{true, true, false, false, true, false, true}));
  EXPECT_EQ(upper, (std::vector<bool>{true, false, true, true, true, false, true}));
}

TEST(LabelBounds, WithoutATimeAreRefused) {
  for (auto const& [lower, upper] : std::vector<std::pair<float, float>>{
           {3, 2}, {-1, 2}, {-2, -1}, {-kInfinity, -kInfinity}, {kInfinity, kInfinity}, {kNan, 1}, {1, kNan}}) {
    Meta const meta = WithBounds({1, lower}, {1, upper});
    LabelBounds const bounds(meta, 2, "x");
    EXPECT_NO_THROW(bounds[0]);
    EXPECT_THROW(bounds[1], DataError) << lower << " " << upper;
  }
}

TEST(LabelBounds, MustBeThereForEachRow) {
  EXPECT_THROW(LabelBounds(WithBounds({}, {}), 2, "x"), DataError);
  EXPECT_THROW(LabelBounds(WithBounds({1, 1}, {}), 2, "x"), DataError);
  EXPECT_THROW(LabelBounds(WithBounds({1}, {1}), 2, "x"), DataError);
  EXPECT_NO_THROW(LabelBounds(WithBounds({}, {}), 0, "x"));
}

}  // namespace
}  // namespace xgbl
