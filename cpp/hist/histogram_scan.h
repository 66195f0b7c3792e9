// SPDX-License-Identifier: Apache-2.0
// Finds the best split of a node in its histogram. For each feature it computes the running sums of its bins, the gains
// of all candidates at once, and the largest of them. Missing values are tried on both sides. Several outputs add up
// their gains; a single one uses the same code. Candidates are picked by scores in double; the sums and gain of the
// picked one are recomputed from the integers. A node of few rows needs no histogram (OccupiedBins).
// Categorical features (category_scan.cc): if there are few categories, one against the rest. Otherwise the categories
// are sorted by weight and cut in two (Fisher 1958), one part with fewer than max_cat_threshold of them. With several
// outputs, a category's weight is the part of its vector along the axis on which they differ most. Categories that do
// not occur in the node have weight 0, and so go with those of similar weight.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "bins/binned_matrix.h"
#include "hist/histogram.h"
#include "hist/packed_gradients.h"
#include "parallel/radix_sort.h"
#include "simd/histogram_kernels.h"
#include "tree/gain.h"
#include "tree/growing_tree.h"
#include "tree/tree_param.h"

namespace xgbl {

/// Replaces the histogram of a node with so few rows that most of its bins would be empty. Of each feature it has only
/// the bins that have rows, summed from the rows on demand. Between them no candidate differs from the one before, so a
/// scan over these alone finds the same split. One thread's; the matrix and the gradients must outlive it.
class OccupiedBins {
 public:
  /// With more rows a histogram costs less.
  static constexpr std::size_t kMostRows = 96;
  /// Whether all features are numeric, and a byte per row tells each one's bin.
  static bool CanTell(BinnedMatrix const& bins);

  OccupiedBins(BinnedMatrix const& bins, Span<PackedGradients const> outputs);

  /// The node whose features are looked at next; no more than kMostRows rows.
  void SetRows(Span<std::uint32_t const> rows);
  /// Sums up one feature.
  void Count(std::uint32_t feature);

  /// The feature's bins that have rows, rising; and always its first, below which only what is missing can be.
  Span<std::uint32_t const> Numbers() const { return {numbers_.data(), count_}; }
  /// Their sums, in that order.
  FixedSum const* Sums(std::size_t output) const { return sums_.data() + output * (kMostRows + 1); }

 private:
  static constexpr std::size_t kWords = kMostByteCodes / 64;
  using Marks = std::array<std::uint64_t, kWords>;

  Marks AddRows(std::uint32_t feature);
  void TakeOut(Marks marks);

  BinnedMatrix const& matrix_;
  Span<PackedGradients const> outputs_;
  Span<std::uint32_t const> rows_;
  std::vector<FixedSum> values_;  // of the rows, output by output
  std::vector<FixedSum> bins_;    // of all codes, output by output; all zero when not in use
  std::size_t count_ = 0;
  std::array<std::uint32_t, kMostRows + 1> numbers_{};
  std::vector<FixedSum> sums_;
};

/// What all nodes and threads of a tree share.
struct ScanTask {
  TreeParam const& param;
  BinnedMatrix const& bins;
  Span<PackedGradients const> gradients;
  MonotoneConstraints const& monotone;
  std::vector<FixedScale> scales;
  SimdLevel simd;
  bool local_cuts;  // each node has candidates of its own: the quantiles of its hessians among the bins' edges
};

/// One thread's scan over histograms.
class HistogramScan {
 public:
  explicit HistogramScan(ScanTask const& task);

  /// The best split of a node on the features; not Valid() if none gains anything. Where OccupiedBins can tell, a node
  /// of few rows may have an empty histogram.
  Split Best(GrowingNode const& node, Histogram const& histogram, Span<std::uint32_t const> rows,
             Span<std::uint32_t const> features);

 private:
  struct Side {
    double gradient = 0;
    double hessian = 0;
  };

  void ScanNumeric(std::uint32_t feature);
  // The categories that occur in a node, by their weight.
  struct CategoryOrder {
    std::vector<std::uint32_t> rising;
    std::size_t low = 0;         // how many have weights below 0
    bool low_is_larger = false;  // whether they weigh more, together, than the others do
  };

  bool OfRows() const { return histogram_->Empty(); }
  bool Packed() const { return !OfRows() && histogram_->Packed(); }
  std::size_t CountIndicators(Span<std::uint32_t const> features) const;
  void ScanIndicators(Span<std::uint32_t const> features);
  void OfferNumeric(std::uint32_t feature, std::size_t last_left, bool missing_left, FixedSums const& shift);
  void OfferMissingAlone(std::uint32_t feature, FixedSums const& missing);
  void ScanCategories(std::uint32_t feature);
  void ScanSets(std::uint32_t feature, std::vector<std::uint32_t> const& order, std::size_t most,
                FixedSums const& missing);
  std::vector<std::uint32_t> AllLevels(std::uint32_t feature, bool from_below) const;
  void SortCategories(std::uint32_t feature);
  bool OccursIn(std::size_t bin) const;
  double OrderingWeight(std::size_t output, FixedSum sum) const;
  float WeightAlong(FixedSums const& sums) const;
  void FindDirection(BinPlace const& place);
  void TurnTowardsSpread(BinPlace const& place);

  FixedSum Bin(std::size_t output, std::size_t bin) const { return histogram_->Bin(output, bin); }
  FixedSum const* WideBins(std::size_t output, std::size_t first) const {
    return OfRows() ? occupied_.Sums(output) : histogram_->WidePlane(output) + first;
  }
  FixedSums SumOf(std::size_t first, std::size_t count) const;
  /// Fills the running sums of candidates: of `count` bins from `first`, or of the bins in an order. Gives the sum.
  FixedSums FillPrefixes(std::size_t first, std::size_t count);
  void FillInOrder(std::size_t first, Span<std::uint32_t const> order);
  void Reserve(std::size_t count);
  double* Gradients(std::size_t output) { return gradients_.data() + output * width_; }
  double* Hessians(std::size_t output) { return hessians_.data() + output * width_; }

  /// The best of the first candidates, `shift` added to what stands on their side of the split.
  std::size_t BestCandidate(std::uint32_t feature, std::size_t count, FixedSums const& shift);
  /// Fills `gains_` with the scores of candidates.
  void Score(std::uint32_t feature, std::size_t count, FixedSums const& shift);
  void SumGains(std::size_t count, FixedSums const& shift);
  void SumConstrainedGains(std::uint32_t feature, std::size_t count, FixedSums const& shift);
  void FindLocalCuts(std::size_t bins);
  void DropLightSides(std::size_t count, FixedSums const& shift);
  /// Whether the hessians of both sides, those of all outputs added up, let the split be.
  bool HeavyEnough(double left, double right) const;
  bool MayWin(double score) const;
  void Offer(Split candidate);
  double GainOf(FixedSums const& sums) const;
  double GainOf(Split const& split) const;
  /// What one output gains by both sides of a split.
  double ConstrainedGain(std::uint32_t feature, std::size_t output, Side const& left, Side const& right) const;
  Side SideOf(FixedSums const& sums, std::size_t output) const {
    return {task_.scales[output].Gradient(sums[output]), task_.scales[output].Hessian(sums[output])};
  }
  bool Allowed(Split const& split) const;

  ScanTask const& task_;
  HistogramKernels const& kernels_;
  GainRule rule_;
  std::size_t outputs_;

  GrowingNode const* node_ = nullptr;
  Histogram const* histogram_ = nullptr;  // of the node; empty: its rows are in `occupied_`
  OccupiedBins occupied_;                 // of the numeric feature at hand
  double node_gain_ = 0;
  Split best_;
  std::size_t width_ = 0;  // candidates that there is room for, per output
  std::vector<double> gradients_, hessians_, gains_;
  CategoryOrder order_;            // of the categorical feature at hand
  std::vector<float> weights_;     // of its categories, in that order
  std::vector<double> direction_;  // what each output counts in them
  ColumnSorter sorter_;
  std::vector<std::uint8_t> local_cut_;  // of the numeric feature at hand; empty: all bins are cuts
};

}  // namespace xgbl
