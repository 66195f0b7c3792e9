// SPDX-License-Identifier: Apache-2.0
#include "hist/occupied_bins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hist/scanned.h"

namespace xgbl {
namespace {

constexpr std::size_t kRows = 3000;

std::vector<PackedGradients> Pack(std::size_t outputs, GradientBits bits) {
  RandomGradients const gradients(kRows, outputs);
  std::vector<PackedGradients> packed;
  for (std::size_t k = 0; k < outputs; ++k) {
    packed.push_back(PackGradients(gradients.Of(k), bits, nullptr, Context{}));
  }
  return packed;
}

// Rising rows, `count` of them, with gaps that depend on `seed`.
std::vector<std::uint32_t> SomeRows(std::size_t count, std::uint64_t seed) {
  Random const random(seed, Purpose::kRows, count);
  std::vector<std::uint32_t> rows;
  std::size_t row = 0;
  for (std::size_t i = 0; i < count; ++i) {
    row += 1 + random.Bits(i) % (kRows / (count + 1));
    rows.push_back(static_cast<std::uint32_t>(row));
  }
  return rows;
}

std::vector<FeatureRecipe> const kNumbers{{256, 0}, {256, 0.2}, {40, 0.9}, {7, 0.1}, {1, 0.5}, {2, 0}, {100, 0.5}};
std::vector<FeatureRecipe> const kCategories{
    {900, 0.1, true}, {3, 0.2, true}, {40, 0, true}, {600, 0, true}, {50, 0.1}};

void ExpectTheSplitsOfHistograms(BinnedSample const& sample, TreeParam const& param, std::size_t outputs,
                                 GradientBits bits) {
  std::size_t const most = OccupiedBins::MostRows(*sample.matrix);
  ASSERT_GT(most, 12U);
  MonotoneConstraints const monotone(param, sample.bins.size());
  std::vector<PackedGradients> const gradients = Pack(outputs, bits);
  ScanOf const scan(param, *sample.matrix, monotone, gradients);
  int valid = 0;
  for (std::size_t count = 0; count <= most; count += count < 8 ? 1 : 11) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      auto const rows = SomeRows(count, seed);
      Split const split = scan.ByRows(rows);
      ExpectEqual(split, scan.ByHistogram(rows));
      valid += split.Valid() ? 1 : 0;
    }
  }
  EXPECT_GT(valid, 50);
}

void ExpectTheSplitsOfHistograms(std::vector<FeatureRecipe> const& features, TreeParam const& param,
                                 std::size_t outputs, GradientBits bits) {
  ExpectTheSplitsOfHistograms(MakeBinned(kRows, features), param, outputs, bits);
}

TEST(OccupiedBins, GiveTheSplitsOfHistograms) {
  TreeParam param;
  param.min_child_weight = 0.1;
  ExpectTheSplitsOfHistograms(kNumbers, param, 1, GradientBits::kNarrow);
  ExpectTheSplitsOfHistograms(kNumbers, param, 1, GradientBits::kWide);
  ExpectTheSplitsOfHistograms(kNumbers, param, 3, GradientBits::kWide);
}

TEST(OccupiedBins, GiveTheSplitsOfHistogramsUnderConstraints) {
  TreeParam param;
  param.min_child_weight = 0;
  param.monotone_constraints = {1, -1, 1, 0, -1, 1, -1};
  param.reg_alpha = 0.1;
  ExpectTheSplitsOfHistograms(kNumbers, param, 1, GradientBits::kWide);
  ExpectTheSplitsOfHistograms(kNumbers, param, 3, GradientBits::kWide);
}

TEST(OccupiedBins, GiveTheSetsOfHistograms) {
  for (int const threshold : {3, 64}) {
    for (int const singles : {1, 4}) {
      TreeParam param;
      param.min_child_weight = 0;
      param.max_cat_threshold = threshold;
      param.max_cat_to_onehot = singles;
      ExpectTheSplitsOfHistograms(kCategories, param, 1, GradientBits::kNarrow);
      ExpectTheSplitsOfHistograms(kCategories, param, 1, GradientBits::kWide);
      ExpectTheSplitsOfHistograms(kCategories, param, 2, GradientBits::kWide);
    }
  }
}

// Bins may have higher numbers than joint codes: of levels that no row has.
TEST(OccupiedBins, GiveTheSplitsOfJointCodes) {
  std::vector<FeatureRecipe> features(5, {51, 0, true, -1, 2});
  features.insert(features.end(), 4, {60, 0, false, -1, 2});
  BinnedSample const sample = MakeBinned(kRows, features, {}, SlotJoining::kOn);
  auto const& slots = sample.matrix->Layout().slots;
  ASSERT_TRUE(
      std::all_of(slots.begin(), slots.end(), [](BinSlot const& slot) { return slot.Joint() && slot.codes < 50; }));
  TreeParam param;
  param.min_child_weight = 0.1;
  for (std::size_t const outputs : {1U, 3U}) ExpectTheSplitsOfHistograms(sample, param, outputs, GradientBits::kWide);
  ExpectTheSplitsOfHistograms(sample, param, 1, GradientBits::kNarrow);
}

TEST(OccupiedBins, AreForNoBundles) {
  auto const most_rows = [](std::vector<FeatureRecipe> const& features, Bundles const& bundles = {}) {
    return OccupiedBins::MostRows(*MakeBinned(100, features, bundles).matrix);
  };
  EXPECT_GT(most_rows({{256, 0}, {30, 0.5}}), 0U);
  EXPECT_GT(most_rows({{256, 0.1}}), 0U);  // 257 codes
  EXPECT_GT(most_rows({{5000, 0.1, true}}), 0U);
  EXPECT_EQ(most_rows({{300, 0}, {400, 0}}, {{0, 1}}), 0U);  // a bundle
}

TEST(OccupiedBins, ServeMoreRowsWhereHistogramsHaveMoreBins) {
  auto const most_rows = [](std::uint32_t bins) {
    return OccupiedBins::MostRows(*MakeBinned(100, {{bins, 0, true}, {20, 0}}).matrix);
  };
  EXPECT_LT(most_rows(20), 40U);
  EXPECT_GT(most_rows(3000), 500U);
  EXPECT_LT(most_rows(60000), 10000U);
}

}  // namespace
}  // namespace xgbl
