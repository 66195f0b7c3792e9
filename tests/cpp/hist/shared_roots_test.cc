// SPDX-License-Identifier: Apache-2.0
#include "hist/shared_roots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "hist/binned.h"

namespace xgbl {
namespace {

std::vector<TreeRoot> RootsOf(std::size_t rows, std::size_t trees, GradientBits bits = GradientBits::kNarrow) {
  RandomGradients const gradients(rows, trees);
  std::vector<TreeRoot> roots(trees);
  for (std::size_t k = 0; k < trees; ++k) {
    Random const random(k, Purpose::kRounding, 0);
    roots[k].gradients.push_back(PackGradients(gradients.Of(k), bits, &random, Context{}));
  }
  return roots;
}

void ExpectTheHistogramsOfEachAlone(BinnedMatrix const& bins, std::vector<TreeRoot> const& roots) {
  for (TreeRoot const& root : roots) {
    HistogramBuilder builder(bins, root.gradients);
    Histogram alone;
    HistogramBuilder::Job const job{{}, true, &alone};
    builder.Build({&job, 1}, WithThreads(1));
    ASSERT_FALSE(root.histogram.Empty());
    for (std::size_t feature = 0; feature < bins.Columns(); ++feature) {
      BinPlace const& place = bins.Place(feature);
      for (std::uint32_t bin = place.histogram; bin < place.histogram + place.bins; ++bin) {
        ASSERT_EQ(root.histogram.Bin(0, bin), alone.Bin(0, bin)) << "feature " << feature << ", bin " << bin;
      }
    }
  }
}

// 40 features of unlike widths, so that there are several tiles, and an odd number of slots.
std::vector<FeatureRecipe> Features() {
  std::vector<FeatureRecipe> features{{256, 0}, {255, 0.2}, {2, 0.5}};
  while (features.size() < 41) features.push_back({static_cast<std::uint32_t>(1 + features.size() * 3), 0});
  return features;
}

TEST(SharedRoots, AreTheHistogramsOfEachTreeAlone) {
  for (std::size_t const rows : {std::size_t{4096}, std::size_t{20'001}, 2 * kNarrowRows + 5}) {
    BinnedSample const sample = MakeBinned(rows, Features());
    for (int const threads : {1, 3}) {
      auto roots = RootsOf(rows, 7);
      BuildRoots(*sample.matrix, WithThreads(threads), &roots);
      ExpectTheHistogramsOfEachAlone(*sample.matrix, roots);
    }
  }
}

TEST(SharedRoots, AreBuiltOnEveryInstructionSet) {
  BinnedSample const sample = MakeBinned(5000, Features());
  for (SimdLevel const level : AvailableSimd()) {
    Context ctx = WithThreads(2);
    ctx.simd = level;
    auto roots = RootsOf(5000, 19);  // 8 + 8 + 3
    BuildRoots(*sample.matrix, ctx, &roots);
    ExpectTheHistogramsOfEachAlone(*sample.matrix, roots);
  }
}

TEST(SharedRoots, AreLeftOutWhereTheyGainNothing) {
  auto const all_empty = [](std::vector<FeatureRecipe> const& features, Bundles const& bundles,
                            std::vector<TreeRoot> roots) {
    BinnedSample const sample = MakeBinned(roots[0].gradients[0].Rows(), features, bundles);
    BuildRoots(*sample.matrix, WithThreads(1), &roots);
    for (TreeRoot const& root : roots) EXPECT_TRUE(root.histogram.Empty());
  };
  all_empty(Features(), {}, RootsOf(4095, 7));
  all_empty(Features(), {}, RootsOf(5000, 2));
  all_empty(Features(), {}, RootsOf(5000, 1, GradientBits::kWide));
  all_empty({{300, 0}, {5, 0}}, {}, RootsOf(5000, 7));  // codes of two bytes
}

// Eight lanes: trees of wide gradients have two.
TEST(SharedRoots, OfGradientsOfEitherWidth) {
  for (BinnedSample const& sample : {MakeBinned(70'000, Features()), MakeJoined(70'000)}) {
    auto roots = RootsOf(70'000, 6), wide = RootsOf(70'000, 9, GradientBits::kWide);
    for (std::size_t k = 0; k < wide.size(); ++k)
      roots.insert(roots.begin() + static_cast<std::ptrdiff_t>(k), std::move(wide[k]));
    for (auto const* order : {"as they are", "the other way round"}) {
      BuildRoots(*sample.matrix, WithThreads(3), &roots);
      auto const lonely =
          std::find_if(roots.begin(), roots.end(), [](auto const& root) { return root.histogram.Empty(); });
      if (lonely == roots.end()) ExpectTheHistogramsOfEachAlone(*sample.matrix, roots);
      EXPECT_EQ(lonely, roots.end()) << order;
      std::reverse(roots.begin(), roots.end());
    }
  }
}

TEST(SharedRoots, OfJointCodes) {
  BinnedSample const sample = MakeJoined(20'000);
  auto roots = RootsOf(20'000, 5);
  BuildRoots(*sample.matrix, WithThreads(2), &roots);
  ExpectTheHistogramsOfEachAlone(*sample.matrix, roots);
}

TEST(SharedRoots, OfBundlesAndMissingValues) {
  BinnedSample const sample = MakeBinned(6000, {{20, 0}, {30, 0.3}, {40, 0}, {9, 0.99}}, {{1, 2}});
  auto roots = RootsOf(6000, 4);
  BuildRoots(*sample.matrix, WithThreads(2), &roots);
  ExpectTheHistogramsOfEachAlone(*sample.matrix, roots);
}

}  // namespace
}  // namespace xgbl
