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

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "bins/binned_matrix.h"
#include "hist/category_levels.h"
#include "hist/end_sorter.h"
#include "hist/histogram.h"
#include "hist/occupied_bins.h"
#include "hist/packed_gradients.h"
#include "simd/histogram_kernels.h"
#include "tree/gain.h"
#include "tree/growing_tree.h"
#include "tree/tree_param.h"

namespace xgbl {

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
  bool OfRows() const { return histogram_->Empty(); }
  bool Packed() const { return !OfRows() && histogram_->Packed(); }
  std::size_t CountIndicators(Span<std::uint32_t const> features) const;
  void ScanIndicators(Span<std::uint32_t const> features);
  void OfferNumeric(std::uint32_t feature, std::size_t last_left, bool missing_left, FixedSums const& shift);
  void OfferMissingAlone(std::uint32_t feature, FixedSums const& missing);
  void ScanCategories(std::uint32_t feature);
  void ScanSingles(std::uint32_t feature, FixedSums const& missing);
  void ScanSets(std::uint32_t feature, Span<std::uint32_t const> order, FixedSums const& missing);
  std::vector<std::uint32_t> AllLevels(std::size_t all, std::size_t occurring, std::size_t most, bool from_below) const;
  void SortLevels(std::size_t bins, std::size_t most);
  FixedSums WeighLevels();
  FixedSums WeighVectors(std::size_t bins);
  double OrderingWeight(std::size_t output, FixedSum sum) const;
  float WeightAlong(FixedSums const& sums) const;
  void FindDirection(std::size_t bins);
  void TurnTowardsSpread();

  FixedSum Bin(std::size_t output, std::size_t bin) const { return histogram_->Bin(output, bin); }
  FixedSum const* WideBins(std::size_t output, std::size_t first) const {
    return OfRows() ? occupied_.Sums(output) : histogram_->WidePlane(output) + first;
  }
  FixedSums SumOf(std::size_t first, std::size_t count) const;
  /// Fills the running sums of candidates: of `count` bins from `first`, or of levels in an order. Gives the sum.
  FixedSums FillPrefixes(std::size_t first, std::size_t count);
  void FillInOrder(Span<std::uint32_t const> order);
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
  /// Whether it is the best up to now.
  bool Offer(Split candidate);
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
  // Of the categorical feature at hand.
  CategoryLevels levels_;
  std::vector<float> weights_;  // of the levels
  std::size_t low_ = 0;         // how many have weights below 0
  bool low_is_larger_ = false;  // whether they weigh more, together, than the others do
  EndSorter order_;
  std::vector<double> direction_;        // what each output counts in the weights
  std::vector<std::uint8_t> local_cut_;  // of the numeric feature at hand; empty: all bins are cuts
};

}  // namespace xgbl
