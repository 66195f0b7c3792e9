// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "hist/scanned.h"

namespace xgbl {
namespace {

constexpr std::size_t kRows = 1500;

// Hundreds of features of few bins, with all or some or hardly any rows missing; constants; copies; wide ones in
// between.
std::vector<FeatureRecipe> ManyFeatures() {
  std::vector<FeatureRecipe> features;
  std::vector<double> const missing{0.9, 0.99, 0, 0.5, 0.998};
  for (int i = 0; i < 400; ++i) {
    features.push_back({static_cast<std::uint32_t>(1 + i % 7), missing[static_cast<std::size_t>(i) % missing.size()]});
    if (i % 10 == 9) features.push_back({features[features.size() - 5].bins, features[features.size() - 5].missing});
    if (i % 10 == 9) features.back().copy_of = static_cast<int>(features.size()) - 6;
    if (i % 100 == 50) features.push_back({i > 200 ? 900U : 100U, i > 100 ? 0.3 : 0.0});
  }
  return features;
}

std::vector<std::uint32_t> EveryRow(std::size_t step) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = step / 2; row < kRows; row += step) rows.push_back(static_cast<std::uint32_t>(row));
  return rows;
}

// Looks at each candidate on its own.
class OneByOne {
 public:
  OneByOne(ScanOf const& scan, TreeParam const& param, BinnedSample const& sample)
      : scan_(scan), param_(param), rule_(param), sample_(sample) {}

  Split Best(std::vector<std::uint32_t> const& rows) const {
    GrowingNode const node = scan_.Node(rows);
    Split best;
    best.gain = Split::kLeastGain;
    best.feature = ~0U;
    for (std::uint32_t const feature : scan_.features) {
      std::uint32_t const bins = scan_.matrix.Place(feature).bins;
      for (std::uint32_t last = 0; last < bins; ++last) {
        for (bool const missing_left : {false, true}) {
          if (last + 1 == bins && missing_left) continue;
          Split split = At(node, rows, feature, last, missing_left);
          if (Heavy(split) && split.BetterThan(best)) best = std::move(split);
        }
      }
    }
    return best;
  }

 private:
  Split At(GrowingNode const& node, std::vector<std::uint32_t> const& rows, std::uint32_t feature, std::uint32_t last,
           bool missing_left) const {
    Split split;
    split.feature = feature;
    split.missing_left = missing_left;
    split.last_left_bin = last;
    split.threshold = scan_.matrix.GetCuts().Upper(feature)[last];
    split.left = split.right = FixedSums(node.sums.size());
    for (std::uint32_t const row : rows) {
      std::uint32_t const bin = sample_.bins[feature][row];
      bool const left = sample_.Missing(row, feature) ? missing_left : bin <= last;
      FixedSums& side = left ? split.left : split.right;
      for (std::size_t k = 0; k < side.size(); ++k) side[k] += scan_.gradients[k].Row(row);
    }
    split.gain = Gain(split.left) + Gain(split.right) - Gain(node.sums);
    return split;
  }

  double Gain(FixedSums const& sums) const {
    double gain = 0;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      gain += rule_.Gain(scan_.task.scales[k].Gradient(sums[k]), scan_.task.scales[k].Hessian(sums[k]), {});
    }
    return gain;
  }

  bool Heavy(Split const& split) const {
    double left = 0, right = 0;
    for (std::size_t k = 0; k < split.left.size(); ++k) {
      left += scan_.task.scales[k].Hessian(split.left[k]);
      right += scan_.task.scales[k].Hessian(split.right[k]);
    }
    double const least = param_.min_child_weight * static_cast<double>(split.left.size());
    return left > 0 && right > 0 && left >= least && right >= least;
  }

  ScanOf const& scan_;
  TreeParam const& param_;
  GainRule rule_;
  BinnedSample const& sample_;
};

struct NumericCase {
  TreeParam param;
  std::size_t outputs = 1;
  GradientBits bits = GradientBits::kNarrow;
};

class NumericScan : public testing::TestWithParam<SimdLevel> {
 protected:
  void ExpectTheBest(NumericCase const& given) const {
    std::vector<FeatureRecipe> const features = ManyFeatures();
    BinnedSample const sample = MakeBinned(kRows, features);
    MonotoneConstraints const monotone(given.param, features.size());
    RandomGradients const random(kRows, given.outputs);
    std::vector<PackedGradients> gradients;
    for (std::size_t k = 0; k < given.outputs; ++k) {
      gradients.push_back(PackGradients(random.Of(k), given.bits, nullptr, Context{}));
    }
    ScanOf const scan(given.param, *sample.matrix, monotone, gradients, GetParam());
    OneByOne const one_by_one(scan, given.param, sample);
    for (std::size_t const step : {1U, 3U, 17U, 90U, 400U}) {
      auto const rows = EveryRow(step);
      ExpectEqual(scan.ByHistogram(rows), one_by_one.Best(rows));
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Simd, NumericScan, testing::ValuesIn(AvailableSimd()),
                         [](auto const& param_info) { return SimdName(param_info.param); });

TEST_P(NumericScan, FindsTheBestOfAllCandidates) {
  for (GradientBits const bits : {GradientBits::kNarrow, GradientBits::kWide}) {
    NumericCase given;
    given.bits = bits;
    given.param.min_child_weight = 0;
    ExpectTheBest(given);
    given.param.min_child_weight = 20;
    given.param.reg_alpha = 0.5;
    ExpectTheBest(given);
  }
}

TEST_P(NumericScan, FindsTheBestForSeveralOutputs) {
  NumericCase given;
  given.outputs = 3;
  given.bits = GradientBits::kWide;
  given.param.min_child_weight = 1;
  ExpectTheBest(given);
}

// A copy comes after its original; what is missing goes right if that is no worse; the lower of two bins without rows
// between them ends the left side.
TEST(NumericScanTies, TheFirstOfEqualCandidatesWins) {
  std::vector<FeatureRecipe> features(700, {5, 0.6});
  for (std::size_t f = 1; f < features.size(); ++f) features[f].copy_of = 0;
  BinnedSample const sample = MakeBinned(kRows, features);
  TreeParam const param;
  MonotoneConstraints const monotone(param, features.size());
  RandomGradients const random(kRows, 1);
  std::vector<PackedGradients> gradients;
  gradients.push_back(PackGradients(random.Of(0), GradientBits::kNarrow, nullptr, Context{}));
  ScanOf scan(param, *sample.matrix, monotone, gradients);
  Split const split = scan.ByHistogram(EveryRow(3));
  ASSERT_TRUE(split.Valid());
  EXPECT_EQ(split.feature, 0U);
  scan.features.erase(scan.features.begin(), scan.features.begin() + 600);
  EXPECT_EQ(scan.ByHistogram(EveryRow(3)).feature, 600U);
}

// No row, no candidate, no matter how many features.
TEST(NumericScanTies, NothingIsFoundWhereNothingVaries) {
  std::vector<FeatureRecipe> const features(1500, {1, 0});
  BinnedSample const sample = MakeBinned(kRows, features);
  TreeParam const param;
  MonotoneConstraints const monotone(param, features.size());
  RandomGradients const random(kRows, 1);
  std::vector<PackedGradients> gradients;
  gradients.push_back(PackGradients(random.Of(0), GradientBits::kNarrow, nullptr, Context{}));
  ScanOf const scan(param, *sample.matrix, monotone, gradients);
  EXPECT_FALSE(scan.ByHistogram(EveryRow(2)).Valid());
  EXPECT_FALSE(scan.ByRows(EveryRow(500)).Valid());
}

}  // namespace
}  // namespace xgbl
