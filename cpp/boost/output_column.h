// SPDX-License-Identifier: Apache-2.0
// The derivatives of the outputs of one tree, each made contiguous and multiplied where the sample of rows says so. A
// copy only where it must be: what is one column and not multiplied stays the user's.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/context.h"
#include "objective/objective.h"
#include "parallel/parallel_for.h"
#include "tree/fixed_point.h"
#include "tree/sampling.h"

namespace xgbl {

class OutputColumn {
 public:
  OutputColumn(GradientView const& gradients, std::size_t output, Context const& ctx) {
    std::size_t const rows = gradients.gradient.rows(), outputs = gradients.gradient.columns();
    view_ = {gradients.gradient.data() + output, gradients.hessian.data() + output, rows, outputs};
    if (outputs > 1) Copy(ctx);
  }

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
  std::vector<float> gradient_, hessian_;  // empty: the view is of the user's
};

/// `count` outputs from `first`.
class OutputColumns {
 public:
  OutputColumns(GradientView const& gradients, std::size_t first, std::size_t count, Context const& ctx) {
    for (std::size_t k = 0; k < count; ++k) columns_.emplace_back(gradients, first + k, ctx);
  }

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
