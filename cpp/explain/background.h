// SPDX-License-Identifier: Apache-2.0
// Shapley values of one leaf against a background. A row satisfies some of the features on the leaf's path; so does
// each background row. Each set of features is a pattern of bits. If the two together satisfy all features, the leaf's
// value is shared: each of the A features that only the row satisfies gets (A - 1)! B! / (A + B)! of it, at the expense
// of the B features that only the background row satisfies. Summed over the background this is a function of the row's
// pattern. For few features it comes from a table of all patterns: a product of 2 x 2 matrices per point of quadrature,
// O(m^2 2^m) for m features. Otherwise all pairs are visited.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/span.h"

namespace xgbl {

/// Patterns of many rows: word w of row i is bits[w * rows + i].
struct PatternView {
  std::uint64_t const* bits = nullptr;
  std::size_t rows = 0;
  std::size_t words = 1;
};

class LeafShares {
 public:
  /// For a leaf of value 1 whose path has `features` features. `rows` is about how many rows will be asked for.
  /// `weights` are those of the background's rows, as WholeWeights() has them.
  LeafShares(PatternView background, std::size_t features, std::size_t rows, Span<double const> weights);

  /// The value of each feature for row `row` of `patterns`, valid until the next call.
  Span<double const> Of(PatternView patterns, std::size_t row);

 private:
  void MakeTable(PatternView background, Span<double const> weights);
  void FindDifferent(PatternView background, Span<double const> weights);
  void AddPoint(std::vector<double> counts, double at, double rest, double weight);
  void Direct(PatternView patterns, std::size_t row);

  std::size_t features_;
  std::vector<double> table_;  // patterns x features
  // Without a table: the different patterns of the background and how large a part of it has them.
  PatternView background_;
  std::vector<double> part_;
  std::vector<std::size_t> first_;
  std::vector<double> shares_;  // the answer
};

/// What each of so many rows counts for, without weights the same. Whole numbers whose sums are exact, so that neither
/// the order of the rows nor who adds them up matters.
std::vector<double> WholeWeights(Span<float const> weights, std::size_t rows);

/// (a - 1)! b! / (a + b)!, a > 0.
double PairShare(std::size_t a, std::size_t b);

}  // namespace xgbl
