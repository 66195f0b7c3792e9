// SPDX-License-Identifier: Apache-2.0
#include "exact/bin_walk.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace xgbl {
namespace {

constexpr std::size_t kBlockRows = 512;  // are walked before it is asked whether they may win
constexpr std::size_t kWalkPieceRows = 16;

}  // namespace

void BinWalk::Load(ScanBatch const& batch, FixedSum total) {
  task_.gradient = static_cast<double>(total.gradient);
  task_.hessian = static_cast<double>(total.hessian);
  task_.lambda = batch.Lambda();
  task_.alpha = batch.Alpha();
  task_.least_hessian = static_cast<double>(batch.LeastHessian());
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
