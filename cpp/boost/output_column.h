// SPDX-License-Identifier: Apache-2.0
// The derivatives of the outputs of one tree, multiplied where the sample of rows says so. Copies only what is
// multiplied.
#pragma once

#include <cstddef>
#include <vector>

#include "base/context.h"
#include "parallel/parallel_for.h"
#include "tree/fixed_point.h"
#include "tree/sampling.h"

namespace xgbl {

class OutputColumn {
 public:
  explicit OutputColumn(OutputGradients const& view) : view_(view) {}

  void Scale(RowSample const& sample, Context const& ctx) {
    if (sample.multiplier.empty()) return;
    if (gradient_.empty()) Copy(ctx);
    ParallelBlocks(ctx, sample.rows.size(), kRowBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        gradient_[sample.rows[i]] *= sample.multiplier[i];
        hessian_[sample.rows[i]] *= sample.multiplier[i];
      }
    });
  }

  OutputGradients const& View() const { return view_; }

 private:
  static constexpr std::size_t kRowBlock = std::size_t{1} << 16U;

  void Copy(Context const& ctx) {
    gradient_.resize(view_.rows);
    hessian_.resize(view_.rows);
    ParallelBlocks(ctx, view_.rows, kRowBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        gradient_[row] = view_.G(row);
        hessian_[row] = view_.H(row);
      }
    });
    view_ = {gradient_.data(), hessian_.data(), view_.rows, 1};
  }

  OutputGradients view_;
  std::vector<float> gradient_, hessian_;  // empty: the view is of somebody else's
};

/// Those of several outputs.
class OutputColumns {
 public:
  explicit OutputColumns(std::vector<OutputGradients> const& views) : columns_(views.begin(), views.end()) {}

  void Scale(RowSample const& sample, Context const& ctx) {
    for (auto& column : columns_) column.Scale(sample, ctx);
  }

  std::vector<OutputGradients> Views() const {
    std::vector<OutputGradients> views;
    for (auto const& column : columns_) views.push_back(column.View());
    return views;
  }

 private:
  std::vector<OutputColumn> columns_;
};

}  // namespace xgbl
