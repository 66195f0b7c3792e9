// SPDX-License-Identifier: Apache-2.0
#include "hist/histogram.h"

#include <mutex>
#include <utility>

#include "base/error.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kSubtractBlock = std::size_t{1} << 14U;  // bins
constexpr std::size_t kLocks = 16;

using Word = std::int64_t;

Word High(Word packed) { return packed >> 32U; }
Word Low(Word packed) { return packed & Word{0xFFFFFFFF}; }
// As unsigned numbers: sums that do not fit wrap around.
Word Packed(Word gradient, Word hessian) {
  return static_cast<Word>((static_cast<std::uint64_t>(gradient) << 32U) + static_cast<std::uint64_t>(hessian));
}
Word Difference(Word a, Word b) {
  return static_cast<Word>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

// Clearing a word is an eighth of adding a row to it.
std::size_t StepsOf(std::vector<HistogramTarget> const& targets) {
  double steps = 0;
  for (auto const& target : targets) steps += target.Updates() + static_cast<double>(target.OutWords()) / 8;
  return static_cast<std::size_t>(steps);
}

void Flush(HistogramTarget* target, std::int64_t* part) {
  if (!std::exchange(target->cleared, true)) std::fill_n(target->out, target->OutWords(), 0);
  if (target->piece->Joint()) {
    AddJointCodes(*target->piece, part, BinWords(target->form), target->form == BinForm::kNarrowToPacked, target->out,
                  target->out_packed);
    std::fill_n(part, target->ChunkWords(), 0);
  } else if (target->form == BinForm::kNarrowToPacked && !target->out_packed) {
    FlushPackedToWide(part, target->piece->bins, target->out);
  } else {
    FlushWords(part, target->ChunkWords(), target->out);
  }
}

}  // namespace

HistogramBuilder::HistogramBuilder(BinnedMatrix const& bins, Span<PackedGradients const> outputs, bool by_sign)
    : bins_(&bins),
      outputs_(outputs),
      plane_(std::size_t{bins.HistogramBins()} * (by_sign ? 2 : 1)),
      pieces_(PiecesOf(bins, by_sign)) {
  Ensure(!outputs.empty(), "histograms of no output");
  for (auto const& output : outputs) {
    Ensure(output.wide == outputs[0].wide, "the gradients of some outputs are wide, those of others are not");
    Ensure(output.Rows() == bins_->Rows(), "gradients of ", output.Rows(), " rows for ", bins_->Rows());
  }
  wide_ = outputs[0].wide;
}

double HistogramBuilder::CellsPerRow() const {
  double cells = 0;
  for (HistogramPiece const& piece : pieces_) cells += piece.cells_per_row;
  return cells;
}

Histogram HistogramBuilder::New(bool packed) {
  Histogram out;
  auto& free = free_[packed ? 1 : 0];
  if (free.empty()) {
    out.bins_ = Buffer<std::int64_t>(Words(packed));
  } else {
    out.bins_ = std::move(free.back());
    free.pop_back();
  }
  out.plane_ = plane_;
  out.packed_ = packed;
  return out;
}

void HistogramBuilder::Release(Histogram* histogram) {
  bool const packed = histogram->packed_;
  Buffer<std::int64_t> bins = std::move(histogram->bins_);
  if (bins.size() == Words(packed)) free_[packed ? 1 : 0].push_back(std::move(bins));
}

std::int64_t* HistogramBuilder::ThreadBins(int thread, std::size_t words) {
  auto& bins = thread_bins_[static_cast<std::size_t>(thread)];
  if (bins.size() < words) {
    bins = Buffer<std::int64_t>(words);
    std::fill_n(bins.data(), words, 0);
  }
  return bins.data();
}

// Gives every job a histogram, not yet cleared.
std::vector<HistogramTarget> HistogramBuilder::TargetsOf(Span<Job const> jobs) {
  std::vector<HistogramTarget> targets;
  targets.reserve(jobs.size() * pieces_.size() * outputs_.size());
  for (Job const& job : jobs) {
    RowRun const rows = job.all_rows ? RowRun{nullptr, 0, bins_->Rows()} : RowRun{job.rows.data(), 0, job.rows.size()};
    bool const packed = PackedFor(rows.end - rows.begin);
    Release(job.out);
    *job.out = New(packed);
    for (std::size_t output = 0; output < outputs_.size(); ++output) {
      for (HistogramPiece const& piece : pieces_) {
        std::size_t const first = (output * plane_ + piece.begin) * (packed ? 1 : 2);
        targets.push_back({&piece, &outputs_[output], rows, job.out->bins_.data() + first, packed});
      }
    }
  }
  return targets;
}

void HistogramBuilder::Build(Span<Job const> jobs, Context const& ctx) {
  std::vector<HistogramTarget> targets = TargetsOf(jobs);
  Context const limited = ForWork(ctx, StepsOf(targets));
  auto const chunks = PlanChunks(&targets, limited.threads);
  thread_bins_.resize(std::max(thread_bins_.size(), static_cast<std::size_t>(limited.threads)));
  std::array<std::mutex, kLocks> locks;
  ParallelTasks(limited, chunks.size(), [&](std::size_t i, int thread) {
    HistogramChunk const& chunk = chunks[i];
    HistogramTarget& target = targets[chunk.target];
    AddRows const add = AddRowsFor(*target.piece, target.form, chunk.rows.list != nullptr, !target.whole);
    if (target.whole) {
      std::fill_n(target.out, target.OutWords(), 0);
      return add(*target.piece, *target.gradients, chunk.rows, target.out);
    }
    std::int64_t* const part = ThreadBins(thread, target.ChunkWords());
    add(*target.piece, *target.gradients, chunk.rows, part);
    std::lock_guard<std::mutex> const lock(locks[chunk.target % kLocks]);
    Flush(&target, part);
  });
}

void HistogramBuilder::Subtract(Span<Difference const> differences, Context const& ctx) {
  std::vector<Histogram> results(differences.size());  // empty: in the parent's place
  for (std::size_t i = 0; i < differences.size(); ++i) {
    bool const packed = PackedFor(differences[i].rows);
    if (packed && !differences[i].parent->packed_) results[i] = New(packed);
    Ensure(results[i].Empty() || differences[i].child->packed_, "the child that was built is the larger one");
  }

  std::size_t const bins = plane_ * outputs_.size(), blocks = (bins + kSubtractBlock - 1) / kSubtractBlock;
  Context const limited = ForWork(ctx, differences.size() * bins / 4);
  ParallelTasks(limited, differences.size() * blocks, [&](std::size_t task, int) {
    std::size_t const i = task / blocks, begin = task % blocks * kSubtractBlock;
    std::size_t const count = std::min(bins - begin, kSubtractBlock);
    Histogram const& child = *differences[i].child;
    std::size_t const words = differences[i].parent->packed_ ? 1 : 2, child_words = child.packed_ ? 1 : 2;
    std::int64_t* const parent = differences[i].parent->bins_.data() + begin * words;
    std::int64_t const* const what = child.bins_.data() + begin * child_words;
    if (!results[i].Empty()) {
      PackWideMinusPacked(parent, what, count, results[i].bins_.data() + begin);
    } else if (words == child_words) {
      SubtractWords(parent, what, count * words);
    } else {
      SubtractPackedFromWide(parent, what, count);
    }
  });

  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (results[i].Empty()) continue;
    Release(differences[i].parent);
    *differences[i].parent = std::move(results[i]);
  }
}

void FlushWords(Word* part, std::size_t words, Word* sum) {
  for (std::size_t i = 0; i < words; ++i) {
    sum[i] += part[i];
    part[i] = 0;
  }
}

void FlushPackedToWide(Word* part, std::size_t bins, Word* sum) {
  for (std::size_t i = 0; i < bins; ++i) {
    sum[2 * i] += High(part[i]);
    sum[2 * i + 1] += Low(part[i]);
    part[i] = 0;
  }
}

namespace {

// Calls `add(bin, sum)` for the bins of each code that has rows.
template <class Add>
void ForEachJointBin(HistogramPiece const& piece, Word const* sums, std::size_t stride, bool packed, Add&& add) {
  std::size_t const sides = piece.by_sign ? 2 : 1;
  for (std::size_t code = 0; code + 1 < piece.code_begin.size(); ++code) {
    for (std::size_t side = 0; side < sides; ++side, sums += stride) {
      if (sums[0] == 0 && (packed || sums[1] == 0)) continue;
      for (std::uint32_t i = piece.code_begin[code]; i < piece.code_begin[code + 1]; ++i) {
        add(piece.code_bin[i] * sides + side, sums);
      }
    }
  }
}

}  // namespace

void AddJointCodes(HistogramPiece const& piece, Word const* sums, std::size_t stride, bool packed, Word* out,
                   bool out_packed) {
  if (out_packed) {
    ForEachJointBin(piece, sums, stride, packed, [=](std::size_t bin, Word const* sum) { out[bin] += *sum; });
  } else {
    ForEachJointBin(piece, sums, stride, packed, [=](std::size_t bin, Word const* sum) {
      out[2 * bin] += packed ? High(*sum) : sum[0];
      out[2 * bin + 1] += packed ? Low(*sum) : sum[1];
    });
  }
}

void AddLanesToWide(Word const* sums, std::size_t stride, bool packed, std::size_t bins, Word* wide) {
  for (std::size_t i = 0; i < bins; ++i, sums += stride) {
    wide[2 * i] += packed ? High(sums[0]) : sums[0];
    wide[2 * i + 1] += packed ? Low(sums[0]) : sums[1];
  }
}

void SubtractWords(Word* from, Word const* what, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) from[i] = Difference(from[i], what[i]);
}

void SubtractPackedFromWide(Word* wide, Word const* packed, std::size_t bins) {
  for (std::size_t i = 0; i < bins; ++i) {
    wide[2 * i] -= High(packed[i]);
    wide[2 * i + 1] -= Low(packed[i]);
  }
}

void PackWideMinusPacked(Word const* wide, Word const* what, std::size_t bins, Word* packed) {
  for (std::size_t i = 0; i < bins; ++i) packed[i] = Difference(Packed(wide[2 * i], wide[2 * i + 1]), what[i]);
}

}  // namespace xgbl
