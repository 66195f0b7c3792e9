// SPDX-License-Identifier: Apache-2.0
// A closer look at bins that their bounds did not rule out. The rows of a bin are walked in the order of their values,
// to see whether a split anywhere among them can score above a bar. Sums of a few rows each may show that none can;
// only otherwise is every place examined. Gradients are those of the histograms, which take less memory than the exact
// ones and are off by their rounding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "exact/bin_bounds.h"
#include "exact/column_scan.h"
#include "simd/exact_kernels.h"

namespace xgbl {

/// Of one thread. The gradients must outlive it; a node is loaded before it is asked about.
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
