// SPDX-License-Identifier: Apache-2.0
#include "tree/bin_sums.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

#include "base/prefetch.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kAhead = 24;           // rows that are fetched in advance
constexpr std::size_t kLeastRows = 4096;     // of a chunk that is cut for the sake of threads
constexpr std::size_t kChunksPerThread = 4;  // so that a thread that is late has others take over
constexpr std::size_t kWordSlots = 8;        // codes that are read at once
constexpr std::uint32_t kFullStride = 256;   // of slots with many bins

void AddAll(BinSum const* from, std::size_t count, BinSum* to) {
  for (std::size_t i = 0; i < count; ++i) Add(to + i, from[i]);
}

// `kStride`: bins from slot to slot if known when compiled, else 0.
template <std::uint32_t kStride>
void AddTile(BinTile const& tile, ScanRow const* records, Span<std::uint32_t const> rows, BinSum* bins) {
  std::size_t const stride = kStride == 0 ? tile.bin_stride : kStride;
  std::size_t const whole = tile.slots / kWordSlots, rest = tile.slots % kWordSlots;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t const next = rows[std::min(i + kAhead, rows.size() - 1)];
    Prefetch(records + next);
    Prefetch(tile.Row(next));
    BinSum const cell = CellOf(records[rows[i]]);
    std::uint8_t const* codes = tile.Row(rows[i]);
    BinSum* slot = bins;
    for (std::size_t w = 0; w < whole; ++w, codes += kWordSlots, slot += kWordSlots * stride) {
      std::uint64_t word = 0;
      std::memcpy(&word, codes, sizeof(word));
      for (std::size_t k = 0; k < kWordSlots; ++k) Add(slot + k * stride + ((word >> (8 * k)) & 0xFFU), cell);
    }
    for (std::size_t k = 0; k < rest; ++k) Add(slot + k * stride + codes[k], cell);
  }
}

struct Chunk {
  std::size_t job = 0;
  Span<std::uint32_t const> rows;
  bool whole = true;  // all rows of the job
};

std::vector<Chunk> CutUp(Span<BinSumBuilder::Job const> jobs, int threads) {
  std::size_t total = 0;
  for (auto const& job : jobs) total += job.rows.size();
  std::size_t const wanted = kChunksPerThread * static_cast<std::size_t>(threads);
  std::size_t const grain = threads == 1 ? total + 1 : std::max(kLeastRows, total / wanted + 1);
  std::vector<Chunk> chunks;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    std::size_t const rows = jobs[j].rows.size(), count = std::max<std::size_t>(1, (rows + grain - 1) / grain);
    for (std::size_t c = 0; c < count; ++c) {
      std::size_t const begin = rows * c / count, end = rows * (c + 1) / count;
      chunks.push_back({j, jobs[j].rows.Sub(begin, end - begin), count == 1});
    }
  }
  std::stable_sort(chunks.begin(), chunks.end(),
                   [](Chunk const& a, Chunk const& b) { return a.rows.size() > b.rows.size(); });
  return chunks;
}

}  // namespace

BinSumBuilder::BinSumBuilder(BinnedMatrix const& bins, Span<ScanRow const> records, Context const& ctx)
    : bins_(bins),
      records_(records),
      ctx_(ctx),
      count_(bins.HistogramBins()),
      thread_bins_(static_cast<std::size_t>(std::max(1, ctx.threads))) {}

void BinSumBuilder::AddRows(Span<std::uint32_t const> rows, BinSum* bins) const {
  if (rows.empty()) return;
  for (BinTile const& tile : bins_.Tiles()) {
    auto const add = tile.bin_stride == kFullStride ? AddTile<kFullStride> : AddTile<0>;
    add(tile, records_.data(), rows, bins + tile.histogram_begin);
  }
}

BinSums& BinSumBuilder::ThreadBins(int thread) {
  BinSums& own = thread_bins_[static_cast<std::size_t>(thread)];
  if (own.empty()) {
    own = BinSums(count_);
    std::memset(own.data(), 0, Bytes());
  }
  return own;
}

void BinSumBuilder::Build(Span<Job const> jobs) {
  std::size_t total = 0;
  for (Job const& job : jobs) {
    total += job.rows.size();
    if (free_.empty()) free_.emplace_back(count_);
    *job.out = std::move(free_.back());
    free_.pop_back();
    std::memset(job.out->data(), 0, Bytes());
  }
  Context const worth = ForWork(ctx_, total * bins_.Columns());
  std::vector<Chunk> const chunks = CutUp(jobs, worth.threads);
  auto const locks = std::make_unique<std::mutex[]>(jobs.size());
  ParallelTasks(worth, chunks.size(), [&](std::size_t i, int thread) {
    Chunk const& chunk = chunks[i];
    if (chunk.whole) return AddRows(chunk.rows, jobs[chunk.job].out->data());
    BinSums& own = ThreadBins(thread);
    AddRows(chunk.rows, own.data());
    {
      std::lock_guard<std::mutex> const lock(locks[chunk.job]);
      AddAll(own.data(), count_, jobs[chunk.job].out->data());
    }
    std::memset(own.data(), 0, Bytes());
  });
}

void BinSumBuilder::Subtract(Span<Difference const> differences) {
  ParallelTasks(ForWork(ctx_, differences.size() * count_), differences.size(), [&](std::size_t i, int) {
    BinSum* const to = differences[i].parent->data();
    BinSum const* const less = differences[i].child->data();
    for (std::size_t b = 0; b < count_; ++b) {
      to[b].gradient -= less[b].gradient;
      to[b].hessian -= less[b].hessian;
      to[b].magnitude -= less[b].magnitude;
      to[b].rows -= less[b].rows;
    }
  });
}

void BinSumBuilder::Release(BinSums* sums) {
  if (!sums->empty()) free_.push_back(std::move(*sums));
}

}  // namespace xgbl
