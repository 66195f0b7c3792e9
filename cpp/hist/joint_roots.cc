// SPDX-License-Identifier: Apache-2.0
// Trees of a round with one output each, such as those of classes, all begin with all rows. The histograms of their
// roots are built in one pass, in which one vector addition serves a row's code in up to eight trees. The integers are
// those that each tree would get alone.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "base/span.h"
#include "hist/histogram_finder.h"
#include "parallel/buffer.h"
#include "parallel/parallel_for.h"
#include "simd/histogram_kernels.h"

namespace xgbl {
namespace {

constexpr std::size_t kLanes = LaneTask::kLanes;
constexpr std::size_t kLaneBlockRows = 2048;  // whose gradients stay in a near cache while all slots are summed up
constexpr std::size_t kFewestRows = 4096, kFewestTrees = 3;
constexpr std::size_t kMostBins = std::size_t{1} << 18U;  // 16 MB a thread
constexpr std::size_t kRootPiecesPerThread = 4;

// Up to eight trees.
class LaneRoots {
 public:
  LaneRoots(BinnedMatrix const& bins, Context const& ctx, Span<TreeRoot> trees)
      : bins_(bins),
        kernels_(HistogramKernels::Of(ctx.simd)),
        trees_(trees),
        parts_(static_cast<std::size_t>(ctx.threads)) {
    for (TreeRoot& tree : trees_) tree.histogram = Histogram::Zero(bins.HistogramBins());
  }

  void Build(Context const& ctx) {
    std::size_t const rows = bins_.Rows(), share = kRootPiecesPerThread * static_cast<std::size_t>(ctx.threads);
    std::size_t const piece = std::min(kNarrowRows, std::max((rows + share - 1) / share, 4 * kLaneBlockRows));
    ParallelTasks(ctx, (rows + piece - 1) / piece, [&](std::size_t i, int thread) {
      Part& part = Own(thread);
      AddPiece(i * piece, std::min(rows, (i + 1) * piece), &part);
      std::lock_guard<std::mutex> const lock(mutex_);
      for (std::size_t k = 0; k < trees_.size(); ++k) {
        AddLaneToWide(part.bins.data() + k, kLanes, bins_.HistogramBins(), trees_[k].histogram.WideWords());
      }
    });
  }

 private:
  // One thread's sums over a piece, and the gradients of a block of rows, all lanes of a row together.
  struct Part {
    Buffer<std::int64_t> bins;  // and, after them, those of a slot that stands in for one
    Buffer<std::int64_t> values;
  };

  Part& Own(int thread) {
    Part& part = parts_[static_cast<std::size_t>(thread)];
    if (part.bins.empty()) {
      part.bins = Buffer<std::int64_t>((bins_.HistogramBins() + kMostByteCodes) * kLanes);
      part.values = Buffer<std::int64_t>(kLaneBlockRows * kLanes);
    }
    return part;
  }

  // No more than kNarrowRows rows.
  void AddPiece(std::size_t begin, std::size_t end, Part* part) const {
    std::fill_n(part->bins.data(), part->bins.size(), 0);
    std::fill_n(part->values.data(), part->values.size(), 0);  // lanes without a tree
    for (std::size_t row = begin; row < end; row += kLaneBlockRows) {
      std::size_t const count = std::min(kLaneBlockRows, end - row);
      for (std::size_t k = 0; k < trees_.size(); ++k) {
        std::int32_t const* const pairs = trees_[k].gradients[0].narrow.data() + row;
        std::int64_t* const lane = part->values.data() + k;
        for (std::size_t i = 0; i < count; ++i) lane[i * kLanes] = PackedBin(pairs[i]);
      }
      AddBlock(row, count, part);
    }
  }

  void AddBlock(std::size_t row, std::size_t count, Part* part) const {
    std::size_t const slots = bins_.Layout().slots.size();
    auto const bins_of = [&](std::size_t slot) {
      std::size_t const first = slot < slots ? bins_.SlotHistogram()[slot] : bins_.HistogramBins();
      return part->bins.data() + first * kLanes;
    };
    for (std::size_t slot = 0; slot < slots; slot += 2) {
      std::size_t const other = std::min(slot + 1, slots - 1);
      kernels_.add_lanes({{bins_.Column8(slot) + row, bins_.Column8(other) + row},
                          {bins_of(slot), bins_of(slot + 1)},
                          part->values.data(),
                          count});
    }
  }

  BinnedMatrix const& bins_;
  HistogramKernels const& kernels_;
  Span<TreeRoot> trees_;
  std::vector<Part> parts_;  // by thread
  std::mutex mutex_;
};

bool HasByteColumns(BinnedMatrix const& bins) {
  for (std::size_t slot = 0; slot < bins.Layout().slots.size(); ++slot) {
    if (bins.Column8(slot) == nullptr) return false;
  }
  return bins.Sparse().empty();
}

}  // namespace

void BuildRoots(BinnedMatrix const& bins, Context const& ctx, std::vector<TreeRoot>* roots) {
  bool const wide =
      std::any_of(roots->begin(), roots->end(), [](TreeRoot const& root) { return root.gradients[0].wide; });
  if (wide || bins.Rows() < kFewestRows || bins.HistogramBins() > kMostBins || !HasByteColumns(bins)) return;
  for (std::size_t first = 0; first + kFewestTrees <= roots->size(); first += kLanes) {
    std::size_t const count = std::min(kLanes, roots->size() - first);
    LaneRoots(bins, ctx, Span<TreeRoot>(*roots).Sub(first, count)).Build(ctx);
  }
}

}  // namespace xgbl
