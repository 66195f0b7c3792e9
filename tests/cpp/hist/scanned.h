// SPDX-License-Identifier: Apache-2.0
// The best splits of nodes of any rows, for the tests of the scan.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hist/binned.h"
#include "hist/histogram.h"
#include "hist/histogram_scan.h"

namespace xgbl {

struct ScanOf {
  std::vector<PackedGradients> const& gradients;
  BinnedMatrix const& matrix;
  ScanTask task;
  std::vector<std::uint32_t> features;

  ScanOf(TreeParam const& param, BinnedMatrix const& bins, MonotoneConstraints const& monotone,
         std::vector<PackedGradients> const& packed, SimdLevel simd = DefaultSimd())
      : gradients(packed), matrix(bins), task{param, bins, packed, monotone, {}, simd, false} {
    for (auto const& output : packed) task.scales.push_back(output.scale);
    for (std::uint32_t f = 0; f < bins.Columns(); ++f) features.push_back(f);
  }

  GrowingNode Node(std::vector<std::uint32_t> const& rows) const {
    GrowingNode node;
    node.sums = FixedSums(gradients.size());
    for (std::size_t k = 0; k < gradients.size(); ++k) {
      for (std::uint32_t const row : rows) node.sums[k] += gradients[k].Row(row);
    }
    return node;
  }

  Split ByHistogram(std::vector<std::uint32_t> const& rows) const {
    HistogramBuilder builder(matrix, gradients);
    Histogram histogram;
    HistogramBuilder::Job const job{rows, false, &histogram};
    builder.Build({&job, 1}, WithThreads(1));
    return HistogramScan(task).Best(Node(rows), histogram, rows, features);
  }

  Split ByRows(std::vector<std::uint32_t> const& rows) const {
    return HistogramScan(task).Best(Node(rows), {}, rows, features);
  }
};

inline void ExpectEqual(Split const& a, Split const& b) {
  EXPECT_EQ(a.gain, b.gain);
  EXPECT_EQ(a.feature, b.feature);
  EXPECT_EQ(a.missing_left, b.missing_left);
  EXPECT_EQ(a.threshold, b.threshold);
  EXPECT_EQ(a.last_left_bin, b.last_left_bin);
  EXPECT_EQ(a.right_categories, b.right_categories);
  EXPECT_EQ(a.left, b.left);
  EXPECT_EQ(a.right, b.right);
}

}  // namespace xgbl
