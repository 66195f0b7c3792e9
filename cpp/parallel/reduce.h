// SPDX-License-Identifier: Apache-2.0
// Sums of floating-point numbers that do not depend on the number of threads: fixed blocks of rows, each added up from
// its first row to its last, and the blocks added up in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel/parallel_for.h"

namespace xgbl {

constexpr std::size_t kReduceBlock = 4096;

/// The sum over all blocks of `part(begin, end)`. `Sum` is a number or has operator+=.
template <class Sum, class Part>
Sum ReduceBlocks(Context const& ctx, std::size_t rows, Sum zero, Part&& part) {
  std::vector<Sum> parts((rows + kReduceBlock - 1) / kReduceBlock, zero);
  ParallelBlocks(ctx, rows, kReduceBlock,
                 [&](std::size_t begin, std::size_t end) { parts[begin / kReduceBlock] = part(begin, end); });
  Sum total = zero;
  for (auto const& value : parts) total += value;
  return total;
}

/// The sum of `term(row)` over all rows, in double.
template <class Term>
double SumRows(Context const& ctx, std::size_t rows, Term&& term) {
  return ReduceBlocks(ctx, rows, 0.0, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += term(i);
    return sum;
  });
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

/// The sums, in double, of several quantities at once: `add(row, sums)` adds what a row has to the `count` sums.
template <class Add>
std::vector<double> SumVectors(Context const& ctx, std::size_t rows, std::size_t count, Add&& add) {
  std::vector<double> parts((rows + kReduceBlock - 1) / kReduceBlock * count);
  ParallelBlocks(ctx, rows, kReduceBlock, [&](std::size_t begin, std::size_t end) {
    double* sums = parts.data() + begin / kReduceBlock * count;
    for (std::size_t i = begin; i < end; ++i) add(i, sums);
  });
  std::vector<double> totals(count);
  for (std::size_t k = 0; k < parts.size(); ++k) totals[k % count] += parts[k];
  return totals;
}

}  // namespace xgbl
