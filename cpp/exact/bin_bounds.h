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
#include "exact/fine_gradients.h"
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

/// A closer look at bins that their bounds did not rule out. The rows of a bin are walked in the order of their values,
/// to see whether a split anywhere among them can score above a bar. Sums of a few rows each may show that none can;
/// only otherwise is every place examined. Gradients are those of the histograms, which take less memory than the fine
/// ones and are off by their rounding. Of one thread; a node is loaded before it is asked about.
class BinWalk {
 public:
  BinWalk(CoarseGradients const& coarse, SimdLevel simd) : coarse_(coarse), kernels_(ExactKernels::Of(simd)) {}

  /// Looks at a node from now on.
  void Load(ScanBatch const& batch, FixedSum total);

  /// Whether a split that sends `left` to the left may score above the bar.
  bool MayBeat(NearSum const& left, double bar);
  /// The same of several, whose left sums are those of arrays and what is added to all of them.
  bool AnyBeats(NearSum const& added, Span<double const> gradient, Span<double const> hessian, double bar);
  /// The same of a split before, between or after these rows of the node; `left` is what lies to the left of all of
  /// them, for each side that missing values may go to. Equal values are not told apart: that some places are no
  /// candidates matters little.
  bool MayBeatAmong(Span<std::uint32_t const> rows, Span<NearSum const> left, double bar);

 private:
  // Neighbouring rows each: how many pieces, and the largest sums of magnitudes of one of them.
  struct Pieces {
    std::size_t count = 0;
    double gradient = 0, hessian = 0;
  };

  Pieces SumPieces(Span<std::uint32_t const> rows, FixedSum* below);
  template <class Integer, class Pair, class Unpack>
  Pieces SumPiecesOf(Pair const* pairs, std::size_t count, FixedSum* below, Unpack&& unpack);
  void SumRows(Span<std::uint32_t const> rows, FixedSum below);

  CoarseGradients const& coarse_;
  ExactKernels const& kernels_;
  BeatTask task_;                           // with the node's sums
  std::vector<double> gradient_, hessian_;  // sums below some places
};

}  // namespace xgbl
