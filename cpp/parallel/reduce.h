// SPDX-License-Identifier: Apache-2.0
// Sums over rows that depend neither on threads nor on how rows are cut into pieces: each thread adds up what it meets,
// in integers or exactly (exact_sum.h), and the threads' sums are added up.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/span.h"
#include "parallel/exact_sum.h"
#include "parallel/parallel_for.h"
#include "simd/sum_kernels.h"

namespace xgbl {

constexpr std::size_t kReduceBlock = 1024;             // so that what is made of its rows stays in the nearest cache
constexpr std::size_t kReduceTask = 8 * kReduceBlock;  // rows that a thread takes at a time

/// The sum of all rows: `add(begin, end, sum)` adds those of a block. `Sum` has operator+=, which no order changes.
template <class Sum, class Add>
Sum ReduceRows(Context const& ctx, std::size_t rows, Sum const& zero, Add&& add) {
  std::size_t const tasks = (rows + kReduceTask - 1) / kReduceTask;
  std::vector<Sum> parts(std::max<std::size_t>(1, std::min(tasks, static_cast<std::size_t>(ctx.threads))), zero);
  Context limited = ctx;
  limited.threads = static_cast<int>(parts.size());
  ParallelTasks(limited, tasks, [&](std::size_t task, int thread) {
    std::size_t const end = std::min(rows, (task + 1) * kReduceTask);
    for (std::size_t begin = task * kReduceTask; begin < end; begin += kReduceBlock) {
      add(begin, std::min(end, begin + kReduceBlock), &parts[static_cast<std::size_t>(thread)]);
    }
  });
  for (std::size_t i = 1; i < parts.size(); ++i) parts[0] += parts[i];
  return std::move(parts[0]);
}

/// Several sums: integers, or exact ones.
template <class Sum>
struct SumArray : std::vector<Sum> {
  using std::vector<Sum>::vector;

  SumArray& operator+=(SumArray const& other) {
    for (std::size_t k = 0; k < this->size(); ++k) (*this)[k] += other[k];
    return *this;
  }
  std::vector<double> Values() const {
    std::vector<double> values;
    for (Sum const& sum : *this) values.push_back(sum.Value());
    return values;
  }
};
using ExactSums = SumArray<ExactSum>;

/// The sum of `part(begin, end)` over all blocks: of integers, or of what else no order of adding changes.
template <class Sum, class Part>
Sum ReduceBlocks(Context const& ctx, std::size_t rows, Sum const& zero, Part&& part) {
  return ReduceRows(ctx, rows, zero, [&](std::size_t begin, std::size_t end, Sum* sum) { *sum += part(begin, end); });
}

/// The sums of `Count` quantities for each of some columns, in one pass: `terms(row, column)` has what a cell has of
/// each.
template <std::size_t Count, class Terms>
std::vector<std::array<double, Count>> SumColumns(Context const& ctx, std::size_t rows, std::size_t columns,
                                                  Terms&& terms) {
  auto const add = [&](std::size_t begin, std::size_t end, ExactSums* sums) {
    std::array<std::array<double, kReduceBlock>, Count> of_rows;  // NOLINT(*-member-init)
    for (std::size_t k = 0; k < columns; ++k) {
      for (std::size_t i = begin; i < end; ++i) {
        std::array<double, Count> const of_cell = terms(i, k);
        for (std::size_t c = 0; c < Count; ++c) of_rows[c][i - begin] = of_cell[c];
      }
      for (std::size_t c = 0; c < Count; ++c) (*sums)[k * Count + c].Add(of_rows[c].data(), end - begin, ctx.simd);
    }
  };
  ExactSums const sums = ReduceRows(ctx, rows, ExactSums(columns * Count), add);
  std::vector<std::array<double, Count>> values(columns);
  for (std::size_t i = 0; i < sums.size(); ++i) values[i / Count][i % Count] = sums[i].Value();
  return values;
}

/// The sums of `Count` quantities in one pass: `terms(row)` has what a row has of each.
template <std::size_t Count, class Terms>
std::array<double, Count> SumTogether(Context const& ctx, std::size_t rows, Terms&& terms) {
  return SumColumns<Count>(ctx, rows, 1, [&](std::size_t i, std::size_t) { return terms(i); })[0];
}

/// The sum of `term(row)` over all rows.
template <class Term>
double SumRows(Context const& ctx, std::size_t rows, Term&& term) {
  return SumTogether<1>(ctx, rows, [&](std::size_t i) { return std::array<double, 1>{term(i)}; })[0];
}

/// Whether test(row) is true of every row.
template <class Test>
bool AllRows(Context const& ctx, std::size_t rows, Test&& test) {
  auto const failed = ReduceBlocks(ctx, rows, std::uint32_t{0}, [&](std::size_t begin, std::size_t end) {
    std::uint32_t some = 0;  // no early end, so that the loop becomes vector code
    for (std::size_t i = begin; i < end; ++i) some |= test(i) ? 0U : 1U;
    return some;
  });
  return failed == 0;
}

/// Sums of weights by kind: `add(begin, end, weights, sums)` adds those of a block of rows, or a part of each of them,
/// to some of `count` sums; both are whole numbers. Without weights all are 1.
template <class Add>
std::vector<double> SumWeights(Context const& ctx, std::size_t rows, Span<float const> weights, std::size_t count,
                               Add&& add) {
  auto const add_block = [&](std::size_t begin, std::size_t end, ExactSums* sums) {
    std::array<double, kReduceBlock> left;         // NOLINT(*-member-init)
    std::array<std::int64_t, kReduceBlock> units;  // NOLINT(*-member-init)
    std::vector<std::int64_t> counts(count);
    TakenUnits taken{ExactSum::kOne, false};
    if (weights.empty()) units.fill(1);
    if (!weights.empty()) std::copy(weights.begin() + begin, weights.begin() + end, left.begin());
    do {
      if (!weights.empty()) taken = SumKernels::Of(ctx.simd).take_units(left.data(), end - begin, units.data());
      add(begin, end, static_cast<std::int64_t const*>(units.data()), counts.data());
      for (std::size_t k = 0; k < count; ++k) (*sums)[k].AddUnits(std::exchange(counts[k], 0), taken.exponent);
    } while (taken.rest);
  };
  return ReduceRows(ctx, rows, ExactSums(count), add_block).Values();
}

}  // namespace xgbl
