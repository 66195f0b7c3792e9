// SPDX-License-Identifier: Apache-2.0
#include "hist/packed_gradients.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/math.h"
#include "parallel/parallel_for.h"
#include "simd/histogram_kernels.h"

namespace xgbl {
namespace {

constexpr std::size_t kLargestBlock = 4096, kSmallestBlock = 1024;  // rows
constexpr std::size_t kFewRows = 16384;
constexpr int kWideGradientBits = 31, kWideHessianBits = 30;
// One less than what fits, so that rounding up never leaves the range.
constexpr double kNarrowGradient = 32766, kNarrowHessian = 65534;

std::size_t BlockRows(std::size_t outputs) {
  return std::max(kSmallestBlock, kLargestBlock / std::max<std::size_t>(outputs, 1));
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
    std::uint32_t const hessian_bits = ToBits(h + 0.0F);  // no negative zeros
    gradient = std::max(gradient, Magnitude(g));
    hessian = std::max(hessian, hessian_bits & ~kSignBit);
    lowest_hessian = std::min(lowest_hessian, static_cast<std::int32_t>(hessian_bits));
    highest_hessian = std::max(highest_hessian, static_cast<std::int32_t>(hessian_bits));
  }
  bool Finite() const { return gradient < kInfinite && hessian < kInfinite; }
  bool NegativeHessian() const { return lowest_hessian < 0; }
  bool OneHessian() const { return lowest_hessian == highest_hessian && lowest_hessian > 0; }
  GradientRange Largest() const { return {FromBits<float>(gradient), FromBits<float>(hessian)}; }
};

BitRange BitRangeOfRows(OutputGradients const& gradients, std::size_t begin, std::size_t end) {
  BitRange range;
  if (gradients.stride == 1) {  // apart, as the compiler makes vector code of it
    for (std::size_t i = begin; i < end; ++i) range.AddRow(gradients.gradient[i], gradients.hessian[i]);
  } else {
    for (std::size_t i = begin; i < end; ++i) range.AddRow(gradients.G(i), gradients.H(i));
  }
  return range;
}

using Outputs = Span<OutputGradients const>;

std::size_t RowsOf(Outputs outputs) { return outputs.empty() ? 0 : outputs[0].rows; }

// Calls `body(block, begin, end)` for blocks of rows. With several outputs, which lie side by side, they are so small
// that a block is still in the cache when the next output reads it.
template <class Body>
void ForBlocks(Outputs outputs, Context const& ctx, Body&& body) {
  std::size_t const block = BlockRows(outputs.size());
  ParallelBlocks(ForWork(ctx, RowsOf(outputs) * outputs.size()), RowsOf(outputs), block,
                 [&](std::size_t begin, std::size_t end) { body(begin / block, begin, end); });
}

// What `part(output, begin, end)` gives for the blocks of each output, brought together by Add().
template <class Part, class Of>
std::vector<Part> GatherParts(Outputs outputs, Context const& ctx, Of&& part) {
  std::size_t const block = BlockRows(outputs.size()), blocks = (RowsOf(outputs) + block - 1) / block;
  std::vector<Part> parts(blocks * outputs.size()), all(outputs.size());
  ForBlocks(outputs, ctx, [&](std::size_t i, std::size_t begin, std::size_t end) {
    for (std::size_t k = 0; k < outputs.size(); ++k) parts[i * outputs.size() + k] = part(k, begin, end);
  });
  for (std::size_t i = 0; i < parts.size(); ++i) all[i % outputs.size()].Add(parts[i]);
  return all;
}

std::vector<BitRange> CheckedRanges(Outputs outputs, Context const& ctx) {
  auto ranges = GatherParts<BitRange>(outputs, ctx, [&](std::size_t k, std::size_t begin, std::size_t end) {
    return BitRangeOfRows(outputs[k], begin, end);
  });
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (!ranges[k].Finite()) RangeOf(outputs[k], ctx);  // throws, and says which row
  }
  return ranges;
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

  void AddValue(float magnitude, float unit) {
    positive += magnitude > 0 ? 1 : 0;
    small += magnitude > 0 && magnitude < unit ? 1 : 0;
  }
  void Add(Blur const& other) {
    positive += other.positive;
    small += other.small;
  }
  bool Much() const { return small * 8 > positive; }
};

struct PairBlur {
  Blur gradient;
  Blur hessian;
  void Add(PairBlur const& other) {
    gradient.Add(other.gradient);
    hessian.Add(other.hessian);
  }
};

// Of the first eighth of each block if there are many: a sample, but always the same one.
PairBlur BlurOfRows(OutputGradients const& gradients, FixedScale const& scale, std::size_t begin, std::size_t end) {
  auto const gradient_unit = static_cast<float>(scale.gradient_unit);
  auto const hessian_unit = static_cast<float>(scale.hessian_unit);
  std::size_t const last = gradients.rows <= kFewRows ? end : begin + (end - begin + 7) / 8;
  PairBlur blur;
  for (std::size_t i = begin; i < last; ++i) {
    blur.gradient.AddValue(std::fabs(gradients.G(i)), gradient_unit);
    blur.hessian.AddValue(gradients.H(i), hessian_unit);
  }
  return blur;
}

bool AnyBlurred(Outputs outputs, std::vector<BitRange> const& ranges, Context const& ctx) {
  auto const blurs = GatherParts<PairBlur>(outputs, ctx, [&](std::size_t k, std::size_t begin, std::size_t end) {
    return BlurOfRows(outputs[k], NarrowScale(ranges[k]), begin, end);
  });
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (blurs[k].gradient.Much() || (!ranges[k].OneHessian() && blurs[k].hessian.Much())) return true;
  }
  return false;
}

void PackNarrow(Outputs outputs, std::vector<BitRange> const& ranges, Random const* random, Context const& ctx,
                PackedGradients* out) {
  std::vector<PackTask> tasks;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    out[k].scale = NarrowScale(ranges[k]);
    out[k].narrow = Buffer<std::int32_t>(outputs[k].rows);
    PackTask task;
    task.gradient = outputs[k].gradient;
    task.hessian = ranges[k].OneHessian() ? nullptr : outputs[k].hessian;
    task.stride = outputs[k].stride;
    task.gradient_factor = 1 / out[k].scale.gradient_unit;
    task.hessian_factor = 1 / out[k].scale.hessian_unit;
    task.nearest = random == nullptr;
    if (random != nullptr) task.key = random->Bits(k);
    task.packed = out[k].narrow.data();
    tasks.push_back(task);
  }
  auto const pack = HistogramKernels::Of(ctx.simd).pack_gradients;
  ForBlocks(outputs, ctx, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (PackTask const& task : tasks) pack(task, begin, end);
  });
}

std::int32_t Nearest(float value, double factor) {
  return static_cast<std::int32_t>(NearestInteger(static_cast<double>(value) * factor));
}

void PackWideRows(OutputGradients const& gradients, std::size_t begin, std::size_t end, PackedGradients* out) {
  double const gradient_factor = 1 / out->scale.gradient_unit;  // powers of two: exact
  double const hessian_factor = 1 / out->scale.hessian_unit;
  PackedGradients::WidePair* const pairs = out->wide_pairs.data();
  for (std::size_t i = begin; i < end; ++i) {
    std::int32_t const hessian = Nearest(gradients.H(i), hessian_factor);
    bool const vanished = hessian == 0 && gradients.H(i) > 0;
    pairs[i] = {Nearest(gradients.G(i), gradient_factor), vanished ? 1 : hessian};
  }
}

void PackWide(Outputs outputs, std::vector<BitRange> const& ranges, Context const& ctx, PackedGradients* out) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    out[k].wide = true;
    out[k].scale = ScaleFor(ranges[k].Largest(), kWideGradientBits, kWideHessianBits);
    out[k].wide_pairs = Buffer<PackedGradients::WidePair>(outputs[k].rows);
  }
  ForBlocks(outputs, ctx, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t k = 0; k < outputs.size(); ++k) PackWideRows(outputs[k], begin, end, &out[k]);
  });
}

}  // namespace

std::vector<PackedGradients> PackOutputs(Outputs outputs, GradientBits bits, Random const* random, Context const& ctx) {
  std::vector<BitRange> const ranges = CheckedRanges(outputs, ctx);
  bool const negative =
      std::any_of(ranges.begin(), ranges.end(), [](auto const& one) { return one.NegativeHessian(); });
  bool const wide =
      bits == GradientBits::kWide || negative || (bits == GradientBits::kAuto && AnyBlurred(outputs, ranges, ctx));
  std::vector<PackedGradients> out(outputs.size());
  if (wide) {
    PackWide(outputs, ranges, ctx, out.data());
  } else {
    PackNarrow(outputs, ranges, random, ctx, out.data());
  }
  return out;
}

PackedGradients PackGradients(OutputGradients const& gradients, GradientBits bits, Random const* random,
                              Context const& ctx) {
  return std::move(PackOutputs({&gradients, 1}, bits, random, ctx)[0]);
}

}  // namespace xgbl
