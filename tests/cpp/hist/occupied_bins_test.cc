// SPDX-License-Identifier: Apache-2.0
#include "hist/histogram_scan.h"

#include <gtest/gtest.h>

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

std::vector<FeatureRecipe> const kFeatures{{256, 0}, {255, 0.2}, {40, 0.9}, {7, 0.1}, {1, 0.5}, {2, 0}, {100, 0.5}};

void ExpectTheSplitsOfHistograms(TreeParam const& param, std::size_t outputs, GradientBits bits) {
  BinnedSample const sample = MakeBinned(kRows, kFeatures);
  ASSERT_TRUE(OccupiedBins::CanTell(*sample.matrix));
  MonotoneConstraints const monotone(param, kFeatures.size());
  std::vector<PackedGradients> const gradients = Pack(outputs, bits);
  ScanOf const scan(param, *sample.matrix, monotone, gradients);
  int valid = 0;
  for (std::size_t count = 0; count <= OccupiedBins::kMostRows; count += count < 8 ? 1 : 11) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      auto const rows = SomeRows(count, seed);
      Split const split = scan.ByRows(rows);
      ExpectEqual(split, scan.ByHistogram(rows));
      valid += split.Valid() ? 1 : 0;
    }
  }
  EXPECT_GT(valid, 50);
}

TEST(OccupiedBins, GiveTheSplitsOfHistograms) {
  TreeParam param;
  param.min_child_weight = 0.1;
  ExpectTheSplitsOfHistograms(param, 1, GradientBits::kNarrow);
  ExpectTheSplitsOfHistograms(param, 1, GradientBits::kWide);
  ExpectTheSplitsOfHistograms(param, 3, GradientBits::kWide);
}

TEST(OccupiedBins, GiveTheSplitsOfHistogramsUnderConstraints) {
  TreeParam param;
  param.min_child_weight = 0;
  param.monotone_constraints = {1, -1, 1, 0, -1, 1, -1};
  param.reg_alpha = 0.1;
  ExpectTheSplitsOfHistograms(param, 1, GradientBits::kWide);
  ExpectTheSplitsOfHistograms(param, 3, GradientBits::kWide);
}

TEST(OccupiedBins, AreForNumbersWithAByteOfTheirOwn) {
  EXPECT_TRUE(OccupiedBins::CanTell(*MakeBinned(100, {{256, 0}, {3, 0.5}}).matrix));
  EXPECT_FALSE(OccupiedBins::CanTell(*MakeBinned(100, {{256, 0.1}}).matrix));                // 257 codes
  EXPECT_FALSE(OccupiedBins::CanTell(*MakeBinned(100, {{3, 0}, {4, 0}}, {{0, 1}}).matrix));  // a bundle
}

}  // namespace
}  // namespace xgbl
