// SPDX-License-Identifier: Apache-2.0
#include "exact/bin_bounds.h"

#include <algorithm>
#include <cstdlib>

namespace xgbl {
namespace {

constexpr std::size_t kBlockRows = 512;  // are walked before it is asked whether they may win
constexpr std::size_t kWalkPieceRows = 16;

}  // namespace

void BinBounds::Load(ScanBatch const& batch, FixedSum total, std::size_t rows, Span<std::uint32_t const> features,
                     Histogram const& histogram) {
  histogram_ = &histogram;
  features_ = features;
  begin_.assign(features.size(), 0);
  rise_.clear();
  lead_ = features.size();
  lead_score_ = 0;
  static_cast<Candidates&>(task_) = batch.CandidatesOf(total);
  task_.rows = static_cast<double>(rows);
  task_.gradient_error = coarse_.gradient_error;
  task_.hessian_error = coarse_.hessian_error;
  task_.most_ratio = coarse_.most_ratio;
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

void BinBounds::SumRuns(Runs const& runs, std::int64_t const* words) {
  packed_sums_.resize(std::max<std::size_t>(packed_sums_.size(), runs.bins));
  kernels_.sum_signs({words, runs.bins, runs.groups, coarse_.gradient_unit, packed_sums_.data(), runs.rise});
}

void BinBounds::SumRuns(Runs const& runs, FixedSum const* words) {
  wide_sums_.resize(std::max<std::size_t>(wide_sums_.size(), runs.bins));
  std::size_t const step = runs.groups ? SignTask::kGroupBins : 1;
  for (std::size_t first = 0, k = 0; first < runs.bins; first += step, ++k) {
    Sums<FixedSum> const sum = SumOf(words + 2 * first, std::min(step, runs.bins - first));
    wide_sums_[k] = sum.rising + sum.falling;
    runs.rise[k] = static_cast<double>(sum.rising.gradient) * coarse_.gradient_unit;
  }
}

// Fills the runs from a place in the histogram on, and gives the sum of all of them.
FixedSum BinBounds::Prefix(std::size_t begin, Runs const& runs) {
  std::size_t const step = runs.groups ? SignTask::kGroupBins : 1, count = (runs.bins + step - 1) / step;
  runs.gradient[0] = runs.hessian[0] = 0;
  FixedSum total;
  if (histogram_->Packed()) {
    SumRuns(runs, histogram_->PackedPlane(0) + begin);
    total = Histogram::Unpack(scan_.prefix_packed(packed_sums_.data(), count, coarse_.gradient_unit,
                                                  coarse_.hessian_unit, runs.gradient + 1, runs.hessian + 1));
  } else {
    SumRuns(runs, histogram_->WidePlane(0) + begin);
    scan_.prefix_wide(&wide_sums_[0].gradient, count, coarse_.gradient_unit, coarse_.hessian_unit, runs.gradient + 1,
                      runs.hessian + 1, &total.gradient);
  }
  return total;
}

// Side 0 sends what is missing to the right, side 1 to the left.
void BinBounds::LoadFeature(std::size_t i) {
  ErrorRows const& bins = order_.Errors(features_[i]);
  std::size_t const begin = begin_[i] = rise_.size(), end = begin + bins.groups + 1;
  rise_.resize(end);
  for (std::size_t side = 0; side < Sides(i); ++side) {
    left_[side].gradient.resize(std::max(left_[side].gradient.size(), end));
    left_[side].hessian.resize(std::max(left_[side].hessian.size(), end));
  }
  FixedSum const total =
      Prefix(Plane(features_[i]), {bins.bins, bins.group_bins > 1, rise_.data() + begin,
                                   left_[0].gradient.data() + begin, left_[0].hessian.data() + begin});
  double const rest_gradient = task_.gradient - static_cast<double>(total.gradient) * coarse_.gradient_unit;
  double const rest_hessian = task_.hessian - static_cast<double>(total.hessian) * coarse_.hessian_unit;
  for (std::size_t side = 0; side < Sides(i); ++side) {
    Borders& left = left_[side];
    for (std::size_t k = begin + bins.from_above[side] / bins.group_bins; k < end; ++k) {
      left.gradient[k] = left_[0].gradient[k] + rest_gradient;
      left.hessian[k] = left_[0].hessian[k] + rest_hessian;
    }
    FindBorder(i, side);
  }
}

NearSum BinBounds::At(std::size_t i, std::size_t side, std::uint32_t bin) const {
  std::uint32_t const feature = features_[i];
  ErrorRows const& bins = order_.Errors(feature);
  Borders const& left = left_[side];
  std::uint32_t const group = bin / bins.group_bins, first = group * bins.group_bins;
  std::size_t const at = begin_[i] + group;
  FixedSum const within = SumBetween(Plane(feature) + 2 * std::size_t{first}, bin - first);
  double const rows = std::min(ErrorRows::AtBorder(order_.RowsBelow(feature), bin, bins.from_above[side]), task_.rows);
  return {left.gradient[at] + static_cast<double>(within.gradient) * coarse_.gradient_unit,
          left.hessian[at] + static_cast<double>(within.hessian) * coarse_.hessian_unit, rows * coarse_.gradient_error,
          rows * coarse_.hessian_error};
}

FixedSum BinBounds::SumBetween(std::size_t begin, std::size_t bins) const {
  if (histogram_->Packed()) {
    auto const sums = SumOf(histogram_->PackedPlane(0) + begin, bins);
    return Histogram::Unpack(sums.rising) + Histogram::Unpack(sums.falling);
  }
  auto const sums = SumOf(histogram_->WidePlane(0) + begin, bins);
  return sums.rising + sums.falling;
}

void BinBounds::FindBorder(std::size_t i, std::size_t side) {
  std::size_t const count = order_.Errors(features_[i]).groups + 1;
  gain_.assign(count, 0);
  GainTask gains{task_, -1, gain_.data()};
  gains.left_gradient = left_[side].gradient.data() + begin_[i];
  gains.left_hessian = left_[side].hessian.data() + begin_[i];
  gains.count = count;
  scan_.add_gains(gains);
  double const score = gain_[scan_.first_maximum(gain_.data(), count)];
  if (score <= lead_score_) return;
  lead_score_ = score;
  lead_ = i;
}

// Open groups that lie side by side, and whose borders are seen from one end, are looked into together.
void BinBounds::AddOpen(std::size_t i, double bar, std::vector<Open>* open) {
  if (order_.Bins().Present(features_[i]) == 0) return;
  ErrorRows const& bins = order_.Errors(features_[i]);
  std::size_t const begin = begin_[i];
  bound_.assign(bins.groups, -1);
  task_.rise = rise_.data() + begin;
  task_.count = bins.groups;
  task_.bar = bar;
  task_.bound = bound_.data();
  for (std::size_t side = 0; side < Sides(i); ++side) {
    task_.left_gradient = left_[side].gradient.data() + begin;
    task_.left_hessian = left_[side].hessian.data() + begin;
    task_.error_rows = bins.rows_of_group[side].data();
    kernels_.bin_bounds(task_);
  }
  std::uint32_t const middle = bins.from_above[0] / bins.group_bins;
  std::uint32_t count = 0;
  for (std::uint32_t g = 0; g < bins.groups; g += count) {
    count = 1;
    if (bound_[g] <= bar) continue;
    if (bins.group_bins == 1) {
      open->push_back({g, bound_[g]});
      continue;
    }
    std::uint32_t const end = std::min(g < middle ? std::min(middle, bins.groups) : bins.groups, g + kGroupsAtOnce);
    while (g + count < end && bound_[g + count] > bar) ++count;
    AddOpenOf(i, g, count, open);
  }
}

void BinBounds::AddOpenOf(std::size_t i, std::uint32_t group, std::uint32_t groups, std::vector<Open>* open) {
  constexpr std::size_t kMost = SignTask::kGroupBins * kGroupsAtOnce;
  ErrorRows const& bins = order_.Errors(features_[i]);
  std::uint32_t const first = group * bins.group_bins;
  std::uint32_t const count = std::min(groups * bins.group_bins, bins.bins - first);
  std::array<double, kMost> rise, bound;
  std::array<double, kMost + 1> gradient, hessian;
  Prefix(Plane(features_[i]) + 2 * std::size_t{first}, {count, false, rise.data(), gradient.data(), hessian.data()});
  std::fill_n(bound.begin(), count, -1.0);
  BoundTask task = task_;
  task.left_gradient = gradient.data();
  task.left_hessian = hessian.data();
  task.rise = rise.data();
  task.count = count;
  task.bound = bound.data();
  for (std::size_t side = 0; side < Sides(i); ++side) {
    task.gradient_shift = left_[side].gradient[begin_[i] + group];
    task.hessian_shift = left_[side].hessian[begin_[i] + group];
    task.error_rows = bins.rows_of_bin[side].data() + first;
    kernels_.bin_bounds(task);
  }
  for (std::uint32_t b = 0; b < count; ++b) {
    if (bound[b] > task_.bar) open->push_back({first + b, bound[b]});
  }
}

void BinWalk::Load(ScanBatch const& batch, FixedSum total) {
  static_cast<Candidates&>(task_) = batch.CandidatesOf(total);
  gradient_.resize(kBlockRows + 1);
  hessian_.resize(kBlockRows + 1);
}

bool BinWalk::MayBeat(NearSum const& left, double bar) {
  double const nothing = 0;
  return AnyBeats(left, {&nothing, 1}, {&nothing, 1}, bar);
}

bool BinWalk::MayBeatAmong(Span<std::uint32_t const> rows, Span<NearSum const> left, double bar) {
  auto const off = static_cast<double>(rows.size());
  if (rows.empty()) return std::any_of(left.begin(), left.end(), [&](NearSum near) { return MayBeat(near, bar); });
  FixedSum below;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlockRows) {
    Span<std::uint32_t const> const block = rows.Sub(begin, std::min(kBlockRows, rows.size() - begin));
    FixedSum const first = below;
    Pieces const pieces = SumPieces(block, &below);
    auto const any = [&](std::size_t places, Pieces const& more) {
      return std::any_of(left.begin(), left.end(), [&](NearSum near) {
        near.gradient_error += off * coarse_.gradient_error + more.gradient;
        near.hessian_error += off * coarse_.hessian_error + more.hessian;
        return AnyBeats(near, {gradient_.data(), places}, {hessian_.data(), places}, bar);
      });
    };
    if (!any(pieces.count, pieces)) continue;
    SumRows(block, first);
    if (any(block.size() + 1, {})) return true;
  }
  return false;
}

// Sums of what is below each piece, and adds all rows to `below`. Pairs, which lie anywhere, are brought together
// first, so that what follows is vector code.
BinWalk::Pieces BinWalk::SumPieces(Span<std::uint32_t const> rows, FixedSum* below) {
  PackedGradients const& packed = coarse_.packed;
  if (packed.wide) {
    std::array<PackedGradients::WidePair, kBlockRows> pairs;
    for (std::size_t i = 0; i < rows.size(); ++i) pairs[i] = packed.wide_pairs[rows[i]];
    auto const unpack = [](PackedGradients::WidePair pair) { return FixedSum{pair.gradient, pair.hessian}; };
    return SumPiecesOf<std::int64_t>(pairs.data(), rows.size(), below, unpack);
  }
  struct Narrow {
    std::int32_t gradient, hessian;
  };
  std::array<std::int32_t, kBlockRows> pairs;
  for (std::size_t i = 0; i < rows.size(); ++i) pairs[i] = packed.narrow[rows[i]];
  auto const unpack = [](std::int32_t pair) { return Narrow{pair >> 16, pair & 0xFFFF}; };
  return SumPiecesOf<std::int32_t>(pairs.data(), rows.size(), below, unpack);
}

template <class Integer, class Pair, class Unpack>
BinWalk::Pieces BinWalk::SumPiecesOf(Pair const* pairs, std::size_t count, FixedSum* below, Unpack&& unpack) {
  Pieces out;
  std::int64_t gradient = 0, hessian = 0;
  for (std::size_t begin = 0; begin < count; begin += kWalkPieceRows) {
    gradient_[out.count] = static_cast<double>(below->gradient) * coarse_.gradient_unit;
    hessian_[out.count] = static_cast<double>(below->hessian) * coarse_.hessian_unit;
    ++out.count;
    Integer sum_gradient = 0, sum_hessian = 0, magnitude = 0;
    auto const add = [&](std::size_t i) {
      auto const pair = unpack(pairs[i]);
      sum_gradient += pair.gradient;
      sum_hessian += pair.hessian;
      magnitude += std::abs(pair.gradient);
    };
    if (begin + kWalkPieceRows <= count) {
      for (std::size_t i = 0; i < kWalkPieceRows; ++i) add(begin + i);
    } else {
      for (std::size_t i = begin; i < count; ++i) add(i);
    }
    *below += FixedSum{sum_gradient, sum_hessian};
    gradient = std::max<std::int64_t>(gradient, magnitude);
    hessian = std::max<std::int64_t>(hessian, sum_hessian);
  }
  out.gradient = static_cast<double>(gradient) * coarse_.gradient_unit;
  out.hessian = static_cast<double>(hessian) * coarse_.hessian_unit;
  return out;
}

// Sums before the rows, and after each.
void BinWalk::SumRows(Span<std::uint32_t const> rows, FixedSum below) {
  for (std::size_t i = 0; i <= rows.size(); ++i) {
    gradient_[i] = static_cast<double>(below.gradient) * coarse_.gradient_unit;
    hessian_[i] = static_cast<double>(below.hessian) * coarse_.hessian_unit;
    if (i < rows.size()) below += coarse_.packed.Row(rows[i]);
  }
}

bool BinWalk::AnyBeats(NearSum const& added, Span<double const> gradient, Span<double const> hessian, double bar) {
  task_.left_gradient = gradient.data();
  task_.left_hessian = hessian.data();
  task_.count = gradient.size();
  task_.gradient_shift = added.gradient;
  task_.hessian_shift = added.hessian;
  task_.gradient_error = added.gradient_error;
  task_.hessian_error = added.hessian_error;
  task_.bar = bar;
  return kernels_.any_beats(task_);
}

}  // namespace xgbl
