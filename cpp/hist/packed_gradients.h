// SPDX-License-Identifier: Apache-2.0
// The gradients of one output as histograms add them up: integers, so that sums do not depend on threads or order.
// Narrow ones have 16 bits each, scaled by the largest magnitudes. They are rounded up or down at random without bias;
// the random number is a function of seed, tree and row alone. Where the error of a single row matters more than bias
// of sums, they are rounded to nearest. If 16 bits do not suffice, because a few rows are far larger than the rest,
// wide ones have 32 bits each, rounded to nearest. The data alone decide, or the user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/random.h"
#include "base/span.h"
#include "parallel/buffer.h"
#include "tree/fixed_point.h"

namespace xgbl {

enum class GradientBits { kAuto = 0, kNarrow = 16, kWide = 32 };

struct PackedGradients {
  struct WidePair {
    std::int32_t gradient;
    std::int32_t hessian;
  };
  static_assert(sizeof(WidePair) == 2 * sizeof(std::int32_t), "pairs are read as integers that follow one another");

  bool wide = false;
  FixedScale scale;
  Buffer<std::int32_t> narrow;  // by row: gradient in the upper 16 bits, hessian (unsigned) in the lower ones
  Buffer<WidePair> wide_pairs;  // by row

  std::size_t Rows() const { return wide ? wide_pairs.size() : narrow.size(); }
  /// The exact integers of a row, whichever the form.
  FixedSum Row(std::size_t row) const {
    if (wide) return {wide_pairs[row].gradient, wide_pairs[row].hessian};
    return {narrow[row] >> 16, narrow[row] & 0xFFFF};
  }
};

/// A narrow pair as one integer, (gradient << 32) + hessian: sums of those are sums of both.
inline std::int64_t PackedBin(std::int32_t pair) {
  return std::int64_t{pair >> 16} * (std::int64_t{1} << 32U) + (pair & 0xFFFF);
}

/// The most rows whose narrow sums fit the halves of one 64-bit integer.
constexpr std::size_t kNarrowRows = std::size_t{1} << 16U;

/// All outputs of a tree, in one form. Narrow ones would not do (kAuto) where an eighth of some output's rows were less
/// than one unit, and so mostly noise; nor do they, even if asked for, where a hessian is negative.
/// Equal hessians are kept exactly: each is one unit. Without `random` to nearest. Throws DataError if a derivative is
/// NaN or infinite.
std::vector<PackedGradients> PackOutputs(Span<OutputGradients const> outputs, GradientBits bits, Random const* random,
                                         Context const& ctx);
/// The same for one output.
PackedGradients PackGradients(OutputGradients const& gradients, GradientBits bits, Random const* random,
                              Context const& ctx);

}  // namespace xgbl
