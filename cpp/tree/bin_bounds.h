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
class BinBounds {
 public:
  BinBounds(BinOrder const& order, CoarseGradients const& coarse, Kernels const& kernels)
      : order_(order), coarse_(coarse), kernels_(kernels) {}

  /// Looks at a node with so many rows. The histogram is by sign.
  void Load(ScanBatch const& batch, FixedSum total, std::size_t rows, Span<std::uint32_t const> features,
            Histogram const& histogram);

  /// By place among the features that were loaded.
  Span<double const> Bounds(std::size_t i) const { return {bound_.data() + begin_[i], Bins(i)}; }
  /// Ways to send what is missing.
  int Sides(std::size_t i) const { return order_.HasMissing(features_[i]) ? 2 : 1; }
  /// The left sums of a split at the lower border of a bin; one bin more than there are.
  NearSum At(std::size_t i, int side, std::uint32_t bin) const;
  /// The feature with the best border; none: the number of features.
  std::size_t Lead() const { return lead_; }

 private:
  // Left sums at all borders of a feature, and by how many rows' errors they are off.
  struct Line {
    std::vector<double> gradient, hessian, rows;
    void Resize(std::size_t size);
  };

  std::size_t Bins(std::size_t i) const { return begin_[i + 1] - begin_[i] - 1; }  // one place more for borders
  void LoadFeature(std::size_t i, Histogram const& histogram);
  void FillLine(std::size_t i, int side);
  void Bound(std::size_t i, int side);
  void FindBorder(std::size_t i, int side);

  BinOrder const& order_;
  CoarseGradients const& coarse_;
  Kernels const& kernels_;
  Span<std::uint32_t const> features_;
  std::vector<std::size_t> begin_;
  std::array<Line, 2> lines_;  // by side; all features
  std::vector<double> bound_;
  std::vector<double> prefix_gradient_, prefix_hessian_, rise_, error_rows_, gain_;  // of one feature
  BoundTask task_;
  double rows_ = 0;
  std::size_t lead_ = 0;
  double lead_score_ = 0;
};

}  // namespace xgbl
