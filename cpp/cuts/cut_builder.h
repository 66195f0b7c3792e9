// SPDX-License-Identifier: Apache-2.0
// Makes the cuts of all features: a weighted quantile sketch (Chen and Guestrin 2016, appendix) with a guaranteed
// bound, built in passes over the rows. A feature with at most as many distinct values as bins gets one bin per value.
// Otherwise a cut is off its rank by at most three eighths of a bin's share, unless a single value is heavier than
// that. This holds up to max_bin 4,000 and 16,000 columns; beyond, the error is some 1/10,000 of the weight, or
// columns/2^24 if that is more.
// The cuts are the same for any number of threads and any instruction set, however the rows are split into pieces, and
// for dense and sparse pieces with equal present cells.
// Life: Push all rows, EndPass; repeat while EndPass says so; Finish. The first pass takes a sample of the rows. The
// others count what lies between the sample's quantiles, as finely as needed (value_counts.h). Memory: O(columns x
// max_bin) plus the sample, however many rows there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "cuts/cut_sample.h"
#include "cuts/cuts.h"
#include "cuts/value_counts.h"
#include "ingest/feature_matrix.h"

namespace xgbl {

class CutBuilder {
 public:
  /// `categorical`: empty, or a flag for each column. `max_bin`: 2 to 65,535; with 256, features with missing cells get
  /// at most 255 bins, so that a byte can hold "missing" as well.
  CutBuilder(std::size_t columns, std::vector<std::uint8_t> categorical, int max_bin);

  /// The rows follow those that were pushed before in this pass. `weights`: empty (all 1), or one a row, none negative.
  /// DataError for a category that is not a whole number from 0 to 16,777,215.
  void Push(FeatureMatrix const& piece, Span<float const> weights, Context const& ctx);
  /// True: all rows must be pushed once more, in the same order.
  bool EndPass(Context const& ctx);
  /// All passes over all rows, instead of the two above.
  void PushAll(FeatureMatrix const& features, Span<float const> weights, Context const& ctx);
  Cuts Finish();

  std::size_t Rows() const { return rows_; }
  /// Present cells by feature; known after the last pass.
  std::vector<std::size_t> Present() const;

 private:
  std::size_t MostRows(std::size_t least, std::size_t columns) const;
  bool TakeAll(FeatureMatrix const& features, Span<float const> weights, Context const& ctx);
  void Settle(std::size_t feature);
  void NoteWeights(Span<float const> weights, std::size_t rows);
  void EndSample(Context const& ctx);
  void EndScans(Context const& ctx);
  bool PlanScans();

  std::vector<std::uint8_t> categorical_;
  std::size_t max_bin_;
  std::size_t splits_;  // ranges of a feature that are told apart at first
  CutSample sample_;
  std::vector<ValueCounts> counts_;
  std::vector<FeatureScan> scans_;  // of the present pass; features rise
  int pass_ = 0;
  std::size_t rows_ = 0;
  std::size_t pushed_ = 0;  // in this pass
  float largest_weight_ = 0;
  bool weighted_ = false;
  WeightUnits units_;
};

}  // namespace xgbl
