// SPDX-License-Identifier: Apache-2.0
#include "exact/quantised_rows.h"

#include <cstddef>
#include <cstdint>

#include "parallel/parallel_for.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr std::size_t kQuantisedBlock = std::size_t{1} << 16U;  // less is not worth a thread

}  // namespace

FixedScale ExactScale(TreeTask const& task) {
  return ScaleFor(RangeOf(task.gradients[0], task.ctx), BitsForSum(task.data.Rows()), 30);
}

Buffer<ScanRow> QuantisedRows(TreeTask const& task, FixedScale const& scale) {
  Buffer<ScanRow> rows(task.data.Rows());
  ParallelBlocks(task.ctx, rows.size(), kQuantisedBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      FixedPair const pair = Quantise(task.gradients[0].G(i), task.gradients[0].H(i), scale);
      rows[i] = {pair.gradient, pair.hessian, task.rows.all ? 0 : kNotSampled};
    }
  });
  for (std::uint32_t const row : task.rows.rows) rows[row].slot = 0;
  return rows;
}

FixedSum SumOfSampled(Span<ScanRow const> rows, Context const& ctx) {
  return ReduceBlocks(ctx, rows.size(), FixedSum{}, [&](std::size_t begin, std::size_t end) {
    FixedSum sum;
    for (std::size_t i = begin; i < end; ++i) {
      if (rows[i].slot != kNotSampled) sum += rows[i].Pair();
    }
    return sum;
  });
}

}  // namespace xgbl
