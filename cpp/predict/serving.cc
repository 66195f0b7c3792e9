// SPDX-License-Identifier: Apache-2.0
#include "predict/serving.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "base/error.h"
#include "parallel/buffer.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kWalkTaskRows = 1024;  // that are walked
constexpr std::size_t kByteTaskRows = 4 * kByteRows;
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

// Turns rows into the codes of a CodeBook, some blocks at a time. One coder per thread. Rows are read in pieces whose
// values stay in the innermost cache. Features that no row of a piece has cost nothing.
class RowCoder {
 public:
  // `blocks`: at most so many at once.
  RowCoder(CodeBook const& book, RowSource const& source, std::size_t blocks, Context const& ctx)
      : book_(book),
        ctx_(ctx),
        blocks_(blocks),
        reader_(source, book.Used(), std::min(blocks, kPieceBlocks) * kCodeRows),
        codes_(blocks * book.BlockBytes()),
        label_codes_(std::min(blocks, kPieceBlocks) * book.LabelRuns() * kCodeRows),
        blank_((blocks + kPieceBlocks - 1) / kPieceBlocks * book.NumberColumns().size(), 0) {
    // Rows that do not come are coded, too, and walk with the others.
    std::memset(codes_.data(), 0, codes_.size());
  }

  // Codes rows [begin, end); valid until the next call.
  void Read(std::size_t begin, std::size_t end) {
    constexpr std::size_t kPieceRows = kPieceBlocks * kCodeRows;
    for (std::size_t first = begin; first < end; first += kPieceRows) {
      reader_.Read(first, std::min(end, first + kPieceRows));
      std::size_t const first_block = (first - begin) / kCodeRows;
      CodeNumbers(first_block);
      if (book_.Pieces().empty()) continue;
      for (auto const& column : book_.LabelColumns()) CodeLabel(column);
      CodeSets(first_block);
    }
  }
  std::uint8_t const* Codes() const { return codes_.data(); }

 private:
  static constexpr std::size_t kPieceBlocks = 4;

  void CodeNumbers(std::size_t first_block) {
    auto const& kernels = ServingKernels::Of(ctx_.simd);
    std::uint8_t* const codes = codes_.data() + first_block * book_.BlockBytes();
    std::uint8_t* const blank = blank_.data() + first_block / kPieceBlocks * book_.NumberColumns().size();
    auto const& columns = book_.NumberColumns();
    RowReader::Run run;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      auto const& column = columns[i];
      if (i == 0 || columns[i - 1].used != column.used) run = reader_.RunOf(column.used);
      if (run.values == nullptr) {
        if (blank[i] == 0) Blank(column, codes);
        blank[i] = 1;
        continue;
      }
      blank[i] = 0;
      CodeTask task;
      task.values = run.values;
      task.missing = run.missing;
      task.rows = reader_.Rows();
      task.edges = book_.Edges(column).data();
      task.count = column.count;
      task.table = book_.Table(i);
      task.low = column.low == CodeBook::kNoCell ? nullptr : codes + column.low;
      task.high = column.high == CodeBook::kNoCell ? nullptr : codes + column.high;
      task.block_bytes = book_.BlockBytes();
      kernels.code_rows(task);
    }
  }

  // All blocks of a piece, as the next rows may be more.
  void Blank(CodeBook::Numbers const& column, std::uint8_t* codes) {
    std::size_t const first = static_cast<std::size_t>(codes - codes_.data()) / book_.BlockBytes();
    for (std::size_t block = first; block < std::min(blocks_, first + kPieceBlocks); ++block) {
      std::uint8_t* const cells = codes_.data() + block * book_.BlockBytes();
      if (column.low != CodeBook::kNoCell) std::memset(cells + column.low, 0, kCodeRows);
      if (column.high != CodeBook::kNoCell) std::memset(cells + column.high, kMostEdges, kCodeRows);
    }
  }

  void CodeLabel(CodeBook::Labels const& column) {
    auto const run = reader_.RunOf(column.used);
    std::size_t const block_bytes = book_.LabelRuns() * kCodeRows;
    std::size_t const runs = column.Runs();
    for (std::size_t row = 0; row < reader_.Rows(); ++row) {
      float const value = run.values == nullptr ? kMissing : run.values[row];
      std::uint8_t* const codes = label_codes_.data() + row / kCodeRows * block_bytes + column.first_run * kCodeRows;
      std::size_t const lane = row % kCodeRows;
      for (std::size_t r = 0; r < runs; ++r) codes[r * kCodeRows + lane] = CodeBook::Labels::kOther;
      auto const found = column.CodeOf(value == run.missing ? kMissing : value);
      codes[found.run * kCodeRows + lane] = found.code;
    }
  }

  void CodeSets(std::size_t first_block) {
    auto const& kernels = ServingKernels::Of(ctx_.simd);
    std::size_t const blocks = (reader_.Rows() + kCodeRows - 1) / kCodeRows;
    for (std::size_t block = 0; block < blocks; ++block) {
      std::uint8_t* const cells = codes_.data() + (first_block + block) * book_.BlockBytes();
      std::uint8_t const* const labels = label_codes_.data() + block * book_.LabelRuns() * kCodeRows;
      std::uint32_t last = CodeBook::kNoCell;
      for (auto const& piece : book_.Pieces()) {
        if (piece.cell != last) std::memset(cells + piece.cell, 0, kCodeRows);
        last = piece.cell;
        kernels.add_code_set({labels + piece.run * kCodeRows, piece.bits.data(), cells + piece.cell});
      }
    }
  }

  CodeBook const& book_;
  Context const& ctx_;
  std::size_t blocks_;
  RowReader reader_;
  Buffer<std::uint8_t> codes_;
  std::vector<std::uint8_t> label_codes_;  // by block of a piece and run of labels
  std::vector<std::uint8_t> blank_;        // by piece and column of numbers: all rows are missing, and say so
};

Serving::Serving(Model const& model) : Serving(model, ShapesOf(model)) {}

Serving::Serving(Model const& model, std::vector<TreeShape> const& shapes)
    : outputs_(static_cast<std::size_t>(model.num_outputs)), book_(model), nodes_(model, shapes, book_.Used()) {
  Ensure(!model.linear, "A linear model has no trees to lay out.");
  if (ByteTrees::Suits(model, shapes, book_)) bytes_ = std::make_unique<ByteTrees const>(model, shapes, book_);
  if (book_.BlockBytes() <= kMostBlockBytes) planes_ = std::make_unique<PlaneTrees const>(model, shapes, book_);
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
  if (engine == Engine::kBytes && bytes_) {
    double const margins = static_cast<double>(outputs_) * static_cast<double>(kByteRows + 2 * rows);
    return {engine, margins + bytes_->Cycles(trees.begin, trees.end, rows, ctx)};
  }
  if (engine == Engine::kPlanes && planes_) {
    std::size_t const blocks = (rows + kCodeRows - 1) / kCodeRows, together = BlocksAtOnce(rows, 1);
    double const runs = std::ceil(static_cast<double>(blocks) / static_cast<double>(together));
    double const walks = runs * planes_->Cycles(trees.begin, trees.end, std::min(rows, together * kCodeRows), ctx);
    return {engine, CodingCycles(blocks, ctx) + walks};
  }
  return {Engine::kNodes, static_cast<double>(rows) * nodes_.Cycles(trees.begin, trees.end)};
}

Serving::Plan Serving::Choose(std::size_t rows, RoundRange trees, Context const& ctx) const {
  Plan const few = FewPlan(rows, trees, ctx);
  // Blocks take at least their coding; only if that is less are the trees looked at.
  if (!planes_ || few.cycles <= CodingCycles((rows + kCodeRows - 1) / kCodeRows, ctx)) return few;
  Plan const by_planes = PlanOf(Engine::kPlanes, rows, trees, ctx);
  return few.cycles <= by_planes.cycles ? few : by_planes;
}

Serving::Plan Serving::FewPlan(std::size_t rows, RoundRange trees, Context const& ctx) const {
  Plan const by_nodes = PlanOf(Engine::kNodes, rows, trees, ctx), by_bytes = PlanOf(Engine::kBytes, rows, trees, ctx);
  return by_nodes.cycles <= by_bytes.cycles ? by_nodes : by_bytes;
}

double Serving::CodingCycles(std::size_t blocks, Context const& ctx) const {
  bool const wide = ctx.simd >= SimdLevel::kAvx512;
  double coding = 60;  // of a block
  for (auto const& column : book_.NumberColumns()) coding += (column.count < 16 ? 80 : 130) * (wide ? 1 : 4);
  coding += static_cast<double>(book_.LabelRuns()) * 64 * 20;
  coding += static_cast<double>(book_.Pieces().size()) * (ctx.simd == SimdLevel::kScalar ? 1500 : 40);
  return 4000 + coding * static_cast<double>(blocks);
}

// What a thread has for blocks, and what it does with them.
class Serving::PlaneWorker {
 public:
  PlaneWorker(Serving const& serving, RowSource const& source, std::size_t blocks, Context const& ctx)
      : serving_(serving),
        ctx_(ctx),
        coder_(serving.book_, source, blocks, ctx),
        sums_(blocks * serving.outputs_ * kCodeRows),
        plane_words_(serving.planes_->PlaneWords(blocks)) {
    std::fill_n(sums_.data(), sums_.size(), 0.0F);
    std::fill_n(plane_words_.data(), WordsFor(blocks), 0U);  // trees without a question have the first
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
    serving_.planes_->Add(trees.begin, trees.end, rows, plane_words_.data(), ctx_);
    MoveMargins<true>(margins, begin, end, sums_.data());
  }

 private:
  Serving const& serving_;
  Context const& ctx_;
  RowCoder coder_;
  Buffer<float> sums_;
  Buffer<std::uint64_t> plane_words_;
};

void Serving::Run(Plan const& plan, RowSource const& source, RoundRange trees, Context const& ctx,
                  MatrixView<float> margins) const {
  std::size_t const rows = source.Rows();
  Ensure(margins.rows() == rows && margins.columns() == outputs_, "Margins of ", margins.rows(), " x ",
         margins.columns(), " are asked of ", rows, " rows.");
  Ensure(source.IsSparse() || Features() <= source.Columns(), "A tree splits on feature ", Features() - 1,
         " of data with ", source.Columns(), " columns.");
  Context const some = ForWork(ctx, static_cast<std::size_t>(std::min(plan.cycles / kCyclesPerOperation, 1e15)));
  if (plan.engine == Engine::kNodes) {
    return ParallelBlocks(some, rows, kWalkTaskRows,
                          [&](std::size_t begin, std::size_t end) { AddByNodes(source, trees, begin, end, margins); });
  }
  if (plan.engine == Engine::kBytes) {
    return ParallelBlocks(some, rows, kByteTaskRows, [&](std::size_t begin, std::size_t end) {
      AddByBytes(source, trees, begin, end, ctx, margins);
    });
  }
  std::size_t const blocks = BlocksAtOnce(rows, some.threads), together = blocks * kCodeRows;
  std::vector<std::optional<PlaneWorker>> workers(static_cast<std::size_t>(some.threads));
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
  if (FewPlan(1, trees, ctx).engine == Engine::kBytes) {
    ByteTrees::Rows rows(*bytes_, trees, outputs_, ctx);
    rows.Add(values.data(), margins);
    return rows.Finish();
  }
  SmallBuffer cells(nodes_.Cells());
  nodes_.Put(values.data(), cells.data());
  nodes_.Add(trees.begin, trees.end, cells.data(), margins);
}

void Serving::AddByNodes(RowSource const& source, RoundRange trees, std::size_t begin, std::size_t end,
                         MatrixView<float> margins) const {
  SmallBuffer cells(nodes_.Cells());
  ForEachRow(source, book_.Used(), begin, end, [&](std::size_t row, float const* values) {
    nodes_.Put(values, cells.data());
    nodes_.Add(trees.begin, trees.end, cells.data(), margins.Row(row).data());
  });
}

void Serving::AddByBytes(RowSource const& source, RoundRange trees, std::size_t begin, std::size_t end,
                         Context const& ctx, MatrixView<float> margins) const {
  ByteTrees::Rows rows(*bytes_, trees, outputs_, ctx);
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
