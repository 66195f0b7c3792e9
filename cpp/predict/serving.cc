// SPDX-License-Identifier: Apache-2.0
#include "predict/serving.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "parallel/buffer.h"
#include "parallel/parallel_for.h"
#include "predict/row_coder.h"
#include "predict/row_values.h"

namespace xgbl {
namespace {

constexpr std::size_t kWalkTaskRows = 1024;  // that are walked
constexpr std::size_t kHeapTaskRows = 4 * kHeapRows;
// What blocks take of the second cache, beside the planes of a chapter.
constexpr std::size_t kCachedBytes = std::size_t{256} << 10U;
constexpr double kCyclesPerOperation = 4;  // of ForWork()

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

}  // namespace

Serving::Serving(Model const& model) : Serving(model, ShapesOf(model)) {}

Serving::Serving(Model const& model, std::vector<TreeShape> const& shapes)
    : outputs_(static_cast<std::size_t>(model.num_outputs)), book_(model), rows_(model, shapes, book_.Used()) {
  Ensure(!model.linear, "A linear model has no trees to lay out.");
  if (HeapTrees::Suits(model, shapes, book_)) heaps_ = std::make_unique<HeapTrees const>(model, shapes, book_);
  if (book_.BlockBytes() <= kMostBlockBytes) blocks_ = std::make_unique<BlockTrees const>(model, shapes, book_);
}

void Serving::AddMargins(RowSource const& source, RoundRange trees, Context const& ctx,
                         MatrixView<float> margins) const {
  Run(Choose(source.Rows(), trees, ctx), source, trees, ctx, margins);
}

void Serving::AddWith(Engine engine, RowSource const& source, RoundRange trees, Context const& ctx,
                      MatrixView<float> margins) const {
  Run(PlanOf(engine, source.Rows(), trees, ctx), source, trees, ctx, margins);
}

Serving::Plan Serving::PlanOf(Engine engine, std::size_t rows, RoundRange trees, Context const& ctx) const {
  if (engine == Engine::kHeaps && heaps_) return HeapPlan(rows, trees, ctx);
  if (engine == Engine::kBlocks && blocks_) return BlockPlan(rows, trees, ctx);
  return RowPlan(rows, trees);
}

Serving::Plan Serving::Choose(std::size_t rows, RoundRange trees, Context const& ctx) const {
  Plan const few = FewPlan(rows, trees, ctx);
  // Blocks take at least their coding; only if that is less are the trees looked at.
  if (!blocks_ || few.cycles <= CodingCycles((rows + kCodeRows - 1) / kCodeRows, ctx)) return few;
  Plan const by_block = BlockPlan(rows, trees, ctx);
  return few.cycles <= by_block.cycles ? few : by_block;
}

Serving::Plan Serving::FewPlan(std::size_t rows, RoundRange trees, Context const& ctx) const {
  Plan const by_row = RowPlan(rows, trees);
  if (!heaps_) return by_row;
  Plan const by_heap = HeapPlan(rows, trees, ctx);
  return by_row.cycles <= by_heap.cycles ? by_row : by_heap;
}

Serving::Plan Serving::RowPlan(std::size_t rows, RoundRange trees) const {
  return {Engine::kRows, static_cast<double>(rows) * rows_.Cycles(trees.begin, trees.end)};
}

Serving::Plan Serving::HeapPlan(std::size_t rows, RoundRange trees, Context const& ctx) const {
  double const margins = static_cast<double>(outputs_) * static_cast<double>(kHeapRows + 2 * rows);
  return {Engine::kHeaps, margins + heaps_->Cycles(trees.begin, trees.end, rows, ctx)};
}

double Serving::CodingCycles(std::size_t blocks, Context const& ctx) const {
  bool const wide = ctx.simd >= SimdLevel::kAvx512;
  double coding = 60;  // of a block
  for (auto const& column : book_.NumberColumns()) coding += (column.count < 16 ? 80 : 130) * (wide ? 1 : 4);
  coding += static_cast<double>(book_.LabelRuns()) * 64 * 20;
  coding += static_cast<double>(book_.Pieces().size()) * (ctx.simd == SimdLevel::kScalar ? 1500 : 40);
  return 4000 + coding * static_cast<double>(blocks);
}

Serving::Plan Serving::BlockPlan(std::size_t rows, RoundRange trees, Context const& ctx) const {
  std::size_t const blocks = (rows + kCodeRows - 1) / kCodeRows, together = BlocksAtOnce(rows, 1);
  double const runs = std::ceil(static_cast<double>(blocks) / static_cast<double>(together));
  double const walks = runs * blocks_->Cycles(trees.begin, trees.end, std::min(rows, together * kCodeRows), ctx);
  return {Engine::kBlocks, CodingCycles(blocks, ctx) + walks};
}

// What a thread has for blocks, and what it does with them.
class Serving::BlockWorker {
 public:
  BlockWorker(Serving const& serving, RowSource const& source, std::size_t blocks, Context const& ctx)
      : serving_(serving),
        ctx_(ctx),
        coder_(serving.book_, source, blocks, ctx),
        sums_(blocks * serving.outputs_ * kCodeRows),
        planes_(serving.blocks_->PlaneWords(blocks)) {
    std::fill_n(sums_.data(), sums_.size(), 0.0F);
    std::fill_n(planes_.data(), WordsFor(blocks), 0U);  // trees without a question have the first
  }

  /// Rows [begin, end), no more than those blocks have.
  void Add(RoundRange trees, std::size_t begin, std::size_t end, MatrixView<float> margins) {
    BlockRows rows;
    rows.codes = coder_.Codes();
    rows.block_bytes = serving_.book_.BlockBytes();
    rows.count = end - begin;
    rows.blocks = (rows.count + kCodeRows - 1) / kCodeRows;
    rows.sums = sums_.data();
    rows.block_sums = serving_.outputs_ * kCodeRows;
    coder_.Read(begin, end);
    MoveMargins<false>(margins, begin, end, sums_.data());
    serving_.blocks_->Add(trees.begin, trees.end, rows, planes_.data(), ctx_);
    MoveMargins<true>(margins, begin, end, sums_.data());
  }

 private:
  Serving const& serving_;
  Context const& ctx_;
  RowCoder coder_;
  Buffer<float> sums_;
  Buffer<std::uint64_t> planes_;
};

void Serving::Run(Plan const& plan, RowSource const& source, RoundRange trees, Context const& ctx,
                  MatrixView<float> margins) const {
  std::size_t const rows = source.Rows();
  Ensure(margins.rows() == rows && margins.columns() == outputs_, "Margins of ", margins.rows(), " x ",
         margins.columns(), " are asked of ", rows, " rows.");
  Ensure(source.IsSparse() || Features() <= source.Columns(), "A tree splits on feature ", Features() - 1,
         " of data with ", source.Columns(), " columns.");
  Context const some = ForWork(ctx, static_cast<std::size_t>(std::min(plan.cycles / kCyclesPerOperation, 1e15)));
  if (plan.engine == Engine::kRows) {
    return ParallelBlocks(some, rows, kWalkTaskRows,
                          [&](std::size_t begin, std::size_t end) { AddRows(source, trees, begin, end, margins); });
  }
  if (plan.engine == Engine::kHeaps) {
    return ParallelBlocks(some, rows, kHeapTaskRows, [&](std::size_t begin, std::size_t end) {
      AddByHeaps(source, trees, begin, end, ctx, margins);
    });
  }
  std::size_t const blocks = BlocksAtOnce(rows, some.threads), together = blocks * kCodeRows;
  std::vector<std::optional<BlockWorker>> workers(static_cast<std::size_t>(some.threads));
  ParallelTasks(some, (rows + together - 1) / together, [&](std::size_t task, int thread) {
    auto& worker = workers[static_cast<std::size_t>(thread)];
    if (!worker) worker.emplace(*this, source, blocks, ctx);
    worker->Add(trees, task * together, std::min(rows, (task + 1) * together), margins);
  });
}

void Serving::AddRow(float const* row, std::ptrdiff_t stride, float missing, RoundRange trees, Context const& ctx,
                     float* margins) const {
  SmallBuffer values(book_.Used().size());
  ReadRow(row, stride, missing, book_.Used(), values.data());
  if (FewPlan(1, trees, ctx).engine == Engine::kHeaps) {
    HeapTrees::Rows rows(*heaps_, trees, outputs_, ctx);
    rows.Add(values.data(), margins);
    return rows.Finish();
  }
  SmallBuffer cells(rows_.Cells());
  rows_.Put(values.data(), cells.data());
  rows_.Add(trees.begin, trees.end, cells.data(), margins);
}

void Serving::AddRows(RowSource const& source, RoundRange trees, std::size_t begin, std::size_t end,
                      MatrixView<float> margins) const {
  SmallBuffer cells(rows_.Cells());
  ForEachRow(source, book_.Used(), begin, end, [&](std::size_t row, float const* values) {
    rows_.Put(values, cells.data());
    rows_.Add(trees.begin, trees.end, cells.data(), margins.Row(row).data());
  });
}

void Serving::AddByHeaps(RowSource const& source, RoundRange trees, std::size_t begin, std::size_t end,
                         Context const& ctx, MatrixView<float> margins) const {
  HeapTrees::Rows rows(*heaps_, trees, outputs_, ctx);
  ForEachRow(source, book_.Used(), begin, end,
             [&](std::size_t row, float const* values) { rows.Add(values, margins.Row(row).data()); });
  rows.Finish();
}

// As many as their codes have room in the cache for: trees take hardly less time for fewer. But a block alone does not
// take long, and then every thread gets one.
std::size_t Serving::BlocksAtOnce(std::size_t rows, int threads) const {
  std::size_t const bytes = book_.BlockBytes() + outputs_ * kCodeRows * sizeof(float);
  std::size_t const blocks = std::max<std::size_t>(1, (rows + kCodeRows - 1) / kCodeRows);
  bool const one_each = threads > 1 && blocks <= static_cast<std::size_t>(threads);
  return one_each ? 1 : std::clamp(kCachedBytes / bytes, std::size_t{1}, std::min(kPlaneWords, blocks));
}

std::shared_ptr<Serving const> ServingCache::Get(Model const& model) const {
  std::lock_guard<std::mutex> const lock(mutex_);
  if (!serving_) serving_ = std::make_shared<Serving const>(model);
  return serving_;
}

std::shared_ptr<Serving const> ServingCache::GetIfWorth(Model const& model, std::size_t rows) const {
  constexpr std::size_t kManyRows = 2500;  // take a plain walk about as long as a tree's layout
  {
    std::lock_guard<std::mutex> const lock(mutex_);
    if (!std::exchange(asked_, true) && !serving_ && rows < kManyRows) return nullptr;
  }
  return Get(model);
}

}  // namespace xgbl
