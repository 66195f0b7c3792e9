// SPDX-License-Identifier: Apache-2.0
// A node with some rows of a sample, and what exact search knows of it before it looks for a split.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "exact/bin_bounds.h"
#include "exact/fine_gradients.h"
#include "tree/growing.h"

namespace xgbl {

/// The score of a split, whatever its weights.
inline double ScoreOf(ScanBatch const& batch, FixedSum left, FixedSum right) {
  Candidates const node = batch.CandidatesOf(left + right);
  auto const part = [&](FixedSum sum) {
    double const shrunk = std::max(std::fabs(static_cast<double>(sum.gradient)) - node.alpha, 0.0);
    return shrunk * shrunk / (static_cast<double>(sum.hessian) + node.lambda);
  };
  return part(left) + part(right);
}

class SampleNode {
 public:
  SampleNode(Sample const& sample, Span<std::uint32_t const> rows, GradientBits bits, Context const& ctx)
      : SampleNode(sample, sample, rows, bits, ctx) {}
  /// The histograms' gradients are those of `rounded`, whatever that did to them.
  SampleNode(Sample const& sample, Sample const& rounded, Span<std::uint32_t const> rows, GradientBits bits,
             Context const& ctx)
      : gradients_{{sample.gradient.data(), sample.hessian.data(), sample.gradient.size(), 1}},
        sampled_(SampleRows(param_, {}, gradients_, ctx)),
        task_{ctx, *sample.data, param_, sampled_, gradients_, {}},
        scale_(FineScale(task_)),
        exact_(
            FineGradientsOf(task_, scale_,
                            PackGradients({rounded.gradient.data(), rounded.hessian.data(), rounded.gradient.size(), 1},
                                          bits, nullptr, ctx))),
        monotone_(param_, sample.data->Columns()) {
    for (auto const row : rows) total_ += exact_.rows[row].Sum();
    GrowingTree tree;
    tree.scales = {scale_};
    tree.nodes.emplace_back();
    tree[0].sums = {total_};
    batch_ = std::make_unique<ScanBatch>(param_, monotone_, tree, std::vector<NodeId>{0});
  }
  SampleNode(SampleNode const&) = delete;  // the members refer to one another
  SampleNode& operator=(SampleNode const&) = delete;

  FixedSum Exact(std::uint32_t row) const { return exact_.rows[row].Sum(); }
  CoarseGradients const& Coarse() const { return exact_.coarse; }
  ScanBatch const& Batch() const { return *batch_; }
  FixedSum Total() const { return total_; }
  /// Of a split that sends so much to the left; -1 if it is not allowed.
  double Score(FixedSum left) const {
    FixedSum const right = total_ - left;
    bool const allowed = std::min(left.hessian, right.hessian) >= batch_->LeastHessian();
    return allowed ? ScoreOf(*batch_, left, right) : -1;
  }

 private:
  TreeParam param_;
  std::vector<OutputGradients> gradients_;
  RowSample sampled_;
  TreeTask task_;
  FixedScale scale_;
  FineGradients exact_;
  MonotoneConstraints monotone_;
  FixedSum total_;
  std::unique_ptr<ScanBatch> batch_;
};

}  // namespace xgbl
