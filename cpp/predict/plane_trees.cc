// SPDX-License-Identifier: Apache-2.0
#include "predict/plane_trees.h"

#include <algorithm>

#include "simd/serving_kernels.h"

namespace xgbl {
namespace {

struct Walker {
  DeepNode const* nodes;
  std::uint8_t const* codes;
  std::uint32_t* at;      // by row
  std::uint8_t* walking;  // the rows that have not arrived

  // One level; how many rows are left.
  std::size_t Step(std::size_t count) const {
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint8_t const row = walking[i];
      DeepNode const node = nodes[at[row]];
      unsigned const side = node.Side(codes[node.Cell() * kCodeRows + row]);
      at[row] = node.Child(side);
      walking[left] = row;
      left += 1U ^ node.LeafAt(side);
    }
    return left;
  }
};

}  // namespace

Questions::Questions(std::vector<Question> asked) : asked_(std::move(asked)) {
  std::sort(asked_.begin(), asked_.end());
  for (Question const question : asked_) {
    std::uint32_t const cell = question >> 8U;
    if (cells_.empty() || cells_.back().cell != cell) {
      cells_.push_back({cell, static_cast<std::uint32_t>(edges_.size()), 0});
    }
    ++cells_.back().count;
    edges_.push_back(static_cast<std::uint8_t>(question & 0xFFU));
  }
}

std::uint32_t Questions::PlaceOf(Question question) const {
  return static_cast<std::uint32_t>(std::lower_bound(asked_.begin(), asked_.end(), question) - asked_.begin());
}

void Questions::Answer(std::uint8_t const* codes, std::size_t block_bytes, std::size_t blocks, Context const& ctx,
                       std::uint64_t* planes) const {
  auto const compare = ServingKernels::Of(ctx.simd).compare_cell;
  for (Cell const& cell : cells_) {
    compare({codes + std::size_t{cell.cell} * kCodeRows, block_bytes, blocks, edges_.data() + cell.first, cell.count,
             planes + cell.first * WordsFor(blocks)});
  }
}

std::size_t PlaneTrees::PlaneWords(std::size_t blocks) const {
  std::size_t most = 1;
  for (Chapter const& chapter : chapters_) most = std::max(most, chapter.questions.size());
  return most * WordsFor(blocks);
}

void PlaneTrees::Add(std::size_t first, std::size_t end, BlockRows const& rows, std::uint64_t* planes,
                     Context const& ctx) const {
  for (Chapter const& chapter : chapters_) {
    std::size_t const from = std::max(first, chapter.begin), to = std::min(end, chapter.end);
    if (from >= to) continue;
    chapter.questions.Answer(rows.codes, rows.block_bytes, rows.blocks, ctx, planes);
    AddChapter(from, to, rows, planes, ctx);
  }
}

void PlaneTrees::AddChapter(std::size_t first, std::size_t end, BlockRows const& rows, std::uint64_t const* planes,
                            Context const& ctx) const {
  while (first < end) {
    bool const deep = deep_of_[first] >= 0;
    std::size_t stop = first + 1;
    while (stop < end && (deep_of_[stop] >= 0) == deep) ++stop;
    if (deep) {
      for (std::size_t t = first; t < stop; ++t) AddDeep(t, rows, planes, ctx);
    } else {
      ServingKernels::Of(ctx.simd).add_plane_trees(
          {trees_.data() + first, stop - first, planes, rows.count, rows.sums, rows.block_sums});
    }
    first = stop;
  }
}

void PlaneTrees::AddDeep(std::size_t t, BlockRows const& rows, std::uint64_t const* planes, Context const& ctx) const {
  PlaneTree const& tree = trees_[t];
  DeepTree const& deep = deep_[static_cast<std::size_t>(deep_of_[t])];
  std::uint8_t exits[kPlaneRows], walking[kCodeRows];
  std::uint32_t at[kCodeRows];
  ServingKernels::Of(ctx.simd).leaves_of(tree, planes, rows.blocks, exits);
  for (std::size_t block = 0; block < rows.blocks; ++block) {
    std::uint8_t const* const exit = exits + block * kCodeRows;
    std::size_t count = 0;
    for (std::size_t row = 0; row < kCodeRows; ++row) {
      at[row] = deep.exits[exit[row]];
      walking[count] = static_cast<std::uint8_t>(row);
      count += 1U ^ (deep.exit_leaf >> exit[row] & 1U);
    }
    Walker const walker{deep.nodes.data(), rows.codes + block * rows.block_bytes, at, walking};
    while (count > 0) count = walker.Step(count);
    float* const sums = rows.sums + block * rows.block_sums + tree.output * kCodeRows;
    for (std::size_t k = 0; k < tree.outputs; ++k) {
      float const* const values = deep.values.data() + k;
      for (std::size_t row = 0; row < kCodeRows; ++row) {
        sums[k * kCodeRows + row] += values[std::size_t{at[row]} * tree.outputs];
      }
    }
  }
}

double PlaneTrees::Cycles(std::size_t first, std::size_t end, std::size_t rows, Context const& ctx) const {
  auto const blocks = static_cast<double>((rows + kCodeRows - 1) / kCodeRows);
  double const each = ctx.simd == SimdLevel::kScalar ? 4 : 2.5 + blocks * (ctx.simd >= SimdLevel::kAvx512 ? 0.7 : 3);
  double cycles = 0;
  for (Chapter const& chapter : chapters_) {
    bool const met = std::max(first, chapter.begin) < std::min(end, chapter.end);
    if (met) cycles += each * static_cast<double>(chapter.questions.size());
  }
  for (std::size_t t = first; t < end; ++t) cycles += TreeCycles(t, rows, ctx);
  return cycles;
}

double PlaneTrees::TreeCycles(std::size_t t, std::size_t rows, Context const& ctx) const {
  PlaneTree const& tree = trees_[t];
  bool const wide = ctx.simd >= SimdLevel::kAvx512, scalar = ctx.simd == SimdLevel::kScalar;
  // A block or two are in smaller registers.
  double const alone = tree.splits > 0 ? 0.5 : 1;
  double const slower = rows <= 2 * kCodeRows ? alone : (wide ? 1 : (scalar ? 7 : 2.5));
  double const logic = tree.splits > 0 ? 8.0 * tree.splits : 1.5 * static_cast<double>(std::size_t{1} << tree.bits);
  double block = wide ? 10 + tree.outputs * (tree.bits < 7 ? 15.0 : 15.0 * (tree.bits - 5)) : 100 + 80.0 * tree.outputs;
  if (scalar) block += 64 * tree.bits;
  if (deep_of_[t] >= 0) block += 64 * (20 * deep_[static_cast<std::size_t>(deep_of_[t])].path + tree.outputs);
  return slower * logic + static_cast<double>((rows + kCodeRows - 1) / kCodeRows) * block;
}

}  // namespace xgbl
