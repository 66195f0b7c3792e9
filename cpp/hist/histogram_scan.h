// SPDX-License-Identifier: Apache-2.0
// Finds the best split of a node in its histogram.
// Numeric features (numeric_scan.cc): the running sums of their bins, the gains of all candidates of a run of features
// at once, and the largest of them. Missing values are tried on both sides. Several outputs add up their gains; a
// single one uses the same code. Candidates are picked by scores in double; the sums and gain of the picked one are
// recomputed from the integers. A node of few rows needs no histogram (OccupiedBins).
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
#include "parallel/buffer.h"
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

  static constexpr double kForbidden = -1e300;  // the score of what must not be

  // The candidates of a feature, among those of a run of features.
  struct RunPart {
    std::uint32_t feature = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    bool any_missing = false;
    bool missing_left = false;
  };

  bool OfRows() const { return histogram_->Empty(); }
  bool Packed() const { return !OfRows() && histogram_->Packed(); }
  std::size_t CountNumeric(Span<std::uint32_t const> features) const;
  void ScanNumeric(Span<std::uint32_t const> features);
  template <class Sum>
  std::size_t FillRun(Span<std::uint32_t const> features);
  template <class Sum, class Outputs>
  std::size_t AddUpRun(Span<std::uint32_t const> features, Outputs outputs);
  template <class Sum>
  void FillMissingRight();
  template <class Sum>
  void FillMissingLeft();
  void OfferRun();
  void OfferNumeric(RunPart const& part, std::size_t last_left);
  void OfferMissingAlone(std::uint32_t feature);
  template <class Sum>
  Sum const* BinsOf(std::size_t output) const;
  template <class Sum>
  Sum* RunSums(std::size_t output) {
    return reinterpret_cast<Sum*>(run_words_.data()) + output * RunStride();
  }
  std::size_t RunStride() const { return run_room_ + kCacheLine / sizeof(std::int64_t); }
  bool IsConstant(std::uint32_t feature) const;
  void MakeRunRoom(std::size_t bins);
  std::size_t RunCandidates() const {
    return run_parts_ == 0 ? 0 : run_[run_parts_ - 1].first + run_[run_parts_ - 1].count;
  }
  std::size_t OccupiedOrAll(std::uint32_t feature);
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
  /// Fills the running sums of candidates: of levels in an order.
  void FillInOrder(Span<std::uint32_t const> order);
  void Reserve(std::size_t count);
  double* Gradients(std::size_t output) { return gradients_.data() + output * width_; }
  double* Hessians(std::size_t output) { return hessians_.data() + output * width_; }

  /// The best of the first candidates, `shift` added to what stands on their side of the split.
  std::size_t BestCandidate(std::uint32_t feature, std::size_t count, FixedSums const& shift);
  /// Fills `gains_` with the scores of candidates.
  void Score(Span<RunPart const> parts, FixedSums const& shift);
  void SumGains(std::size_t count, FixedSums const& shift);
  void SumConstrainedGains(RunPart const& part, FixedSums const& shift);
  void FindLocalCuts();
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
  bool has_categories_ = false;

  GrowingNode const* node_ = nullptr;
  Histogram const* histogram_ = nullptr;  // of the node; empty: its rows are in `occupied_`
  OccupiedBins occupied_;                 // of the feature that was counted last
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
  std::vector<double> direction_;  // what each output counts in the weights
  std::vector<RunPart> run_;       // numeric features at hand: first with missing values on the right, then on the left
  std::size_t run_parts_ = 0;
  std::vector<std::int64_t> run_words_;  // running sums of the former, in the histogram's form, output by output
  std::size_t run_room_ = 0;             // candidates with missing values on the right that it takes
  std::vector<std::uint8_t> local_cut_;  // of the candidates of a run; empty: all are cuts
};

}  // namespace xgbl
