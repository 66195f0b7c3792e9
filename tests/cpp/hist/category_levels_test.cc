// SPDX-License-Identifier: Apache-2.0
#include "hist/category_levels.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "hist/binned.h"

namespace xgbl {
namespace {

struct Level {
  std::uint32_t code;
  FixedSums sums;
  bool operator==(Level const& other) const { return code == other.code && sums == other.sums; }
};

std::vector<Level> LevelsOf(CategoryLevels const& levels) {
  std::vector<Level> out;
  for (std::size_t i = 0; i < levels.size(); ++i) out.push_back({levels.Code(i), levels.SumsOf(i)});
  return out;
}

class CategoryLevelsTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kFeature = 1, kLevels = 900;

  // By every second row out of some.
  void Make(std::size_t outputs, GradientBits bits) {
    RandomGradients const gradients(kRows, outputs);
    for (std::size_t k = 0; k < outputs; ++k) {
      packed_.push_back(PackGradients(gradients.Of(k), bits, nullptr, Context{}));
    }
    for (std::uint32_t row = 100; row < 500; row += 2) rows_.push_back(row);
    total_ = FixedSums(outputs);
    std::vector<FixedSums> sums(kLevels + 1, total_);
    for (std::uint32_t const row : rows_) {
      for (std::size_t k = 0; k < outputs; ++k) sums[sample_.bins[kFeature][row]][k] += packed_[k].Row(row);
    }
    for (std::uint32_t code = 0; code < kLevels; ++code) {
      if (!(sums[code] == FixedSums(outputs))) expected_.push_back({code, sums[code]});
      total_ = Plus(std::move(total_), sums[code]);
    }
    ASSERT_GT(expected_.size(), 100U);
  }

  Histogram BuiltHistogram() const {
    Histogram histogram;
    HistogramBuilder::Job const job{rows_, false, &histogram};
    HistogramBuilder(*sample_.matrix, packed_).Build({&job, 1}, WithThreads(1));
    return histogram;
  }

  void ExpectFromHistograms() const {
    for (SimdLevel const level : AvailableSimd()) {
      CategoryLevels levels(packed_.size());
      BinPlace const& place = sample_.matrix->Place(kFeature);
      levels.Read(BuiltHistogram(), place.histogram, place.bins, HistogramKernels::Of(level));
      EXPECT_EQ(LevelsOf(levels), expected_);
      EXPECT_EQ(levels.Total(), total_);
    }
  }

  void ExpectFromRows() const {
    OccupiedBins occupied(*sample_.matrix, packed_);
    occupied.SetRows(rows_);
    occupied.Count(kFeature);
    CategoryLevels levels(packed_.size());
    levels.Read(occupied);
    EXPECT_EQ(LevelsOf(levels), expected_);
    EXPECT_EQ(levels.Total(), total_);
  }

  static constexpr std::size_t kRows = 600;
  BinnedSample sample_ = MakeBinned(kRows, {{20, 0}, {kLevels, 0.2, true}});
  std::vector<PackedGradients> packed_;
  std::vector<std::uint32_t> rows_;
  std::vector<Level> expected_;
  FixedSums total_;
};

TEST_F(CategoryLevelsTest, OfNarrowGradients) {
  Make(1, GradientBits::kNarrow);
  ExpectFromHistograms();
  ExpectFromRows();
}

TEST_F(CategoryLevelsTest, OfWideGradients) {
  Make(1, GradientBits::kWide);
  ExpectFromHistograms();
  ExpectFromRows();
}

TEST_F(CategoryLevelsTest, OfSeveralOutputs) {
  Make(3, GradientBits::kNarrow);
  ExpectFromHistograms();
  ExpectFromRows();
}

TEST_F(CategoryLevelsTest, AbsentOnesFollow) {
  Make(1, GradientBits::kNarrow);
  BinPlace const& place = sample_.matrix->Place(kFeature);
  CategoryLevels levels(1);
  levels.Read(BuiltHistogram(), place.histogram, place.bins, HistogramKernels::Of(DefaultSimd()));
  std::size_t const occurring = levels.size();
  levels.AddAbsent(place.bins);
  ASSERT_EQ(levels.size(), place.bins);
  std::vector<std::uint8_t> seen(place.bins);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    ++seen[levels.Code(i)];
  }
  for (std::size_t i = occurring; i < levels.size(); ++i) {
    EXPECT_EQ(levels.Sum(0, i), FixedSum{});
    EXPECT_TRUE(i == occurring || levels.Code(i - 1) < levels.Code(i));
  }
  EXPECT_EQ(seen, std::vector<std::uint8_t>(place.bins, 1));
}

}  // namespace
}  // namespace xgbl
