// SPDX-License-Identifier: Apache-2.0
#include "hist/histogram_loops.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hist/binned.h"
#include "hist/packed_gradients.h"

namespace xgbl {
namespace {

struct Plan {
  HistogramPiece piece;
  PackedGradients gradients;
  std::vector<HistogramTarget> targets;

  // A target for each count of rows.
  Plan(std::vector<std::size_t> const& rows, std::uint32_t bins, double cells_per_row, bool wide) {
    piece.bins = piece.codes = bins;
    piece.cells_per_row = cells_per_row;
    gradients.wide = wide;
    for (std::size_t const count : rows) {
      HistogramTarget target;
      target.piece = &piece;
      target.gradients = &gradients;
      target.rows = {nullptr, 0, count};
      targets.push_back(target);
    }
  }
};

// Chunks of each target, side by side, are its rows.
void ExpectCover(Plan const& plan, std::vector<HistogramChunk> const& chunks) {
  for (std::size_t t = 0; t < plan.targets.size(); ++t) {
    std::vector<std::pair<std::size_t, std::size_t>> runs;
    for (auto const& chunk : chunks) {
      if (chunk.target == t) runs.emplace_back(chunk.rows.begin, chunk.rows.end);
    }
    std::sort(runs.begin(), runs.end());
    std::size_t end = 0;
    for (auto const& run : runs) {
      EXPECT_EQ(run.first, end);
      end = run.second;
    }
    EXPECT_EQ(end, plan.targets[t].Rows());
    EXPECT_EQ(plan.targets[t].whole, runs.size() == 1);
  }
}

TEST(HistogramPlan, ChunksCoverTheRowsOfTheirTarget) {
  for (int const threads : {1, 2, 7}) {
    for (bool const wide : {false, true}) {
      Plan plan({0, 1, 1000, 2 * kNarrowRows + 1, 5 * kNarrowRows}, 256, 28, wide);
      ExpectCover(plan, PlanChunks(&plan.targets, threads));
    }
  }
}

TEST(HistogramPlan, OneThreadCutsOnlyWhatWouldOverflow) {
  Plan plan({kNarrowRows, kNarrowRows + 1}, 256, 28, false);
  EXPECT_EQ(PlanChunks(&plan.targets, 1).size(), 3U);
  Plan wide({kNarrowRows, kNarrowRows + 1}, 256, 28, true);
  EXPECT_EQ(PlanChunks(&wide.targets, 1).size(), 2U);
  EXPECT_EQ(wide.targets[0].form, BinForm::kWideToWide);
}

TEST(HistogramPlan, ManyBinsForFewCellsAreSummedUpWide) {
  Plan plan({3 * kNarrowRows}, 1'000'000, 1, false);
  EXPECT_EQ(PlanChunks(&plan.targets, 1).size(), 1U);
  EXPECT_EQ(plan.targets[0].form, BinForm::kNarrowToWide);
}

TEST(HistogramPlan, ThreadsGetTheLongestFirst) {
  Plan plan({10, 3 * kNarrowRows, 500}, 256, 28, false);
  auto const chunks = PlanChunks(&plan.targets, 4);
  EXPECT_TRUE(
      std::is_sorted(chunks.begin(), chunks.end(), [](auto const& a, auto const& b) { return a.work > b.work; }));
  EXPECT_EQ(chunks[0].target, 1U);
}

}  // namespace
}  // namespace xgbl
