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

void BinBounds::Load(ScanBatch const& batch, FixedSum total, std::size_t rows, Span<std::uint32_t const> features,
                     Histogram const& histogram) {
  histogram_ = &histogram;
  features_ = features;
  rows_ = static_cast<double>(rows);
  of_.assign(features.size(), {});
  below_gradient_.clear();
  below_hessian_.clear();
  rise_.clear();
  bound_.clear();
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
    if (order_.Bins().Present(features[i]) > 0) LoadFeature(i);
  }
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

// Of so many bins from a first one on.
FixedSum BinBounds::SumOf(Feature const& feature, std::uint32_t first, std::uint32_t count, std::int64_t* rise) const {
  std::size_t const begin = feature.plane + 2 * std::size_t{first};
  Sums<FixedSum> sums;
  if (histogram_->Packed()) {
    auto const packed = SumOf(histogram_->PackedPlane(0) + begin, count);
    sums = {Histogram::Unpack(packed.rising), Histogram::Unpack(packed.falling)};
  } else {
    sums = SumOf(histogram_->WidePlane(0) + begin, count);
  }
  *rise = sums.rising.gradient;
  return sums.rising + sums.falling;
}

// Sums of whole groups have a loop of known length, which becomes vector code.
template <class Word>
void BinBounds::SumGroups(Feature const& feature, Word const* words, std::vector<Word>* sums) {
  sums->resize(feature.groups);
  for (std::uint32_t g = 0; g < feature.groups; ++g) {
    std::uint32_t const first = g * feature.group_bins, count = std::min(feature.group_bins, feature.bins - first);
    Word const* const own = words + 2 * std::size_t{first};
    Sums<Word> const sum = count == kGroupBins ? SumOf(own, kGroupBins) : SumOf(own, count);
    (*sums)[g] = sum.rising;
    (*sums)[g] += sum.falling;
    if constexpr (std::is_same_v<Word, FixedSum>) {
      rise_[feature.begin + g] = static_cast<double>(sum.rising.gradient) * coarse_.gradient_unit;
    } else {
      rise_[feature.begin + g] = static_cast<double>(Histogram::Unpack(sum.rising).gradient) * coarse_.gradient_unit;
    }
  }
}

// Fills the groups' sums and those below their borders; gives the sum of all.
FixedSum BinBounds::SumBorders(Feature const& feature) {
  double* const gradient = below_gradient_.data() + feature.begin;
  double* const hessian = below_hessian_.data() + feature.begin;
  gradient[0] = hessian[0] = 0;
  if (histogram_->Packed()) {
    SumGroups(feature, histogram_->PackedPlane(0) + feature.plane, &packed_sums_);
    return Histogram::Unpack(kernels_.prefix_packed(packed_sums_.data(), feature.groups, coarse_.gradient_unit,
                                                    coarse_.hessian_unit, gradient + 1, hessian + 1));
  }
  SumGroups(feature, histogram_->WidePlane(0) + feature.plane, &wide_sums_);
  FixedSum total;
  kernels_.prefix_wide(&wide_sums_[0].gradient, feature.groups, coarse_.gradient_unit, coarse_.hessian_unit,
                       gradient + 1, hessian + 1, &total.gradient);
  return total;
}

void BinBounds::LoadFeature(std::size_t i) {
  Feature& own = of_[i];
  Span<std::uint32_t const> const rows_below = order_.RowsBelow(features_[i]);
  own.bins = static_cast<std::uint32_t>(rows_below.size() - 1);
  own.group_bins = own.bins < kManyBins ? 1 : kGroupBins;
  own.groups = (own.bins + own.group_bins - 1) / own.group_bins;
  own.begin = rise_.size();
  own.plane = 2 * std::size_t{order_.Bins().Place(features_[i]).histogram};
  std::size_t const end = own.begin + own.groups + 1;
  for (auto* array : {&below_gradient_, &below_hessian_, &rise_}) array->resize(end);
  bound_.resize(end, -1);
  FixedSum const total = SumBorders(own);
  own.rest_gradient = task_.gradient - static_cast<double>(total.gradient) * coarse_.gradient_unit;
  own.rest_hessian = task_.hessian - static_cast<double>(total.hessian) * coarse_.hessian_unit;
  auto const middle = std::upper_bound(rows_below.begin(), rows_below.end(), rows_below[own.bins] / 2);
  own.from_below = {own.bins + 1, 0};
  if (Sides(i) == 1) own.from_below[0] = static_cast<std::uint32_t>(middle - rows_below.begin());
  Run const groups{i,
                   0,
                   own.group_bins,
                   own.groups,
                   below_gradient_.data() + own.begin,
                   below_hessian_.data() + own.begin,
                   rise_.data() + own.begin,
                   bound_.data() + own.begin};
  for (int side = 0; side < Sides(i); ++side) {
    FillBorders(groups, side);
    Bound(groups);
    FindBorder(i, own.groups + 1);
  }
}

double BinBounds::RowsOff(std::size_t i, int side, std::uint32_t bin) const {
  Span<std::uint32_t const> const below = order_.RowsBelow(features_[i]);
  bool const from_below = bin < of_[i].from_below[static_cast<std::size_t>(side)];
  return std::min(static_cast<double>(from_below ? below[bin] : below[of_[i].bins] - below[bin]), rows_);
}

// Side 0 sends what is missing to the right: left sums are those below. Side 1: they are all but those above.
NearSum BinBounds::At(std::size_t i, int side, std::uint32_t bin) const {
  Feature const& own = of_[i];
  std::uint32_t const group = bin / own.group_bins, first = group * own.group_bins;
  std::int64_t rise = 0;
  FixedSum const within = SumOf(own, first, bin - first, &rise);
  bool const from_below = bin < own.from_below[static_cast<std::size_t>(side)];
  double const rows = RowsOff(i, side, bin);
  return {below_gradient_[own.begin + group] + static_cast<double>(within.gradient) * coarse_.gradient_unit +
              (from_below ? 0 : own.rest_gradient),
          below_hessian_[own.begin + group] + static_cast<double>(within.hessian) * coarse_.hessian_unit +
              (from_below ? 0 : own.rest_hessian),
          rows * coarse_.gradient_error, rows * coarse_.hessian_error};
}

// Up to some border the left sums are those of what is below, from there on all but those of what is above.
void BinBounds::FillBorders(Run const& run, int side) {
  Feature const& own = of_[run.i];
  Span<std::uint32_t const> const rows_below = order_.RowsBelow(features_[run.i]);
  std::uint32_t const all = rows_below[own.bins], switches = own.from_below[static_cast<std::size_t>(side)];
  auto const bin_at = [&](std::size_t k) {
    return std::min(own.bins, run.first + static_cast<std::uint32_t>(k) * run.step);
  };
  left_gradient_.resize(run.count + 1);
  left_hessian_.resize(run.count + 1);
  error_rows_.resize(run.count + 1);
  std::size_t k = 0;
  for (; k <= run.count && bin_at(k) < switches; ++k) {
    left_gradient_[k] = run.below_gradient[k];
    left_hessian_[k] = run.below_hessian[k];
    error_rows_[k] = std::min(static_cast<double>(rows_below[bin_at(k)]), rows_);
  }
  std::size_t const turn = k;
  for (; k <= run.count; ++k) {
    left_gradient_[k] = run.below_gradient[k] + own.rest_gradient;
    left_hessian_[k] = run.below_hessian[k] + own.rest_hessian;
    error_rows_[k] = std::min(static_cast<double>(all - rows_below[bin_at(k)]), rows_);
  }
  for (std::size_t b = 0; b < run.count; ++b) error_rows_[b] = std::max(error_rows_[b], error_rows_[b + 1]);
  if (turn > 0 && turn <= run.count) error_rows_[turn - 1] = rows_;
}

void BinBounds::Bound(Run const& run) {
  task_.left_gradient = left_gradient_.data();
  task_.left_hessian = left_hessian_.data();
  task_.rise = run.rise;
  task_.error_rows = error_rows_.data();
  task_.count = run.count;
  task_.bound = run.bound;
  kernels_.bin_bounds(task_);
}

void BinBounds::FindBorder(std::size_t i, std::size_t count) {
  gain_.assign(count, 0);
  GainTask gains;
  gains.left_gradient = left_gradient_.data();
  gains.left_hessian = left_hessian_.data();
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
  Feature const& own = of_[i];
  double const* const bound = bound_.data() + own.begin;
  std::uint32_t count = 0;
  for (std::uint32_t g = 0; g < own.groups; g += count) {
    count = 1;
    if (bound[g] <= bar) continue;
    if (own.group_bins == 1) {
      open->push_back({g, bound[g]});
      continue;
    }
    while (count < kGroupsAtOnce && g + count < own.groups && bound[g + count] > bar) ++count;
    AddOpenOf(i, g, count, bar, open);
  }
}

void BinBounds::AddOpenOf(std::size_t i, std::uint32_t group, std::uint32_t groups, double bar,
                          std::vector<Open>* open) {
  Feature const& own = of_[i];
  std::uint32_t const first = group * own.group_bins, count = std::min(groups * own.group_bins, own.bins - first);
  std::array<double, kGroupBins * kGroupsAtOnce + 1> below_gradient, below_hessian, rise, bound;
  std::fill_n(bound.begin(), count, -1.0);
  below_gradient[0] = below_gradient_[own.begin + group];
  below_hessian[0] = below_hessian_[own.begin + group];
  for (std::uint32_t b = 0; b < count; ++b) {
    std::int64_t up = 0;
    FixedSum const sum = SumOf(own, first + b, 1, &up);
    below_gradient[b + 1] = below_gradient[b] + static_cast<double>(sum.gradient) * coarse_.gradient_unit;
    below_hessian[b + 1] = below_hessian[b] + static_cast<double>(sum.hessian) * coarse_.hessian_unit;
    rise[b] = static_cast<double>(up) * coarse_.gradient_unit;
  }
  Run const bins{i, first, 1, count, below_gradient.data(), below_hessian.data(), rise.data(), bound.data()};
  for (int side = 0; side < Sides(i); ++side) {
    FillBorders(bins, side);
    Bound(bins);
  }
  for (std::uint32_t b = 0; b < count; ++b) {
    if (bound[b] > bar) open->push_back({first + b, bound[b]});
  }
}

}  // namespace xgbl
