// SPDX-License-Identifier: Apache-2.0
#include "tree/bin_bounds.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
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

// Of how many rows of the table errors add up in the left sums of a split between two borders, or at one, where the
// sums of borders from some bin on are those of what is above. Between a border of either kind the largest left
// gradient follows from the lower one and from what rises, so that all errors below the upper one count, and the least
// from the upper one, so that those above the lower one do.
double RowsOff(Span<std::uint32_t const> below, std::uint32_t lower, std::uint32_t upper, std::uint32_t from_above) {
  std::uint32_t const above = below[below.size() - 1] - below[lower];
  if (lower >= from_above) return static_cast<double>(above);
  return static_cast<double>(upper >= from_above ? std::max(above, below[upper]) : below[upper]);
}

}  // namespace

CoarseGradients CoarseOf(PackedGradients packed, FixedScale const& exact, Span<ScanRow const> rows,
                         Context const& ctx) {
  CoarseGradients out;
  out.gradient_unit = packed.scale.gradient_unit / exact.gradient_unit;
  out.hessian_unit = packed.scale.hessian_unit / exact.hessian_unit;
  RowLimits const limits = ReduceBlocks(ctx, rows.size(), RowLimits{}, [&](std::size_t begin, std::size_t end) {
    std::array<RowLimits, 4> parts{};  // of every fourth row each, as one would wait for the row before
    auto const add = [&](std::size_t i, RowLimits* part) {
      FixedSum const sum = packed.Row(i);
      auto const gradient = static_cast<double>(rows[i].gradient), hessian = static_cast<double>(rows[i].hessian);
      bool const steepest = std::fabs(gradient) > part->ratio * hessian;  // few are, and a division takes long
      *part += {std::fabs(static_cast<double>(sum.gradient) * out.gradient_unit - gradient),
                std::fabs(static_cast<double>(sum.hessian) * out.hessian_unit - hessian),
                !steepest     ? 0
                : hessian > 0 ? std::fabs(gradient) / hessian
                              : kNoRatio};
    };
    std::size_t i = begin;
    for (; i + parts.size() <= end; i += parts.size()) {
      for (std::size_t k = 0; k < parts.size(); ++k) add(i + k, &parts[k]);
    }
    for (; i < end; ++i) add(i, &parts[0]);
    for (std::size_t k = 1; k < parts.size(); ++k) parts[0] += parts[k];
    return parts[0];
  });
  out.gradient_error = limits.gradient_error * kSlack;
  out.hessian_error = limits.hessian_error * kSlack;
  out.most_ratio = limits.ratio > 0 ? limits.ratio * kSlack : kNoRatio;
  out.packed = std::move(packed);
  return out;
}

void BinBounds::Load(ScanBatch const& batch, FixedSum total, std::size_t rows, Span<std::uint32_t const> features,
                     Histogram const& histogram) {
  histogram_ = &histogram;
  features_ = features;
  of_.assign(features.size(), {});
  rise_.clear();
  lead_ = features.size();
  lead_score_ = 0;
  task_.rows = static_cast<double>(rows);
  task_.gradient_error = coarse_.gradient_error;
  task_.hessian_error = coarse_.hessian_error;
  task_.most_ratio = coarse_.most_ratio;
  task_.gradient = static_cast<double>(total.gradient);
  task_.hessian = static_cast<double>(total.hessian);
  task_.lambda = batch.Lambda();
  task_.alpha = batch.Alpha();
  task_.least_hessian = static_cast<double>(batch.LeastHessian());
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (order_.Bins().Present(features[i]) > 0) LoadFeature(i);
  }
}

BinBounds::Shape const& BinBounds::ShapeOf(std::uint32_t feature) {
  if (shapes_[feature].bins == 0) shapes_[feature] = MakeShape(feature);
  return shapes_[feature];
}

BinBounds::Shape BinBounds::MakeShape(std::uint32_t feature) const {
  Span<std::uint32_t const> const rows_below = order_.RowsBelow(feature);
  Shape shape;
  shape.bins = static_cast<std::uint32_t>(rows_below.size() - 1);
  shape.group_bins = shape.bins < kManyBins ? 1 : kGroupBins;
  shape.groups = (shape.bins + shape.group_bins - 1) / shape.group_bins;
  shape.plane = 2 * std::size_t{order_.Bins().Place(feature).histogram};
  auto const middle = std::upper_bound(rows_below.begin(), rows_below.end(), rows_below[shape.bins] / 2);
  auto const middle_group = static_cast<std::uint32_t>(middle - rows_below.begin()) / shape.group_bins;
  shape.from_above = {order_.HasMissing(feature) ? kNever : middle_group * shape.group_bins, 0};
  for (std::size_t side = 0; side < (order_.HasMissing(feature) ? 2 : 1); ++side) {
    shape.off[side].reserve(shape.groups);
    for (std::uint32_t first = 0; first < shape.bins; first += shape.group_bins) {
      std::uint32_t const last = std::min(shape.bins, first + shape.group_bins);
      shape.off[side].push_back(RowsOff(rows_below, first, last, shape.from_above[side]));
    }
  }
  return shape;
}

// Bin 2 b of the histogram has the rising gradients of bin b, bin 2 b + 1 the falling ones.
template <class Word>
BinBounds::Sums<Word> BinBounds::SumOf(Word const* words, std::size_t bins) {
  Sums<Word> out;
  for (std::size_t b = 0; b < bins; ++b) {
    out.rising += words[2 * b];
    out.falling += words[2 * b + 1];
  }
  return out;
}

// Sums of whole groups have a loop of known length, which becomes vector code.
template <class Word>
void BinBounds::SumRuns(Runs const& runs, Word const* words, std::vector<Word>* sums) {
  sums->resize(std::max<std::size_t>(sums->size(), (runs.bins + runs.step - 1) / runs.step));
  for (std::uint32_t first = 0, k = 0; first < runs.bins; first += runs.step, ++k) {
    Word const* const own = words + 2 * std::size_t{first};
    std::uint32_t const count = std::min(runs.step, runs.bins - first);
    Sums<Word> const sum = count == 1            ? Sums<Word>{own[0], own[1]}
                           : count == kGroupBins ? SumOf(own, kGroupBins)
                                                 : SumOf(own, count);
    (*sums)[k] = sum.rising;
    (*sums)[k] += sum.falling;
    if constexpr (std::is_same_v<Word, FixedSum>) {
      runs.rise[k] = static_cast<double>(sum.rising.gradient) * coarse_.gradient_unit;
    } else {
      runs.rise[k] = static_cast<double>(Histogram::Unpack(sum.rising).gradient) * coarse_.gradient_unit;
    }
  }
}

// Fills the runs from a bin on, and gives the sum of all of them.
FixedSum BinBounds::Prefix(Shape const& shape, std::uint32_t first, Runs const& runs) {
  std::size_t const begin = shape.plane + 2 * std::size_t{first}, count = (runs.bins + runs.step - 1) / runs.step;
  runs.gradient[0] = runs.hessian[0] = 0;
  FixedSum total;
  if (histogram_->Packed()) {
    SumRuns(runs, histogram_->PackedPlane(0) + begin, &packed_sums_);
    total = Histogram::Unpack(kernels_.prefix_packed(packed_sums_.data(), count, coarse_.gradient_unit,
                                                     coarse_.hessian_unit, runs.gradient + 1, runs.hessian + 1));
  } else {
    SumRuns(runs, histogram_->WidePlane(0) + begin, &wide_sums_);
    kernels_.prefix_wide(&wide_sums_[0].gradient, count, coarse_.gradient_unit, coarse_.hessian_unit, runs.gradient + 1,
                         runs.hessian + 1, &total.gradient);
  }
  return total;
}

// Side 0 sends what is missing to the right: left sums are those below, or, from the middle on of a feature that is
// never missing, all but those above. Side 1: always all but those above.
void BinBounds::LoadFeature(std::size_t i) {
  Shape const& shape = ShapeOf(features_[i]);
  Feature& own = of_[i];
  own.begin = rise_.size();
  std::size_t const end = own.begin + shape.groups + 1;
  rise_.resize(end);
  for (std::size_t side = 0; side < Sides(i); ++side) {
    left_[side].gradient.resize(std::max(left_[side].gradient.size(), end));
    left_[side].hessian.resize(std::max(left_[side].hessian.size(), end));
  }
  FixedSum const total = Prefix(shape, 0,
                                {shape.bins, shape.group_bins, rise_.data() + own.begin,
                                 left_[0].gradient.data() + own.begin, left_[0].hessian.data() + own.begin});
  own.rest_gradient = task_.gradient - static_cast<double>(total.gradient) * coarse_.gradient_unit;
  own.rest_hessian = task_.hessian - static_cast<double>(total.hessian) * coarse_.hessian_unit;
  for (std::size_t side = 0; side < Sides(i); ++side) {
    Borders& left = left_[side];
    for (std::size_t k = own.begin + shape.from_above[side] / shape.group_bins; k < end; ++k) {
      left.gradient[k] = left_[0].gradient[k] + own.rest_gradient;
      left.hessian[k] = left_[0].hessian[k] + own.rest_hessian;
    }
    FindBorder(i, side);
  }
}

NearSum BinBounds::At(std::size_t i, std::size_t side, std::uint32_t bin) const {
  Shape const& shape = shapes_[features_[i]];
  Borders const& left = left_[side];
  std::uint32_t const group = bin / shape.group_bins, from_above = shape.from_above[side];
  std::size_t const at = of_[i].begin + group;
  FixedSum const within = SumBetween(shape, group * shape.group_bins, bin);
  double const rows = std::min(RowsOff(order_.RowsBelow(features_[i]), bin, bin, from_above), task_.rows);
  return {left.gradient[at] + static_cast<double>(within.gradient) * coarse_.gradient_unit,
          left.hessian[at] + static_cast<double>(within.hessian) * coarse_.hessian_unit, rows * coarse_.gradient_error,
          rows * coarse_.hessian_error};
}

FixedSum BinBounds::SumBetween(Shape const& shape, std::uint32_t first, std::uint32_t end) const {
  std::size_t const begin = shape.plane + 2 * std::size_t{first};
  if (histogram_->Packed()) {
    auto const sums = SumOf(histogram_->PackedPlane(0) + begin, end - first);
    return Histogram::Unpack(sums.rising) + Histogram::Unpack(sums.falling);
  }
  auto const sums = SumOf(histogram_->WidePlane(0) + begin, end - first);
  return sums.rising + sums.falling;
}

void BinBounds::FindBorder(std::size_t i, std::size_t side) {
  std::size_t const count = shapes_[features_[i]].groups + 1;
  gain_.assign(count, 0);
  GainTask gains;
  gains.left_gradient = left_[side].gradient.data() + of_[i].begin;
  gains.left_hessian = left_[side].hessian.data() + of_[i].begin;
  gains.count = count;
  gains.gradient = task_.gradient;
  gains.hessian = task_.hessian;
  gains.lambda = task_.lambda;
  gains.alpha = task_.alpha;
  gains.least_hessian = task_.least_hessian;
  gains.otherwise = -1;
  gains.gain = gain_.data();
  kernels_.add_gains(gains);
  double const score = gain_[kernels_.first_maximum(gain_.data(), count)];
  if (score <= lead_score_) return;
  lead_score_ = score;
  lead_ = i;
}

// Open groups that lie side by side are looked into together.
void BinBounds::AddOpen(std::size_t i, double bar, std::vector<Open>* open) {
  if (order_.Bins().Present(features_[i]) == 0) return;
  Shape const& shape = shapes_[features_[i]];
  std::size_t const begin = of_[i].begin;
  bound_.assign(shape.groups, -1);
  task_.rise = rise_.data() + begin;
  task_.count = shape.groups;
  task_.bar = bar;
  task_.bound = bound_.data();
  for (std::size_t side = 0; side < Sides(i); ++side) {
    task_.left_gradient = left_[side].gradient.data() + begin;
    task_.left_hessian = left_[side].hessian.data() + begin;
    task_.error_rows = shape.off[side].data();
    kernels_.bin_bounds(task_);
  }
  std::uint32_t count = 0;
  for (std::uint32_t g = 0; g < shape.groups; g += count) {
    count = 1;
    if (bound_[g] <= bar) continue;
    if (shape.group_bins == 1) {
      open->push_back({g, bound_[g]});
      continue;
    }
    while (count < kGroupsAtOnce && g + count < shape.groups && bound_[g + count] > bar) ++count;
    AddOpenOf(i, g, count, open);
  }
}

void BinBounds::AddOpenOf(std::size_t i, std::uint32_t group, std::uint32_t groups, std::vector<Open>* open) {
  constexpr std::size_t kMost = kGroupBins * kGroupsAtOnce;
  Shape const& shape = shapes_[features_[i]];
  Span<std::uint32_t const> const rows_below = order_.RowsBelow(features_[i]);
  std::uint32_t const first = group * shape.group_bins;
  std::uint32_t const count = std::min(groups * shape.group_bins, shape.bins - first);
  std::array<double, kMost> rise, off, bound;
  std::array<double, kMost + 1> below_gradient, below_hessian, left_gradient, left_hessian;
  Prefix(shape, first, {count, 1, rise.data(), below_gradient.data(), below_hessian.data()});
  std::fill_n(bound.begin(), count, -1.0);
  BoundTask task = task_;
  task.left_gradient = left_gradient.data();
  task.left_hessian = left_hessian.data();
  task.rise = rise.data();
  task.error_rows = off.data();
  task.count = count;
  task.bound = bound.data();
  for (std::size_t side = 0; side < Sides(i); ++side) {
    std::uint32_t const from_above = shape.from_above[side];
    bool const all_above = first >= from_above;
    double const gradient = left_[side].gradient[of_[i].begin + group];
    double const hessian = left_[side].hessian[of_[i].begin + group];
    for (std::uint32_t b = 0; b <= count; ++b) {
      bool const add_rest = first + b >= from_above && !all_above;
      left_gradient[b] = gradient + below_gradient[b] + (add_rest ? of_[i].rest_gradient : 0);
      left_hessian[b] = hessian + below_hessian[b] + (add_rest ? of_[i].rest_hessian : 0);
    }
    for (std::uint32_t b = 0; b < count; ++b) off[b] = RowsOff(rows_below, first + b, first + b + 1, from_above);
    kernels_.bin_bounds(task);
  }
  for (std::uint32_t b = 0; b < count; ++b) {
    if (bound[b] > task_.bar) open->push_back({first + b, bound[b]});
  }
}

}  // namespace xgbl
