// SPDX-License-Identifier: Apache-2.0
#include "exact/exact_rows.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "parallel/reduce.h"
#include "simd/exact_kernels.h"

namespace xgbl {
namespace {

constexpr double kNoRatio = 1e200;   // rows may have a gradient without a hessian
constexpr double kSlack = 1 + 1e-6;  // far more than double precision loses

struct Sums : ExactRowSums {
  Sums& operator+=(Sums const& other) {  // of errors the larger one, so that ReduceBlocks finds the largest of all
    gradient += other.gradient;
    hessian += other.hessian;
    gradient_error = std::max(gradient_error, other.gradient_error);
    hessian_error = std::max(hessian_error, other.hessian_error);
    most_ratio = std::max(most_ratio, other.most_ratio);
    return *this;
  }
};

ExactRowTask TaskOf(OutputGradients const& gradients, FixedScale const& scale, CoarseGradients const& coarse) {
  PackedGradients const& packed = coarse.packed;
  ExactRowTask task;
  task.gradient = gradients.gradient;
  task.hessian = gradients.hessian;
  task.stride = gradients.stride;
  task.gradient_factor = 1 / scale.gradient_unit;
  task.hessian_factor = 1 / scale.hessian_unit;
  task.coarse = packed.wide ? &packed.wide_pairs.data()->gradient : packed.narrow.data();
  task.coarse_is_wide = packed.wide;
  task.coarse_gradient_unit = coarse.gradient_unit;
  task.coarse_hessian_unit = coarse.hessian_unit;
  return task;
}

FixedSum SumOf(Span<ExactRow const> exact, Span<std::uint32_t const> rows, Context const& ctx) {
  return ReduceBlocks(ctx, rows.size(), FixedSum{}, [&](std::size_t begin, std::size_t end) {
    FixedSum sum;
    for (std::size_t i = begin; i < end; ++i) sum += exact[rows[i]].Sum();
    return sum;
  });
}

}  // namespace

ExactRows ExactRowsOf(TreeTask const& task, FixedScale const& scale, PackedGradients packed) {
  ExactRows out;
  out.rows = Buffer<ExactRow>(task.data.Rows());
  CoarseGradients& coarse = out.coarse;
  coarse.gradient_unit = packed.scale.gradient_unit / scale.gradient_unit;
  coarse.hessian_unit = packed.scale.hessian_unit / scale.hessian_unit;
  coarse.packed = std::move(packed);
  ExactRowTask rows = TaskOf(task.gradients[0], scale, coarse);
  rows.rows = &out.rows.data()->gradient;
  auto const make = ExactKernels::Of(task.ctx.simd).make_exact_rows;
  Sums const all = ReduceBlocks(task.ctx, out.rows.size(), Sums{},
                                [&](std::size_t begin, std::size_t end) { return Sums{make(rows, begin, end)}; });
  coarse.gradient_error = all.gradient_error * kSlack;
  coarse.hessian_error = all.hessian_error * kSlack;
  coarse.most_ratio = all.most_ratio > 0 ? std::min(all.most_ratio * kSlack, kNoRatio) : kNoRatio;
  out.sampled = task.rows.all ? FixedSum{all.gradient, all.hessian} : SumOf(out.rows, task.rows.rows, task.ctx);
  return out;
}

}  // namespace xgbl
