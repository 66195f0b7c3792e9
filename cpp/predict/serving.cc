// SPDX-License-Identifier: Apache-2.0
#include "predict/serving.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/error.h"
#include "data/buffer.h"
#include "parallel/parallel_for.h"
#include "predict/block_reader.h"
#include "predict/row_coder.h"

namespace xgbl {
namespace {

constexpr std::size_t kTaskRows = 1024;
// What a run of blocks takes of the innermost cache, beside the tree that it meets.
constexpr std::size_t kCachedBytes = std::size_t{32} << 10U;
constexpr std::size_t kMostBlocks = 4;
constexpr std::size_t kCellsOnStack = 1024;
constexpr std::size_t kCellsTogether = std::size_t{1} << 18U;  // of rows that are turned or spread, at most
constexpr double kCyclesPerOperation = 4;                      // of ForWork()

// Margins [begin, end) as the sums of blocks: by block, output and row; and back.
template <bool kBack>
void MoveMargins(MatrixView<float> margins, std::size_t begin, std::size_t end, float* sums) {
  std::size_t const outputs = margins.columns();
  for (std::size_t row = begin; row < end; ++row) {
    std::size_t const at = row - begin;
    float* const block = sums + at / kCodeRows * outputs * kCodeRows + at % kCodeRows;
    for (std::size_t k = 0; k < outputs; ++k) {
      if constexpr (kBack) {
        margins(row, k) = block[k * kCodeRows];
      } else {
        block[k * kCodeRows] = margins(row, k);
      }
    }
  }
}

// Cells of one row: on the stack, unless there are many.
class Cells {
 public:
  explicit Cells(std::size_t count) {
    if (count > few_.size()) many_.resize(count);
  }
  float* data() { return many_.empty() ? few_.data() : many_.data(); }

 private:
  std::array<float, kCellsOnStack> few_;  // not set: all that are read are written before
  std::vector<float> many_;
};

}  // namespace

Serving::Serving(Model const& model)
    : outputs_(static_cast<std::size_t>(model.num_outputs)),
      book_(model),
      rows_(model, book_.Used()),
      blocks_(model, book_) {
  Ensure(!model.linear, "A linear model has no trees to lay out.");
}

void Serving::AddMargins(RowSource const& source, RoundRange trees, Context const& ctx,
                         MatrixView<float> margins) const {
  AddWith(Choose(source.Rows(), trees, ctx), source, trees, ctx, margins);
}

Serving::Engine Serving::Choose(std::size_t rows, RoundRange trees, Context const& ctx) const {
  if (book_.BlockBytes() > kMostBlockBytes) return Engine::kRows;
  double const by_row = static_cast<double>(rows) * rows_.Cycles(trees.begin, trees.end);
  std::size_t const blocks = (rows + kCodeRows - 1) / kCodeRows;
  return by_row <= static_cast<double>(blocks) * BlockCycles(trees, ctx) ? Engine::kRows : Engine::kBlocks;
}

// Of a block of 64 rows.
double Serving::BlockCycles(RoundRange trees, Context const& ctx) const {
  bool const wide = ctx.simd == SimdLevel::kAvx512;
  double cycles = 500;
  for (auto const& column : book_.NumberColumns()) cycles += (column.count < 16 ? 80 : 130) * (wide ? 1 : 4);
  cycles += static_cast<double>(book_.LabelRuns()) * 64 * 20;
  cycles += static_cast<double>(book_.Pieces().size()) * (ctx.simd == SimdLevel::kScalar ? 150 : 20);
  for (std::size_t t = trees.begin; t < trees.end; ++t) cycles += blocks_.CyclesOf(t, ctx);
  return cycles;
}

void Serving::AddWith(Engine engine, RowSource const& source, RoundRange trees, Context const& ctx,
                      MatrixView<float> margins) const {
  Ensure(margins.rows() == source.Rows() && margins.columns() == outputs_, "Margins of ", margins.rows(), " x ",
         margins.columns(), " are asked of ", source.Rows(), " rows.");
  Ensure(source.IsSparse() || Features() <= source.Columns(), "A tree splits on feature ", Features() - 1,
         " of data with ", source.Columns(), " columns.");
  bool const by_row = engine == Engine::kRows || book_.BlockBytes() > kMostBlockBytes;
  double const cycles = by_row ? rows_.Cycles(trees.begin, trees.end) : BlockCycles(trees, ctx) / kCodeRows;
  double const operations = cycles * static_cast<double>(source.Rows()) / kCyclesPerOperation;
  Context const some = ForWork(ctx, static_cast<std::size_t>(std::min(operations, 1e15)));
  ParallelBlocks(some, source.Rows(), kTaskRows, [&](std::size_t begin, std::size_t end) {
    if (by_row) return AddRows(source, trees, begin, end, margins);
    AddBlocks(source, trees, begin, end, ctx, margins);
  });
}

void Serving::AddRow(float const* values, std::ptrdiff_t stride, float missing, RoundRange trees,
                     float* margins) const {
  auto const& used = book_.Used();
  Cells cells(std::max<std::size_t>(1, rows_.Cells()));
  if (used.empty()) cells.data()[0] = 0;  // for the leaf of a tree without splits to look at
  for (std::size_t i = 0; i < used.size(); ++i) {
    float const value = values[static_cast<std::ptrdiff_t>(used[i]) * stride];
    rows_.Put(i, value == missing ? kMissing : value, cells.data());
  }
  rows_.Add(trees.begin, trees.end, cells.data(), margins);
}

void Serving::AddRows(RowSource const& source, RoundRange trees, std::size_t begin, std::size_t end,
                      MatrixView<float> margins) const {
  DenseTable const* const table = source.Features() != nullptr ? source.Features()->Dense() : nullptr;
  if (table != nullptr) {
    for (std::size_t row = begin; row < end; ++row) {
      float const* const values = table->data + static_cast<std::ptrdiff_t>(row) * table->row_stride;
      AddRow(values, table->column_stride, table->missing, trees, margins.Row(row).data());
    }
    return;
  }
  std::size_t const width = rows_.Cells() + 1;
  std::size_t const together = std::clamp<std::size_t>(kCellsTogether / width, 1, std::min(end - begin, kCodeRows));
  BlockReader reader(source, book_.Used(), together);
  std::vector<float> cells(width * together);
  for (; begin < end; begin += together) {
    reader.Read(begin, std::min(end, begin + together));
    for (std::size_t i = 0; i < book_.Used().size(); ++i) {
      auto const run = reader.RunOf(i);
      for (std::size_t row = 0; row < reader.Rows(); ++row) {
        float const value = run.values == nullptr ? kMissing : run.values[row];
        rows_.Put(i, value == run.missing ? kMissing : value, cells.data() + row * width);
      }
    }
    for (std::size_t row = 0; row < reader.Rows(); ++row) {
      rows_.Add(trees.begin, trees.end, cells.data() + row * width, margins.Row(begin + row).data());
    }
  }
}

std::size_t Serving::BlocksAtOnce() const {
  std::size_t const bytes = book_.BlockBytes() + outputs_ * kCodeRows * sizeof(float);
  return std::clamp(kCachedBytes / bytes, std::size_t{1}, kMostBlocks);
}

void Serving::AddBlocks(RowSource const& source, RoundRange trees, std::size_t begin, std::size_t end,
                        Context const& ctx, MatrixView<float> margins) const {
  std::size_t const blocks = std::min(BlocksAtOnce(), (end - begin + kCodeRows - 1) / kCodeRows);
  RowCoder coder(book_, source, blocks, ctx);
  Buffer<float> sums(blocks * outputs_ * kCodeRows);
  std::fill(sums.data(), sums.data() + sums.size(), 0.0F);
  HeapTask task;
  task.block_bytes = book_.BlockBytes();
  task.block_sums = outputs_ * kCodeRows;
  task.sums = sums.data();
  for (; begin < end; begin += blocks * kCodeRows) {
    std::size_t const stop = std::min(end, begin + blocks * kCodeRows);
    coder.Read(begin, stop);
    MoveMargins<false>(margins, begin, stop, sums.data());
    task.codes = coder.Codes();
    task.blocks = (stop - begin + kCodeRows - 1) / kCodeRows;
    blocks_.Add(trees.begin, trees.end, task, ctx);
    MoveMargins<true>(margins, begin, stop, sums.data());
  }
}

std::shared_ptr<Serving const> ServingCache::Get(Model const& model) const {
  std::lock_guard<std::mutex> const lock(mutex_);
  if (!serving_) serving_ = std::make_shared<Serving const>(model);
  return serving_;
}

std::shared_ptr<Serving const> ServingCache::GetIfWorth(Model const& model, std::size_t rows) const {
  constexpr std::size_t kManyRows = 2000;  // take a plain walk about as long as a tree's layout
  {
    std::lock_guard<std::mutex> const lock(mutex_);
    if (!std::exchange(asked_, true) && !serving_ && rows < kManyRows) return nullptr;
  }
  return Get(model);
}

}  // namespace xgbl
