// SPDX-License-Identifier: Apache-2.0
#include "tree/leaf_sums.h"

#include <cmath>
#include <cstdint>
#include <mutex>

namespace xgbl {
namespace {

std::int64_t Fixed(float value, double per_unit) {
  return static_cast<std::int64_t>(std::floor(static_cast<double>(value) * per_unit + 0.5));
}

}  // namespace

FineSums::FineSums(OutputGradients const& gradients, Context const& ctx) : gradients_(gradients) {
  int const bits = BitsForSum(gradients.rows);
  scale_ = ScaleFor(RangeOf(gradients, ctx), bits, bits);
  per_gradient_ = 1 / scale_.gradient_unit;  // exact: units are powers of two
  per_hessian_ = 1 / scale_.hessian_unit;
}

FixedSum FineSums::Over(Span<std::uint32_t const> rows) const {
  FixedSum sum;
  for (std::uint32_t const row : rows) {
    sum.gradient += Fixed(gradients_.G(row), per_gradient_);
    sum.hessian += Fixed(gradients_.H(row), per_hessian_);
  }
  return sum;
}

std::vector<FixedSum> LeafSums(FineSums const& fine, LeafRows const& rows, std::size_t nodes, Context const& ctx) {
  std::vector<FixedSum> sums(nodes);
  std::mutex mutex;
  rows.ForEachPiece(ctx, [&](LeafRows::Leaf const& leaf, Span<std::uint32_t const> piece) {
    FixedSum const sum = fine.Over(piece);
    std::lock_guard<std::mutex> const lock(mutex);
    sums[Tree::At(leaf.node)] += sum;
  });
  return sums;
}

}  // namespace xgbl
