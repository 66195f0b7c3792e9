// SPDX-License-Identifier: Apache-2.0
#include "cuts/cuts.h"

#include <gtest/gtest.h>

#include "ingest/matrices.h"
#include "simd/level.h"

namespace xgbl {
namespace {

// A numeric feature with bins below 1, 2, 3 and 4, and one of three categories.
Cuts Sample() {
  Cuts cuts;
  cuts.begin = {0, 4, 7};
  cuts.upper = {1, 2, 3, 4, 0, 1, 2};
  cuts.lowest = {-1, 0};
  cuts.categorical = {0, 1};
  return cuts;
}

TEST(Cuts, AValueAtACutIsAboveIt) {
  Cuts const cuts = Sample();
  EXPECT_EQ(cuts.BinOf(0, 0.5F), 0U);
  EXPECT_EQ(cuts.BinOf(0, 1), 1U);
  EXPECT_EQ(cuts.BinOf(0, -kInf), 0U);
  EXPECT_EQ(cuts.BinOf(0, 1e30F), 3U);
}

TEST(Cuts, UnknownCategoriesHaveNoBin) {
  Cuts const cuts = Sample();
  EXPECT_EQ(cuts.BinOf(1, 2), 2U);
  for (float const value : {3.0F, -1.0F, 1e30F, kInf, -kInf, kNan}) EXPECT_EQ(cuts.BinOf(1, value), 3U) << value;
}

TEST(Cuts, AValueOfABinIsInIt) {
  Cuts const cuts = Sample();
  for (std::size_t feature = 0; feature < 2; ++feature) {
    for (std::uint32_t bin = 0; bin < cuts.Bins(feature); ++bin) {
      EXPECT_EQ(cuts.BinOf(feature, cuts.ValueOf(feature, bin)), bin);
    }
  }
}

TEST(Cuts, ManyValuesAtATimeAreAsOneByOne) {
  Cuts const cuts = Sample();
  std::vector<float> values{kNan, kInf, -kInf, 1e30F, -0.0F};
  for (int i = -20; i < 200; ++i) values.push_back(static_cast<float>(i) * 0.25F);
  for (SimdLevel const level : AvailableSimd()) {
    Context ctx;
    ctx.simd = level;
    for (std::size_t feature = 0; feature < 2; ++feature) {
      std::vector<std::uint16_t> bins(values.size());
      cuts.BinsOf(feature, values, ctx, bins.data());
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(bins[i], std::isnan(values[i]) ? cuts.Bins(feature) : cuts.BinOf(feature, values[i])) << values[i];
      }
    }
  }
}

TEST(GroupCuts, JoinsBinsOfLittleWeight) {
  std::vector<std::uint64_t> const weight{1, 1, 10, 10, 5, 5, 5};
  Cuts const cuts = GroupCuts(Sample(), weight, 2);
  EXPECT_EQ(cuts.upper, (std::vector<float>{2, 4, 0, 1, 2}));
  EXPECT_EQ(cuts.begin, (std::vector<std::uint32_t>{0, 2, 5}));
  EXPECT_EQ(cuts.lowest, Sample().lowest);
  EXPECT_EQ(cuts.categorical, Sample().categorical);
}

TEST(GroupCuts, LeavesFewBinsAsTheyAre) {
  EXPECT_EQ(GroupCuts(Sample(), std::vector<std::uint64_t>(7, 0), 4), Sample());
  EXPECT_EQ(GroupCuts(Cuts(), {}, 2), Cuts());
}

TEST(GroupCuts, WithoutAnyWeightKeepsTheRange) {
  Cuts const cuts = GroupCuts(Sample(), std::vector<std::uint64_t>(7, 0), 2);
  EXPECT_LE(cuts.Bins(0), 2U);
  EXPECT_EQ(cuts.Upper(0)[cuts.Bins(0) - 1], 4);
}

TEST(GroupCuts, WeightsMustFit) {
  ExpectError<InternalError>([] { GroupCuts(Sample(), std::vector<std::uint64_t>(6, 1), 2); }, {"weights"});
}

}  // namespace
}  // namespace xgbl
