// SPDX-License-Identifier: Apache-2.0
#include "tree/bin_bounds.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr double kNoRatio = 1e200;   // rows may have a gradient without a hessian
constexpr double kSlack = 1 + 1e-6;  // far more than double precision loses

struct RowLimits {
  double gradient_error = 0, hessian_error = 0, ratio = 0;
  RowLimits& operator+=(
      RowLimits const& other) {  // the larger of the two, so that ReduceBlocks finds the largest of all
    gradient_error = std::max(gradient_error, other.gradient_error);
    hessian_error = std::max(hessian_error, other.hessian_error);
    ratio = std::max(ratio, other.ratio);
    return *this;
  }
};

}  // namespace

CoarseGradients CoarseOf(PackedGradients packed, FixedScale const& exact, Span<ScanRow const> rows,
                         Context const& ctx) {
  CoarseGradients out;
  out.gradient_unit = packed.scale.gradient_unit / exact.gradient_unit;
  out.hessian_unit = packed.scale.hessian_unit / exact.hessian_unit;
  RowLimits const limits = ReduceBlocks(ctx, rows.size(), RowLimits{}, [&](std::size_t begin, std::size_t end) {
    RowLimits part;
    for (std::size_t i = begin; i < end; ++i) {
      FixedSum const sum = packed.Row(i);
      auto const gradient = static_cast<double>(rows[i].gradient), hessian = static_cast<double>(rows[i].hessian);
      double const ratio = hessian > 0 ? std::fabs(gradient) / hessian : gradient != 0 ? kNoRatio : 0;
      part += {std::fabs(static_cast<double>(sum.gradient) * out.gradient_unit - gradient),
               std::fabs(static_cast<double>(sum.hessian) * out.hessian_unit - hessian), ratio};
    }
    return part;
  });
  out.gradient_error = limits.gradient_error * kSlack;
  out.hessian_error = limits.hessian_error * kSlack;
  out.most_ratio = limits.ratio > 0 ? limits.ratio * kSlack : kNoRatio;
  out.packed = std::move(packed);
  return out;
}

void BinBounds::Line::Resize(std::size_t size) {
  gradient.resize(size);
  hessian.resize(size);
  rows.resize(size);
}

NearSum BinBounds::At(std::size_t i, int side, std::uint32_t bin) const {
  Line const& line = lines_[static_cast<std::size_t>(side)];
  std::size_t const at = begin_[i] + bin;
  return {line.gradient[at], line.hessian[at], line.rows[at] * coarse_.gradient_error,
          line.rows[at] * coarse_.hessian_error};
}

void BinBounds::Load(ScanBatch const& batch, FixedSum total, std::size_t rows, Span<std::uint32_t const> features,
                     Histogram const& histogram) {
  features_ = features;
  rows_ = static_cast<double>(rows);
  begin_.assign(1, 0);
  for (auto const feature : features) begin_.push_back(begin_.back() + order_.Bins().Place(feature).bins + 1);
  for (Line& line : lines_) line.Resize(begin_.back());
  bound_.assign(begin_.back(), -1);
  lead_ = features.size();
  lead_score_ = 0;
  task_.gradient_error = coarse_.gradient_error;
  task_.hessian_error = coarse_.hessian_error;
  task_.most_ratio = coarse_.most_ratio;
  task_.gradient = static_cast<double>(total.gradient);
  task_.hessian = static_cast<double>(total.hessian);
  task_.lambda = batch.Lambda();
  task_.alpha = batch.Alpha();
  task_.least_hessian = static_cast<double>(batch.LeastHessian());
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (order_.Bins().Present(features[i]) == 0) continue;
    LoadFeature(i, histogram);
    for (int side = 0; side < Sides(i); ++side) {
      FillLine(i, side);
      Bound(i, side);
      FindBorder(i, side);
    }
  }
}

// Between the two bins of a code are the sums with the rising gradients of the code, but without the falling ones.
void BinBounds::LoadFeature(std::size_t i, Histogram const& histogram) {
  std::size_t const bins = Bins(i), first = 2 * std::size_t{order_.Bins().Place(features_[i]).histogram};
  prefix_gradient_.resize(2 * bins + 1);
  prefix_hessian_.resize(2 * bins + 1);
  double* const gradient = prefix_gradient_.data();
  double* const hessian = prefix_hessian_.data();
  gradient[0] = hessian[0] = 0;
  if (histogram.Packed()) {
    kernels_.prefix_packed(histogram.PackedPlane(0) + first, 2 * bins, coarse_.gradient_unit, coarse_.hessian_unit,
                           gradient + 1, hessian + 1);
  } else {
    std::int64_t total[2];
    auto const* const wide = reinterpret_cast<std::int64_t const*>(histogram.WidePlane(0) + first);
    kernels_.prefix_wide(wide, 2 * bins, coarse_.gradient_unit, coarse_.hessian_unit, gradient + 1, hessian + 1, total);
  }
  rise_.resize(bins);
  for (std::size_t b = 0; b < bins; ++b) rise_[b] = gradient[2 * b + 1] - gradient[2 * b];
}

// Side 0 sends what is missing to the right: left sums are those below. Side 1: they are all but those above.
void BinBounds::FillLine(std::size_t i, int side) {
  std::size_t const bins = Bins(i);
  Span<std::uint32_t const> const below = order_.RowsBelow(features_[i]);
  std::uint32_t const present = below[bins];
  std::size_t const middle =
      static_cast<std::size_t>(std::upper_bound(below.begin(), below.end(), present / 2) - below.begin());
  std::size_t const from_below = Sides(i) == 1 ? middle : side == 0 ? bins + 1 : 0;  // so many borders
  double const rest_gradient = task_.gradient - prefix_gradient_[2 * bins];
  double const rest_hessian = task_.hessian - prefix_hessian_[2 * bins];
  Line& line = lines_[static_cast<std::size_t>(side)];
  double* const gradient = line.gradient.data() + begin_[i];
  double* const hessian = line.hessian.data() + begin_[i];
  double* const rows = line.rows.data() + begin_[i];
  for (std::size_t b = 0; b <= bins; ++b) {
    bool const near = b < from_below;
    gradient[b] = prefix_gradient_[2 * b] + (near ? 0 : rest_gradient);
    hessian[b] = prefix_hessian_[2 * b] + (near ? 0 : rest_hessian);
    rows[b] = std::min(static_cast<double>(near ? below[b] : present - below[b]), rows_);
  }
  error_rows_.resize(bins);
  for (std::size_t b = 0; b < bins; ++b) {
    bool const mixed = b + 1 == from_below && from_below <= bins;
    error_rows_[b] = mixed ? rows_ : std::max(rows[b], rows[b + 1]);
  }
}

void BinBounds::Bound(std::size_t i, int side) {
  Line const& line = lines_[static_cast<std::size_t>(side)];
  task_.left_gradient = line.gradient.data() + begin_[i];
  task_.left_hessian = line.hessian.data() + begin_[i];
  task_.rise = rise_.data();
  task_.error_rows = error_rows_.data();
  task_.count = Bins(i);
  task_.bound = bound_.data() + begin_[i];
  kernels_.bin_bounds(task_);
}

void BinBounds::FindBorder(std::size_t i, int side) {
  Line const& line = lines_[static_cast<std::size_t>(side)];
  gain_.assign(Bins(i) + 1, 0);
  GainTask gains;
  gains.left_gradient = line.gradient.data() + begin_[i];
  gains.left_hessian = line.hessian.data() + begin_[i];
  gains.count = gain_.size();
  gains.gradient = task_.gradient;
  gains.hessian = task_.hessian;
  gains.lambda = task_.lambda;
  gains.alpha = task_.alpha;
  gains.least_hessian = task_.least_hessian;
  gains.otherwise = -1;
  gains.gain = gain_.data();
  kernels_.add_gains(gains);
  double const score = gain_[kernels_.first_maximum(gain_.data(), gain_.size())];
  if (score <= lead_score_) return;
  lead_score_ = score;
  lead_ = i;
}

}  // namespace xgbl
