// SPDX-License-Identifier: Apache-2.0
// What a node's histogram says about exact splits: for each bin of each feature, a bound on the score of any split
// within it. The histogram's gradients may be rounded to 16 bits, which makes it as cheap as in histogram training. The
// bound includes what rounding can do to a sum of so many rows. All units are those of the exact integers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "bins/bin_order.h"
#include "exact/column_scan.h"
#include "exact/exact_rows.h"
#include "hist/histogram.h"
#include "simd/exact_kernels.h"

namespace xgbl {

/// Sums of a left child that are off by up to the errors.
struct NearSum {
  double gradient = 0;
  double hessian = 0;
  double gradient_error = 0;
  double hessian_error = 0;
};

/// Of one thread. Features of many bins are bounded in two steps: first groups of neighbouring bins, then, where the
/// bound of a group is not low enough, each of its bins. Sums are of the end of the feature that ErrorRows says.
class BinBounds {
 public:
  BinBounds(BinOrder const& order, CoarseGradients const& coarse, SimdLevel simd)
      : order_(order), coarse_(coarse), kernels_(ExactKernels::Of(simd)), scan_(HistogramKernels::Of(simd)) {}

  /// Looks at a node with so many rows. The histogram is by sign, and is looked at again later.
  void Load(ScanBatch const& batch, FixedSum total, std::size_t rows, Span<std::uint32_t const> features,
            Histogram const& histogram);

  /// A bin that may hold a split of a higher score than some bar.
  struct Open {
    std::uint32_t bin = 0;
    double bound = 0;
  };
  /// Features go by their place among those that were loaded. Adds the bins with a bound above the bar, rising.
  void AddOpen(std::size_t i, double bar, std::vector<Open>* open);
  /// Ways to send what is missing.
  std::size_t Sides(std::size_t i) const { return order_.HasMissing(features_[i]) ? 2 : 1; }
  /// The left sums of a split at the lower border of a bin; one bin more than there are.
  NearSum At(std::size_t i, std::size_t side, std::uint32_t bin) const;
  /// The feature with the best border between groups; none: the number of features.
  std::size_t Lead() const { return lead_; }

 private:
  static constexpr std::uint32_t kGroupsAtOnce = 8;

  // The coarse sums of neighbouring bins, of rows with rising and with falling gradients; as words of the histogram.
  template <class Word>
  struct Sums {
    Word rising{}, falling{};
  };
  // Left sums of a side, by border.
  struct Borders {
    std::vector<double> gradient, hessian;
  };

  // So many bins, one by one or by groups: what rises in each of these, and the sums below their borders, from the
  // first on.
  struct Runs {
    std::uint32_t bins;
    bool groups;
    double* rise;
    double* gradient;
    double* hessian;
  };

  std::size_t Plane(std::uint32_t feature) const { return 2 * std::size_t{order_.Bins().Place(feature).histogram}; }
  void LoadFeature(std::size_t i);
  template <class Word>
  static Sums<Word> SumOf(Word const* words, std::size_t bins);
  void SumRuns(Runs const& runs, std::int64_t const* words);
  void SumRuns(Runs const& runs, FixedSum const* words);
  FixedSum Prefix(std::size_t begin, Runs const& runs);
  FixedSum SumBetween(std::size_t begin, std::size_t bins) const;
  void FindBorder(std::size_t i, std::size_t side);
  void AddOpenOf(std::size_t i, std::uint32_t group, std::uint32_t groups, std::vector<Open>* open);

  BinOrder const& order_;
  CoarseGradients const& coarse_;
  ExactKernels const& kernels_;
  HistogramKernels const& scan_;
  Histogram const* histogram_ = nullptr;
  Span<std::uint32_t const> features_;
  std::vector<std::size_t> begin_;         // of each feature among the groups of all, each with one more for borders
  std::array<Borders, 2> left_;            // by side: at the groups of all features
  std::vector<double> rise_;               // by group
  std::vector<std::int64_t> packed_sums_;  // of runs
  std::vector<FixedSum> wide_sums_;
  std::vector<double> gain_, bound_;  // of a feature
  BoundTask task_;
  std::size_t lead_ = 0;
  double lead_score_ = 0;
};

}  // namespace xgbl
