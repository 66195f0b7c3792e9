// SPDX-License-Identifier: Apache-2.0
// Also tests histogram_loops.cc.
#include "hist/histogram.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "base/error.h"
#include "hist/binned.h"

namespace xgbl {
namespace {

using Rows = std::vector<std::uint32_t>;

std::vector<PackedGradients> Pack(std::size_t rows, std::size_t outputs, GradientBits bits) {
  RandomGradients const gradients(rows, outputs);
  std::vector<PackedGradients> packed;
  for (std::size_t k = 0; k < outputs; ++k) {
    packed.push_back(PackGradients(gradients.Of(k), bits, nullptr, Context{}));
  }
  return packed;
}

Rows Every(std::size_t step, std::size_t rows, std::size_t first = 0) {
  Rows out;
  for (std::size_t i = first; i < rows; i += step) out.push_back(static_cast<std::uint32_t>(i));
  return out;
}

Rows Without(Rows const& all, Rows const& some) {
  Rows out;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(out));
  return out;
}

FixedSum BinAt(Histogram const& histogram, std::size_t output, std::size_t bin) {
  return histogram.Packed() ? Histogram::Unpack(histogram.PackedPlane(output)[bin]) : histogram.WidePlane(output)[bin];
}

// Row by row.
std::vector<FixedSum> Oracle(BinnedSample const& sample, PackedGradients const& gradients, Rows const& rows) {
  std::vector<FixedSum> sums(sample.matrix->HistogramBins());
  for (std::uint32_t const row : rows) {
    for (std::size_t f = 0; f < sample.bins.size(); ++f) {
      if (sample.Missing(row, f)) continue;
      sums[sample.matrix->Place(f).histogram + sample.bins[f][row]] += gradients.Row(row);
    }
  }
  return sums;
}

void ExpectSums(BinnedSample const& sample, std::vector<PackedGradients> const& gradients, Rows const& rows,
                Histogram const& histogram) {
  for (std::size_t k = 0; k < gradients.size(); ++k) {
    auto const expected = Oracle(sample, gradients[k], rows);
    for (std::size_t f = 0; f < sample.bins.size(); ++f) {
      BinPlace const& place = sample.matrix->Place(f);
      for (std::uint32_t bin = place.histogram; bin < place.histogram + place.bins; ++bin) {
        FixedSum const got = BinAt(histogram, k, bin);
        ASSERT_EQ(got.gradient, expected[bin].gradient) << "feature " << f << ", bin " << bin - place.histogram;
        ASSERT_EQ(got.hessian, expected[bin].hessian) << "feature " << f << ", bin " << bin - place.histogram;
      }
    }
  }
}

// Builds all rows, every third row and no row in one call, and compares.
void ExpectBuilds(BinnedSample const& sample, std::size_t outputs, GradientBits bits, int threads = 1) {
  std::size_t const rows = sample.matrix->Rows();
  auto const gradients = Pack(rows, outputs, bits);
  HistogramBuilder builder(*sample.matrix, gradients);
  Rows const all = Every(1, rows), third = Every(3, rows, 1), none;
  Histogram h_all, h_third, h_none;
  std::vector<HistogramBuilder::Job> const jobs{{{}, true, &h_all}, {third, false, &h_third}, {none, false, &h_none}};
  builder.Build(jobs, WithThreads(threads));
  EXPECT_EQ(h_all.Packed(), bits == GradientBits::kNarrow && rows <= kNarrowRows);
  ExpectSums(sample, gradients, all, h_all);
  ExpectSums(sample, gradients, third, h_third);
  ExpectSums(sample, gradients, none, h_none);
}

void ExpectBuildsInAllForms(BinnedSample const& sample) {
  for (auto const bits : {GradientBits::kNarrow, GradientBits::kWide}) {
    for (std::size_t const outputs : {std::size_t{1}, std::size_t{3}}) ExpectBuilds(sample, outputs, bits);
  }
}

// Of few rows each is added to all bins, of many the sums of codes are.
TEST(Histogram, TilesOfJointCodes) {
  for (std::size_t const rows : {1000U, 3000U, 40'000U}) {
    BinnedSample const sample = MakeJoined(rows);
    auto const& slots = sample.matrix->Layout().slots;
    ASSERT_TRUE(std::any_of(slots.begin(), slots.end(), [](BinSlot const& slot) { return slot.Joint(); }));
    ExpectBuildsInAllForms(sample);
    ExpectBuilds(sample, 1, GradientBits::kNarrow, 3);
  }
}

TEST(Histogram, OneByteTilesOfEveryWidth) {
  for (std::uint32_t const bins : {9U, 50U, 100U, 255U}) {
    for (std::size_t slots = 1; slots <= 33; ++slots) {
      BinnedSample const sample = MakeBinned(200, std::vector<FeatureRecipe>(slots, {bins, 0.1}));
      ASSERT_EQ(sample.matrix->Tiles()[0].bin_stride, bins < 16 ? 16U : bins < 64 ? 64U : bins < 128 ? 128U : 256U);
      ExpectBuildsInAllForms(sample);
    }
  }
}

// Of each bin the first half is of rows that do not have a negative gradient, the second one of those that have.
void ExpectSumsBySign(BinnedSample const& sample, GradientBits bits, int threads) {
  std::size_t const rows = sample.matrix->Rows();
  auto const gradients = Pack(rows, 1, bits);
  HistogramBuilder builder(*sample.matrix, gradients, true);
  Rows const some = Every(3, rows, 1);
  Histogram histogram, all;
  std::vector<HistogramBuilder::Job> const jobs{{some, false, &histogram}, {{}, true, &all}};
  builder.Build(jobs, WithThreads(threads));
  builder.Subtract(std::vector<HistogramBuilder::Difference>{{&all, &histogram, rows - some.size()}}, Context{});
  auto const expect = [&](Histogram const& got, Rows const& from) {
    for (int side = 0; side < 2; ++side) {
      Rows own;
      std::copy_if(from.begin(), from.end(), std::back_inserter(own),
                   [&](std::uint32_t row) { return (gradients[0].Row(row).gradient < 0) == (side == 1); });
      auto const expected = Oracle(sample, gradients[0], own);
      for (std::size_t f = 0; f < sample.bins.size(); ++f) {
        BinPlace const& place = sample.matrix->Place(f);
        for (std::uint32_t bin = place.histogram; bin < place.histogram + place.bins; ++bin) {
          ASSERT_EQ(BinAt(got, 0, 2 * bin + static_cast<std::uint32_t>(side)), expected[bin]) << f << ", " << bin;
        }
      }
    }
  };
  expect(histogram, some);
  expect(all, Without(Every(1, rows), some));
}

TEST(Histogram, RowsMayBeToldApartBySign) {
  std::vector<FeatureRecipe> const narrow{{9, 0.1}, {50, 0}, {200, 0.3}},
      mixed{{9, 0.1}, {300, 0.2}, {1000, 0}, {40, 0}}, wide{{450, 0.2}, {512, 0}}, widest{{900, 0.5}, {1024, 0.1}};
  for (auto const& features : {narrow, mixed, wide, widest}) {
    for (auto const bits : {GradientBits::kNarrow, GradientBits::kWide}) {
      ExpectSumsBySign(MakeBinned(700, features), bits, 1);
      ExpectSumsBySign(MakeBinned(150'000, features), bits, 3);
    }
  }
  for (auto const bits : {GradientBits::kNarrow, GradientBits::kWide}) ExpectSumsBySign(MakeJoined(20'000), bits, 2);
}

// Slots of like size are equally far apart, others are not.
TEST(Histogram, TwoByteTilesOfEveryWidth) {
  struct Case {
    std::uint32_t bins, last, stride;
  };
  for (auto const& [bins, last, stride] : {Case{300, 1000, 0}, Case{450, 519, 520}, Case{900, 520, 1032}}) {
    for (std::size_t slots = 1; slots <= 17; ++slots) {
      std::vector<FeatureRecipe> features(slots, {bins, 0.1});
      if (slots > 3) features.back().bins = last;
      BinnedSample const sample = MakeBinned(300, features);
      ASSERT_EQ(sample.matrix->Tiles()[0].cell_bytes, 2U);
      EXPECT_EQ(sample.matrix->Tiles()[0].bin_stride, stride);
      ExpectBuildsInAllForms(sample);
    }
  }
}

// Many rows have up to 32 slots in a tile.
TEST(Histogram, TwoByteTilesOfManyRows) {
  for (std::uint32_t const bins : {400U, 900U}) {
    BinnedSample const sample = MakeBinned(250'000, std::vector<FeatureRecipe>(49, {bins, 0.1}));
    ASSERT_EQ(sample.matrix->Tiles().size(), 2U);
    EXPECT_EQ(sample.matrix->Tiles()[0].row_bytes, 64U);
    EXPECT_EQ(sample.matrix->Tiles()[0].bin_stride, bins == 400 ? 520U : 1032U);
    EXPECT_EQ(sample.matrix->Tiles()[1].slots, 17U);
    ExpectBuilds(sample, 1, GradientBits::kNarrow, 2);
    ExpectSumsBySign(sample, GradientBits::kNarrow, 2);
  }
}

TEST(Histogram, BundlesAndTilesOfBothKinds) {
  BinnedSample const sample = MakeBinned(
      1000, {{20, 0.2}, {30, 0}, {40, 0.5}, {7, 0}, {500, 0.3}, {256, 0}, {1, 0}, {3, 1}}, {{0, 1, 2}, {3, 7}});
  ASSERT_GT(sample.matrix->Place(2).offset, 20U);
  ExpectBuildsInAllForms(sample);
}

std::vector<FeatureRecipe> SparseFeatures() {
  std::vector<FeatureRecipe> features(90, {5, 0.97});
  features[3] = {200, 0.1};
  features[50] = {600, 0.1};
  return features;
}

TEST(Histogram, SparseRowsBesideTiles) {
  BinnedSample const sample = MakeBinned(2000, SparseFeatures());
  ASSERT_FALSE(sample.matrix->Sparse().empty());
  ASSERT_EQ(sample.matrix->Tiles().size(), 2U);
  ExpectBuildsInAllForms(sample);
}

TEST(Histogram, OneRowAndNoFeature) {
  ExpectBuildsInAllForms(MakeBinned(1, {{4, 0}, {300, 0}, {2, 1}}));
  ExpectBuildsInAllForms(MakeBinned(70000, {{4, 0}, {2, 1}}));
  ExpectBuildsInAllForms(MakeBinned(10, {}));
}

class LargeHistogram : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, LargeHistogram, testing::Values(1, 2, 3, 7));

TEST_P(LargeHistogram, IsExactBeyondThePackedRows) {
  BinnedSample const sample = MakeBinned(200001, {{256, 0}, {2, 0.1}, {300, 0.1}});
  ExpectBuilds(sample, 1, GradientBits::kNarrow, GetParam());
  ExpectBuilds(sample, 1, GradientBits::kWide, GetParam());
}

TEST_P(LargeHistogram, OfSparseRowsAndOfMoreBinsThanRows) {
  BinnedSample const sparse = MakeBinned(70001, std::vector<FeatureRecipe>(70, {3, 0.99}));
  ASSERT_FALSE(sparse.matrix->Sparse().empty());
  ExpectBuilds(sparse, 1, GradientBits::kNarrow, GetParam());
  BinnedSample const fine = MakeBinned(70001, {{60000, 0.1}, {50000, 0}});
  ExpectBuilds(fine, 1, GradientBits::kNarrow, GetParam());
  ExpectBuilds(fine, 1, GradientBits::kWide, GetParam());
}

TEST(Histogram, TheLargestSumsFitPackedBins) {
  for (float const sign : {-1.0F, 1.0F}) {
    BinnedSample const sample = MakeBinned(kNarrowRows, {{1, 0}, {2, 0}});
    std::vector<float> g(kNarrowRows, sign), h(kNarrowRows, 1);
    h[0] = 0.5F;
    std::vector<PackedGradients> gradients;
    gradients.push_back(PackGradients({g.data(), h.data(), g.size(), 1}, GradientBits::kNarrow, nullptr, Context{}));
    HistogramBuilder builder(*sample.matrix, gradients);
    Histogram histogram;
    builder.Build(std::vector<HistogramBuilder::Job>{{{}, true, &histogram}}, Context{});
    ASSERT_TRUE(histogram.Packed());
    ExpectSums(sample, gradients, Every(1, kNarrowRows), histogram);
  }
}

// Parent and one child are built, the other child follows by subtraction.
void ExpectDifference(BinnedSample const& sample, GradientBits bits, Rows const& parent, Rows const& child,
                      bool packed_result, int threads) {
  auto const gradients = Pack(sample.matrix->Rows(), 2, bits);
  HistogramBuilder builder(*sample.matrix, gradients);
  Histogram h_parent, h_child;
  Context const ctx = WithThreads(threads);
  builder.Build(std::vector<HistogramBuilder::Job>{{parent, false, &h_parent}, {child, false, &h_child}}, ctx);
  Rows const other = Without(parent, child);
  builder.Subtract(std::vector<HistogramBuilder::Difference>{{&h_parent, &h_child, other.size()}}, ctx);
  EXPECT_EQ(h_parent.Packed(), packed_result);
  ExpectSums(sample, gradients, other, h_parent);
  ExpectSums(sample, gradients, child, h_child);
}

TEST(Histogram, SubtractionInEveryForm) {
  BinnedSample const sample = MakeBinned(200000, {{100, 0.1}, {300, 0.1}});
  Rows const all = Every(1, 200000), half = Every(2, 200000), few = Every(40, 200000);
  for (int const threads : {1, 3}) {
    ExpectDifference(sample, GradientBits::kNarrow, all, half, false, threads);
    ExpectDifference(sample, GradientBits::kNarrow, half, few, false, threads);
    ExpectDifference(sample, GradientBits::kNarrow, half, Every(4, 200000), true, threads);
    ExpectDifference(sample, GradientBits::kNarrow, few, Every(80, 200000), true, threads);
    ExpectDifference(sample, GradientBits::kNarrow, few, {}, true, threads);
    ExpectDifference(sample, GradientBits::kNarrow, few, few, true, threads);
    ExpectDifference(sample, GradientBits::kWide, half, few, false, threads);
  }
}

TEST(Histogram, TheSmallerChildMustBeTheOneThatIsBuilt) {
  BinnedSample const sample = MakeBinned(200000, {{10, 0}});
  Rows const all = Every(1, 200000), few = Every(40, 200000);
  EXPECT_THROW(ExpectDifference(sample, GradientBits::kNarrow, all, Without(all, few), true, 1), InternalError);
}

TEST(Histogram, ManyNodesInOneCallAreAsOneByOne) {
  BinnedSample const sample = MakeBinned(30000, SparseFeatures());
  auto const gradients = Pack(30000, 1, GradientBits::kNarrow);
  for (int const threads : {1, 2, 3, 7}) {
    HistogramBuilder builder(*sample.matrix, gradients);
    std::vector<Histogram> histograms(20);
    std::vector<Rows> rows;
    std::vector<HistogramBuilder::Job> jobs;
    for (std::size_t i = 0; i < histograms.size(); ++i) rows.push_back(Every(i + 1, 30000, i));
    for (std::size_t i = 0; i < histograms.size(); ++i) jobs.push_back({rows[i], false, &histograms[i]});
    builder.Build(jobs, WithThreads(threads));
    for (std::size_t i = 0; i < histograms.size(); ++i) ExpectSums(sample, gradients, rows[i], histograms[i]);
  }
}

TEST(Histogram, ReleasedMemoryIsUsedAgainAndSetAnew) {
  BinnedSample const sample = MakeBinned(500, {{20, 0}, {300, 0}});
  auto const gradients = Pack(500, 1, GradientBits::kNarrow);
  HistogramBuilder builder(*sample.matrix, gradients);
  Histogram histogram;
  std::vector<HistogramBuilder::Job> const jobs{{{}, true, &histogram}};
  builder.Build(jobs, Context{});
  auto const* const memory = histogram.PackedPlane(0);
  builder.Release(&histogram);
  EXPECT_TRUE(histogram.Empty());
  builder.Release(&histogram);
  builder.Build(jobs, Context{});
  EXPECT_EQ(histogram.PackedPlane(0), memory);
  ExpectSums(sample, gradients, Every(1, 500), histogram);
  builder.Build(jobs, Context{});  // into one that is there
  ExpectSums(sample, gradients, Every(1, 500), histogram);
}

TEST(Histogram, BytesAreThoseOfTheForm) {
  BinnedSample const sample = MakeBinned(10, {{256, 0}, {256, 0}});
  auto const narrow = Pack(10, 3, GradientBits::kNarrow), wide = Pack(10, 3, GradientBits::kWide);
  EXPECT_EQ(HistogramBuilder(*sample.matrix, narrow).Bytes(10), 512U * 3 * 8);
  EXPECT_EQ(HistogramBuilder(*sample.matrix, narrow).Bytes(kNarrowRows + 1), 512U * 3 * 16);
  EXPECT_EQ(HistogramBuilder(*sample.matrix, wide).Bytes(10), 512U * 3 * 16);
}

TEST(Histogram, RefusesGradientsThatDoNotBelong) {
  BinnedSample const sample = MakeBinned(10, {{2, 0}});
  auto const too_few = Pack(9, 1, GradientBits::kNarrow);
  EXPECT_THROW(HistogramBuilder(*sample.matrix, too_few), InternalError);
  EXPECT_THROW(HistogramBuilder(*sample.matrix, {}), InternalError);
  auto mixed = Pack(10, 2, GradientBits::kNarrow);
  mixed[1] = std::move(Pack(10, 1, GradientBits::kWide)[0]);
  EXPECT_THROW(HistogramBuilder(*sample.matrix, mixed), InternalError);
}

TEST(Histogram, UnpackingTellsTheHalvesApart) {
  for (std::int64_t const g : {-2147418112, -1, 0, 1, 2147418112}) {
    for (std::int64_t const h : {std::int64_t{0}, std::int64_t{1}, std::int64_t{4294901760}}) {
      EXPECT_EQ(Histogram::Unpack(g * (std::int64_t{1} << 32) + h), (FixedSum{g, h}));
    }
  }
}

}  // namespace
}  // namespace xgbl
