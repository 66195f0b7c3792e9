// SPDX-License-Identifier: Apache-2.0
#include "exact/fine_gradients.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "parallel/reduce.h"
#include "simd/exact_kernels.h"

namespace xgbl {
namespace {

constexpr double kNoRatio = 1e200;   // rows may have a gradient without a hessian
constexpr double kSlack = 1 + 1e-6;  // far more than double precision loses

FixedSum SumOf(Span<FineRow const> fine, Span<std::uint32_t const> rows, Context const& ctx) {
  return ReduceBlocks(ctx, rows.size(), FixedSum{}, [&](std::size_t begin, std::size_t end) {
    FixedSum sum;
    for (std::size_t i = begin; i < end; ++i) sum += fine[rows[i]].Sum();
    return sum;
  });
}

}  // namespace

FixedScale FineScale(TreeTask const& task) {
  return ScaleFor(RangeOf(task.gradients[0], task.ctx), BitsForSum(task.data.Rows()), 30);
}

FineGradients FineGradientsOf(TreeTask const& task, FixedScale const& scale, PackedGradients packed) {
  FineGradients out;
  out.rows = Buffer<FineRow>(task.data.Rows());
  CoarseGradients& coarse = out.coarse;
  coarse.gradient_unit = packed.scale.gradient_unit / scale.gradient_unit;
  coarse.hessian_unit = packed.scale.hessian_unit / scale.hessian_unit;
  coarse.packed = std::move(packed);
  OutputGradients const& gradients = task.gradients[0];
  FineRowTask rows;
  rows.gradient = gradients.gradient;
  rows.hessian = gradients.hessian;
  rows.stride = gradients.stride;
  rows.gradient_factor = 1 / scale.gradient_unit;
  rows.hessian_factor = 1 / scale.hessian_unit;
  rows.coarse_is_wide = coarse.packed.wide;
  rows.coarse = rows.coarse_is_wide ? &coarse.packed.wide_pairs.data()->gradient : coarse.packed.narrow.data();
  rows.coarse_gradient_unit = coarse.gradient_unit;
  rows.coarse_hessian_unit = coarse.hessian_unit;
  rows.rows = &out.rows.data()->gradient;
  auto const make = ExactKernels::Of(task.ctx.simd).make_fine_rows;
  FineRowSums const all = ReduceBlocks(task.ctx, out.rows.size(), FineRowSums{},
                                       [&](std::size_t begin, std::size_t end) { return make(rows, begin, end); });
  coarse.gradient_error = all.gradient_error * kSlack;
  coarse.hessian_error = all.hessian_error * kSlack;
  coarse.most_ratio = all.most_ratio > 0 ? std::min(all.most_ratio * kSlack, kNoRatio) : kNoRatio;
  out.sampled = task.rows.all ? FixedSum{all.gradient, all.hessian} : SumOf(out.rows, task.rows.rows, task.ctx);
  return out;
}

}  // namespace xgbl
