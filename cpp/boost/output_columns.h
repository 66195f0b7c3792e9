// SPDX-License-Identifier: Apache-2.0
// Columns of margins and derivatives, by output, as trees are grown on them.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "objective/objective.h"
#include "parallel/buffer.h"
#include "parallel/parallel_for.h"
#include "tree/fixed_point.h"
#include "tree/sampling.h"

namespace xgbl {

/// Some neighbouring columns of a matrix in row order, each made contiguous. A round takes the outputs of a model in
/// such groups. One by one, each output would fetch every cache line of the matrix again. Columns that are contiguous
/// already, such as that of a matrix of one, are not copied.
class ColumnGroup {
 public:
  ColumnGroup(MatrixView<float const> from, std::size_t first, std::size_t count, Context const& ctx,
              bool by_column = false)
      : rows_(from.rows()), first_(first), count_(count) {
    if (by_column || from.columns() == 1) {
      data_ = from.data() + first * rows_;
      return;
    }
    values_ = Buffer<float>(rows_ * count);
    data_ = values_.data();
    std::size_t const stride = from.columns();
    ParallelBlocks(ctx, rows_, kRowBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = 0; k < count_; ++k) {
        float const* const cells = from.data() + first_ + k;
        float* const column = Copied(k);
        for (std::size_t row = begin; row < end; ++row) column[row] = cells[row * stride];
      }
    });
  }
  ColumnGroup(ColumnGroup&&) = default;  // a copy would look into the other's values
  ColumnGroup& operator=(ColumnGroup&&) = default;

  float const* Column(std::size_t k) const { return data_ + k * rows_; }
  /// A column of a group that is a copy, for changes.
  float* Copied(std::size_t k) { return values_.data() + k * rows_; }

  /// Writes the columns of a copy back.
  void WriteTo(MatrixView<float> to, Context const& ctx) const {
    std::size_t const stride = to.columns();
    ParallelBlocks(ctx, rows_, kRowBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = 0; k < count_; ++k) {
        float const* const column = Column(k);
        float* const cells = to.data() + first_ + k;
        for (std::size_t row = begin; row < end; ++row) cells[row * stride] = column[row];
      }
    });
  }

 private:
  static constexpr std::size_t kRowBlock = 512;  // that stay in the innermost cache while the columns are taken

  std::size_t rows_;
  std::size_t first_;
  std::size_t count_;
  Buffer<float> values_;  // column by column; empty: they are the matrix itself
  float const* data_;
};

/// The derivatives of a group of outputs.
class GradientGroup {
 public:
  GradientGroup(GradientView const& gradients, std::size_t first, std::size_t count, Context const& ctx)
      : rows_(gradients.gradient.rows()),
        gradient_(gradients.gradient, first, count, ctx, gradients.by_output),
        hessian_(gradients.hessian, first, count, ctx, gradients.by_output) {}

  /// Of `count` outputs, from the k-th of the group.
  std::vector<OutputGradients> Views(std::size_t k, std::size_t count) const {
    std::vector<OutputGradients> views;
    for (; views.size() < count; ++k) views.push_back({gradient_.Column(k), hessian_.Column(k), rows_, 1});
    return views;
  }

 private:
  std::size_t rows_;
  ColumnGroup gradient_;
  ColumnGroup hessian_;
};

/// The derivatives of a tree's outputs, multiplied where the sample of rows says so. Copies only what is multiplied.
class ScaledColumns {
 public:
  ScaledColumns(std::vector<OutputGradients> views, RowSample const& sample, Context const& ctx)
      : views_(std::move(views)), copies_(sample.multiplier.empty() ? 0 : 2 * views_.size()) {
    if (copies_.empty()) return;
    for (std::size_t k = 0; k < views_.size(); ++k)
      Scale(sample, ctx, &copies_[2 * k], &copies_[2 * k + 1], &views_[k]);
  }

  std::vector<OutputGradients> const& Views() const { return views_; }

 private:
  static void Scale(RowSample const& sample, Context const& ctx, std::vector<float>* gradient,
                    std::vector<float>* hessian, OutputGradients* view) {
    constexpr std::size_t kBlock = std::size_t{1} << 16U;
    gradient->resize(view->rows);
    hessian->resize(view->rows);
    ParallelBlocks(ctx, view->rows, kBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        (*gradient)[row] = view->G(row);
        (*hessian)[row] = view->H(row);
      }
    });
    ParallelBlocks(ctx, sample.rows.size(), kBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        (*gradient)[sample.rows[i]] *= sample.multiplier[i];
        (*hessian)[sample.rows[i]] *= sample.multiplier[i];
      }
    });
    *view = {gradient->data(), hessian->data(), view->rows, 1};
  }

  std::vector<OutputGradients> views_;
  std::vector<std::vector<float>> copies_;  // gradient and hessian of each; empty: the views are of somebody else's
};

}  // namespace xgbl
