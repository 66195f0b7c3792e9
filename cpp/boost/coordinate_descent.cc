// SPDX-License-Identifier: Apache-2.0
#include "boost/coordinate_descent.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "parallel/parallel_for.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

// Features that hardly vary have no useful curvature.
constexpr double kLeastCurvature = 1e-5;

}  // namespace

CoordinateDescent::CoordinateDescent(Context const& ctx, LinearColumns const& columns, OutputGradients const& gradients,
                                     LinearPenalty penalty, Weights weights)
    : ctx_(ctx),
      columns_(columns),
      penalty_(penalty),
      weights_(weights),
      gradient_(gradients.rows),
      hessian_(gradients.rows) {
  for (std::size_t row = 0; row < gradients.rows; ++row) {
    gradient_[row] = gradients.G(row);
    hessian_[row] = gradients.H(row);
  }
}

void CoordinateDescent::StepBias() {
  std::size_t const rows = gradient_.size();
  Context const ctx = ForWork(ctx_, rows);
  auto const [gradient, hessian] = SumTogether<2>(
      ctx, rows, [&](std::size_t row) { return std::array<double, 2>{double{gradient_[row]}, double{hessian_[row]}}; });
  if (!(hessian > 0)) return;
  auto const change = static_cast<float>(-penalty_.learning_rate * gradient / hessian);
  *weights_.bias += change;
  ParallelBlocks(ctx, rows, kReduceTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) gradient_[row] += hessian_[row] * change;
  });
}

double CoordinateDescent::BestChange(std::size_t feature) const {
  LinearColumns::Column const column = columns_[feature];
  std::size_t const cells = column.values.size();
  Context const ctx = ForWork(ctx_, cells);
  auto const [slope, curvature] = SumTogether<2>(ctx, cells, [&](std::size_t i) {
    std::size_t const row = column.Row(i);
    double const value = double{column.values[i]};
    return std::array<double, 2>{double{gradient_[row]} * value, double{hessian_[row]} * value * value};
  });
  if (!(curvature >= kLeastCurvature)) return 0;
  double const weight = double{Weight(feature)};
  double const gradient = slope + penalty_.l2 * weight;
  double const hessian = curvature + penalty_.l2;
  // The penalty on the absolute value pulls towards 0 and stops there.
  if (weight - gradient / hessian >= 0) return std::max(-(gradient + penalty_.l1) / hessian, -weight);
  return std::min(-(gradient - penalty_.l1) / hessian, -weight);
}

void CoordinateDescent::Step(std::size_t feature) {
  auto const change = static_cast<float>(penalty_.learning_rate * BestChange(feature));
  if (!(change < 0) && !(change > 0)) return;
  Weight(feature) += change;
  LinearColumns::Column const column = columns_[feature];
  std::size_t const cells = column.values.size();
  ParallelBlocks(ForWork(ctx_, cells), cells, kReduceTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::size_t const row = column.Row(i);
      gradient_[row] += hessian_[row] * column.values[i] * change;
    }
  });
}

}  // namespace xgbl
