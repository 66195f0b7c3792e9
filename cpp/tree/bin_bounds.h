// SPDX-License-Identifier: Apache-2.0
// What a node's histogram tells about exact splits: for each bin of each feature a bound on the score of any split
// within it. The histogram's gradients may be rounded to 16 bits, which makes it as cheap as one of histogram training:
// what rounding can do to a sum of so many rows is added to the bound. Everything is in units of the exact integers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "data/bin_order.h"
#include "simd/kernels.h"
#include "tree/column_scan.h"
#include "tree/histogram.h"
#include "tree/packed_gradients.h"

namespace xgbl {

/// How the gradients of histograms relate to the exact ones.
struct CoarseGradients {
  PackedGradients packed;
  double gradient_unit = 1;  // exact units
  double hessian_unit = 1;
  double gradient_error = 0;  // of a row at most, in exact units
  double hessian_error = 0;
  double most_ratio = 1;  // of a row's exact gradient to its hessian, without its sign
};
CoarseGradients CoarseOf(PackedGradients packed, FixedScale const& exact, Span<ScanRow const> rows, Context const& ctx);

/// Sums of a left child that are off by up to the errors.
struct NearSum {
  double gradient = 0;
  double hessian = 0;
  double gradient_error = 0;
  double hessian_error = 0;
};

/// Of one thread. A split's left sums follow from the rows below it, or from those above it, what is missing being on
/// the other side. The fewer these are, the smaller is the error, so where nothing is missing the nearer end is taken;
/// where something is, the one or the other according to the side that it goes to.
/// Features of many bins are bounded in two steps: first groups of neighbouring bins, then, where the bound of a group
/// is not low enough, each of its bins.
class BinBounds {
 public:
  BinBounds(BinOrder const& order, CoarseGradients const& coarse, Kernels const& kernels)
      : order_(order), coarse_(coarse), kernels_(kernels) {}

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
  int Sides(std::size_t i) const { return order_.HasMissing(features_[i]) ? 2 : 1; }
  /// The left sums of a split at the lower border of a bin; one bin more than there are.
  NearSum At(std::size_t i, int side, std::uint32_t bin) const;
  /// The feature with the best border between groups; none: the number of features.
  std::size_t Lead() const { return lead_; }

 private:
  static constexpr std::uint32_t kGroupBins = 8, kManyBins = 128, kGroupsAtOnce = 8;

  struct Feature {
    std::uint32_t bins = 0, group_bins = 1, groups = 0;
    std::size_t begin = 0;                       // of its groups; one place more for borders
    std::size_t plane = 0;                       // of its bins in the histogram
    double rest_gradient = 0, rest_hessian = 0;  // of the node, but in no bin
    std::array<std::uint32_t, 2> from_below{};   // by side: the sums of borders before this bin are of what is below
  };
  // The coarse sums of neighbouring bins, of rows with rising and with falling gradients; as words of the histogram.
  template <class Word>
  struct Sums {
    Word rising{}, falling{};
  };
  // Neighbouring bins of a feature, or groups of so many bins, and their sums.
  struct Run {
    std::size_t i = 0;  // the feature
    std::uint32_t first = 0, step = 1;
    std::size_t count = 0;
    double const* below_gradient = nullptr;  // by border: one more
    double const* below_hessian = nullptr;
    double const* rise = nullptr;
    double* bound = nullptr;
  };

  void LoadFeature(std::size_t i);
  template <class Word>
  static Sums<Word> SumOf(Word const* words, std::size_t bins);
  template <class Word>
  void SumGroups(Feature const& feature, Word const* words, std::vector<Word>* sums);
  FixedSum SumBorders(Feature const& feature);
  FixedSum SumOf(Feature const& feature, std::uint32_t first, std::uint32_t count, std::int64_t* rise) const;
  double RowsOff(std::size_t i, int side, std::uint32_t bin) const;
  void FillBorders(Run const& run, int side);
  void Bound(Run const& run);
  void FindBorder(std::size_t i, std::size_t count);
  void AddOpenOf(std::size_t i, std::uint32_t group, std::uint32_t groups, double bar, std::vector<Open>* open);

  BinOrder const& order_;
  CoarseGradients const& coarse_;
  Kernels const& kernels_;
  Histogram const* histogram_ = nullptr;
  Span<std::uint32_t const> features_;
  std::vector<Feature> of_;
  std::vector<double> below_gradient_, below_hessian_;  // by border of groups, of all features
  std::vector<double> rise_, bound_;                    // by group
  std::vector<std::int64_t> packed_sums_;               // of the groups of a feature
  std::vector<FixedSum> wide_sums_;
  std::vector<double> left_gradient_, left_hessian_, error_rows_, gain_;  // of a run
  BoundTask task_;
  double rows_ = 0;
  std::size_t lead_ = 0;
  double lead_score_ = 0;
};

}  // namespace xgbl
