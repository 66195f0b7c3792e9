// SPDX-License-Identifier: Apache-2.0
#include "hist/shared_roots.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "base/span.h"
#include "parallel/buffer.h"
#include "parallel/parallel_for.h"
#include "simd/histogram_kernels.h"

namespace xgbl {
namespace {

constexpr std::size_t kLanes = LaneTask::kLanes;
constexpr std::size_t kLaneBlockRows = 2048;  // whose gradients stay in a near cache while all slots are summed up
constexpr std::size_t kFewestRows = 4096, kFewestLanes = 3;
constexpr std::size_t kMostCodeSums = std::size_t{1} << 18U;  // 16 MB a thread
constexpr std::size_t kRootPiecesPerThread = 4;

// A tree of narrow gradients has one lane for its packed sums, one of wide gradients two.
std::size_t LanesOf(TreeRoot const& root) { return root.gradients[0].wide ? 2 : 1; }

// Some trees with no more than kLanes lanes.
class LaneRoots {
 public:
  LaneRoots(BinnedMatrix const& bins, Context const& ctx, Span<TreeRoot> trees)
      : bins_(bins),
        kernels_(HistogramKernels::Of(ctx.simd)),
        trees_(trees),
        pieces_(PiecesOf(bins)),
        parts_(static_cast<std::size_t>(ctx.threads)) {
    for (TreeRoot& tree : trees_) tree.histogram = Histogram::Zero(bins.HistogramBins());
    for (HistogramPiece const& piece : pieces_) {
      for (std::uint32_t const code : piece.slot_bin) slot_code_.push_back(codes_ + code);
      codes_ += piece.codes;
    }
    slot_code_.push_back(codes_);
  }

  void Build(Context const& ctx) {
    std::size_t const rows = bins_.Rows(), share = kRootPiecesPerThread * static_cast<std::size_t>(ctx.threads);
    std::size_t const piece = std::min(kNarrowRows, std::max((rows + share - 1) / share, 4 * kLaneBlockRows));
    ParallelTasks(ctx, (rows + piece - 1) / piece, [&](std::size_t i, int thread) {
      Part& part = Own(thread);
      AddPiece(i * piece, std::min(rows, (i + 1) * piece), &part);
      std::lock_guard<std::mutex> const lock(mutex_);
      Flush(part);
    });
  }

 private:
  // One thread's sums of codes over some rows, and the gradients of a block of rows, all lanes of a row together.
  struct Part {
    Buffer<std::int64_t> codes;  // and, after them, those of a slot that stands in for one
    Buffer<std::int64_t> values;
  };

  Part& Own(int thread) {
    Part& part = parts_[static_cast<std::size_t>(thread)];
    if (part.codes.empty()) {
      part.codes = Buffer<std::int64_t>((codes_ + kMostByteCodes) * kLanes);
      part.values = Buffer<std::int64_t>(kLaneBlockRows * kLanes);
    }
    return part;
  }

  // No more than kNarrowRows rows.
  void AddPiece(std::size_t begin, std::size_t end, Part* part) const {
    std::fill_n(part->codes.data(), part->codes.size(), 0);
    std::fill_n(part->values.data(), part->values.size(), 0);  // lanes without a tree
    for (std::size_t row = begin; row < end; row += kLaneBlockRows) {
      std::size_t const count = std::min(kLaneBlockRows, end - row);
      std::int64_t* lane = part->values.data();
      for (TreeRoot const& tree : trees_) {
        FillLanes(tree.gradients[0], row, count, lane);
        lane += LanesOf(tree);
      }
      AddBlock(row, count, part);
    }
  }

  static void FillLanes(PackedGradients const& gradients, std::size_t row, std::size_t count, std::int64_t* lane) {
    for (std::size_t i = 0; i < count; ++i, lane += kLanes) {
      if (gradients.wide) {
        lane[0] = gradients.wide_pairs[row + i].gradient;
        lane[1] = gradients.wide_pairs[row + i].hessian;
      } else {
        lane[0] = PackedBin(gradients.narrow[row + i]);
      }
    }
  }

  void AddBlock(std::size_t row, std::size_t count, Part* part) const {
    std::size_t const slots = bins_.Layout().slots.size();
    auto const codes_of = [&](std::size_t slot) { return part->codes.data() + slot_code_[slot] * kLanes; };
    for (std::size_t slot = 0; slot < slots; slot += 2) {
      std::size_t const other = std::min(slot + 1, slots - 1);
      kernels_.add_lanes({{bins_.Column8(slot) + row, bins_.Column8(other) + row},
                          {codes_of(slot), codes_of(slot + 1)},
                          part->values.data(),
                          count});
    }
  }

  void Flush(Part const& part) {
    std::size_t lane = 0;
    for (TreeRoot& tree : trees_) {
      std::int64_t const* codes = part.codes.data() + lane;
      bool const packed = !tree.gradients[0].wide;
      for (HistogramPiece const& piece : pieces_) {
        std::int64_t* const out = tree.histogram.WideWords() + 2 * std::size_t{piece.begin};
        if (piece.Joint()) {
          AddJointCodes(piece, codes, kLanes, packed, out, false);
        } else {
          AddLanesToWide(codes, kLanes, packed, piece.codes, out);
        }
        codes += piece.codes * kLanes;
      }
      lane += LanesOf(tree);
    }
  }

  BinnedMatrix const& bins_;
  HistogramKernels const& kernels_;
  Span<TreeRoot> trees_;
  std::vector<HistogramPiece> pieces_;
  std::vector<std::size_t> slot_code_;  // each slot's first code, and that of the one that stands in
  std::size_t codes_ = 0;
  std::vector<Part> parts_;  // by thread
  std::mutex mutex_;
};

std::size_t CountCodes(BinnedMatrix const& bins) {
  std::size_t codes = 0;
  for (BinTile const& tile : bins.Tiles()) codes += std::size_t{tile.slots} * tile.bin_stride;
  return codes;
}

}  // namespace

bool ShareRoots(BinnedMatrix const& bins) {
  if (bins.Rows() < kFewestRows || !bins.Sparse().empty() || CountCodes(bins) > kMostCodeSums) return false;
  for (std::size_t slot = 0; slot < bins.Layout().slots.size(); ++slot) {
    if (bins.Column8(slot) == nullptr) return false;
  }
  return bins.HistogramBins() <= kMostCodeSums;
}

void BuildRoots(BinnedMatrix const& bins, Context const& ctx, std::vector<TreeRoot>* roots) {
  if (!ShareRoots(bins)) return;
  for (std::size_t first = 0; first < roots->size();) {
    std::size_t count = 0, lanes = 0;
    while (first + count < roots->size() && lanes + LanesOf((*roots)[first + count]) <= kLanes) {
      lanes += LanesOf((*roots)[first + count++]);
    }
    if (lanes >= kFewestLanes) LaneRoots(bins, ctx, Span<TreeRoot>(*roots).Sub(first, count)).Build(ctx);
    first += count;
  }
}

}  // namespace xgbl
