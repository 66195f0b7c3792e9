// SPDX-License-Identifier: Apache-2.0
#include "tree/packed_gradients.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "parallel/parallel_for.h"
#include "simd/kernels.h"

namespace xgbl {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 15U;
constexpr int kWideGradientBits = 31, kWideHessianBits = 30;
// One less than what fits, so that rounding up never leaves the range.
constexpr double kNarrowGradient = 32766, kNarrowHessian = 65534;

// Floats of one sign are ordered as their bits are; comparing those finds NaN and infinity, too.
constexpr std::uint32_t kMagnitude = 0x7FFFFFFFU, kInfinite = 0x7F800000U;

std::uint32_t BitsOf(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

float FromBits(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

struct BitRange {
  std::uint32_t gradient = 0;  // the largest magnitudes
  std::uint32_t hessian = 0;
  std::int32_t lowest_hessian = std::numeric_limits<std::int32_t>::max();  // a negative one has the sign bit
  std::int32_t highest_hessian = std::numeric_limits<std::int32_t>::min();

  void Add(BitRange const& other) {
    gradient = std::max(gradient, other.gradient);
    hessian = std::max(hessian, other.hessian);
    lowest_hessian = std::min(lowest_hessian, other.lowest_hessian);
    highest_hessian = std::max(highest_hessian, other.highest_hessian);
  }
  void AddRow(float g, float h) {
    std::uint32_t const hessian_bits = BitsOf(h + 0.0F);  // no negative zeros
    gradient = std::max(gradient, BitsOf(g) & kMagnitude);
    hessian = std::max(hessian, hessian_bits & kMagnitude);
    lowest_hessian = std::min(lowest_hessian, static_cast<std::int32_t>(hessian_bits));
    highest_hessian = std::max(highest_hessian, static_cast<std::int32_t>(hessian_bits));
  }
  bool Finite() const { return gradient < kInfinite && hessian < kInfinite; }
  bool NegativeHessian() const { return lowest_hessian < 0; }
  bool OneHessian() const { return lowest_hessian == highest_hessian && lowest_hessian > 0; }
  GradientRange Largest() const { return {FromBits(gradient), FromBits(hessian)}; }
};

BitRange RangeOfRows(OutputGradients const& gradients, std::size_t begin, std::size_t end) {
  BitRange range;
  if (gradients.stride == 1) {  // apart, as the compiler makes vector code of it
    for (std::size_t i = begin; i < end; ++i) range.AddRow(gradients.gradient[i], gradients.hessian[i]);
  } else {
    for (std::size_t i = begin; i < end; ++i) range.AddRow(gradients.G(i), gradients.H(i));
  }
  return range;
}

BitRange CheckedRange(OutputGradients const& gradients, Context const& ctx) {
  std::vector<BitRange> parts((gradients.rows + kBlock - 1) / kBlock);
  ParallelBlocks(ForWork(ctx, gradients.rows), gradients.rows, kBlock, [&](std::size_t begin, std::size_t end) {
    parts[begin / kBlock] = RangeOfRows(gradients, begin, end);
  });
  BitRange range;
  for (auto const& part : parts) range.Add(part);
  if (!range.Finite()) RangeOf(gradients, ctx);  // throws, and says which row
  return range;
}

FixedScale NarrowScale(BitRange const& range) {
  auto const [gradient, hessian] = range.Largest();
  FixedScale scale;
  if (gradient > 0) scale.gradient_unit = static_cast<double>(gradient) / kNarrowGradient;
  if (hessian > 0) scale.hessian_unit = static_cast<double>(hessian) / (range.OneHessian() ? 1.0 : kNarrowHessian);
  return scale;
}

// How many values are positive, and how many of them less than one unit.
struct Blur {
  std::size_t positive = 0;
  std::size_t small = 0;

  void Add(double magnitude, double unit) {
    positive += magnitude > 0 ? 1 : 0;
    small += magnitude > 0 && magnitude < unit ? 1 : 0;
  }
  bool Much() const { return small * 8 > positive; }
};

// Looks at the first rows of each block: a sample, but always the same one.
bool Blurred(OutputGradients const& gradients, BitRange const& range, Context const& ctx) {
  constexpr std::size_t kStep = 4096, kSample = 512;
  if (range.NegativeHessian()) return true;
  FixedScale const scale = NarrowScale(range);
  std::vector<Blur> g_parts((gradients.rows + kBlock - 1) / kBlock), h_parts(g_parts.size());
  ParallelBlocks(ForWork(ctx, gradients.rows / 8), gradients.rows, kBlock, [&](std::size_t begin, std::size_t end) {
    Blur g, h;
    for (std::size_t step = begin; step < end; step += kStep) {
      std::size_t const last = std::min(end, step + kSample);
      for (std::size_t i = step; i < last; ++i) {
        g.Add(static_cast<double>(std::fabs(gradients.G(i))), scale.gradient_unit);
        h.Add(static_cast<double>(gradients.H(i)), scale.hessian_unit);
      }
    }
    g_parts[begin / kBlock] = g;
    h_parts[begin / kBlock] = h;
  });
  auto const much = [](std::vector<Blur> const& parts) {
    Blur all;
    for (Blur const& part : parts) {
      all.positive += part.positive;
      all.small += part.small;
    }
    return all.Much();
  };
  return much(g_parts) || (!range.OneHessian() && much(h_parts));
}

void PackNarrow(OutputGradients const& gradients, BitRange const& range, std::uint64_t key, Context const& ctx,
                PackedGradients* out) {
  out->scale = NarrowScale(range);
  out->narrow = Buffer<std::int32_t>(gradients.rows);
  PackTask task;
  task.gradient = gradients.gradient;
  task.hessian = range.OneHessian() ? nullptr : gradients.hessian;
  task.stride = gradients.stride;
  task.gradient_factor = 1 / out->scale.gradient_unit;
  task.hessian_factor = 1 / out->scale.hessian_unit;
  task.key = key;
  task.packed = out->narrow.data();
  auto const pack = Simd(ctx).pack_gradients;
  ParallelBlocks(ForWork(ctx, gradients.rows), gradients.rows, kBlock,
                 [&](std::size_t begin, std::size_t end) { pack(task, begin, end); });
}

std::int32_t Nearest(float value, double factor) {
  return static_cast<std::int32_t>(std::floor(static_cast<double>(value) * factor + 0.5));
}

void PackWide(OutputGradients const& gradients, BitRange const& range, Context const& ctx, PackedGradients* out) {
  out->wide = true;
  out->scale = ScaleFor(range.Largest(), kWideGradientBits, kWideHessianBits);
  out->wide_pairs = Buffer<PackedGradients::WidePair>(gradients.rows);
  double const gradient_factor = 1 / out->scale.gradient_unit;  // powers of two: exact
  double const hessian_factor = 1 / out->scale.hessian_unit;
  ParallelBlocks(ForWork(ctx, gradients.rows * 2), gradients.rows, kBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::int32_t const hessian = Nearest(gradients.H(i), hessian_factor);
      bool const vanished = hessian == 0 && gradients.H(i) > 0;
      out->wide_pairs[i] = {Nearest(gradients.G(i), gradient_factor), vanished ? 1 : hessian};
    }
  });
}

}  // namespace

FixedSum PackedGradients::Row(std::size_t row) const {
  if (wide) return {wide_pairs[row].gradient, wide_pairs[row].hessian};
  std::int32_t const pair = narrow[row];
  return {pair >> 16, pair & 0xFFFF};
}

bool NeedsWide(OutputGradients const& gradients, Context const& ctx) {
  return Blurred(gradients, CheckedRange(gradients, ctx), ctx);
}

PackedGradients PackGradients(OutputGradients const& gradients, GradientBits bits, Random const& random,
                              Context const& ctx) {
  BitRange const range = CheckedRange(gradients, ctx);
  bool const wide = bits == GradientBits::kWide || range.NegativeHessian() ||
                    (bits == GradientBits::kAuto && Blurred(gradients, range, ctx));
  PackedGradients out;
  if (wide) {
    PackWide(gradients, range, ctx, &out);
  } else {
    PackNarrow(gradients, range, random.Bits(0), ctx, &out);
  }
  return out;
}

}  // namespace xgbl
