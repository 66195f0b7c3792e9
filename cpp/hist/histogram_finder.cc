// SPDX-License-Identifier: Apache-2.0
#include "hist/histogram_finder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "base/span.h"
#include "hist/histogram_scan.h"
#include "hist/row_partition.h"
#include "hist/sibling_histograms.h"
#include "parallel/buffer.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "simd/histogram_kernels.h"

namespace xgbl {
namespace {

constexpr std::size_t kNodesAhead = 16;    // enough work for a few threads
constexpr std::size_t kLeastFeatures = 4;  // of one task of the scan
constexpr std::size_t kPiecesPerThread = 8;
// What takes as long as so many updates of a bin: the scan of a bin, that of a cell where rows are few, an operation.
constexpr double kStepsPerBin = 4, kStepsPerCell = 8, kStepsPerOperation = 4;
constexpr std::size_t kExactRows = 4096;  // up to here wide gradients cost little, and need no random rounding

FixedSum SumOfNarrow(std::int32_t const* packed, std::size_t count) {
  FixedSum sum;
  for (std::size_t i = 0; i < count; ++i) {
    sum.gradient += packed[i] >> 16;
    sum.hessian += packed[i] & 0xFFFF;
  }
  return sum;
}

class HistogramFinder final : public SplitFinder {
 public:
  HistogramFinder(TreeTask const& task, ColumnSampler const& columns, std::shared_ptr<BinnedMatrix const> bins,
                  TreeRoot root, bool local_cuts)
      : task_(task),
        columns_(columns),
        bins_(std::move(bins)),
        gradients_(std::move(root.gradients)),
        monotone_(task.param, task.data.Columns()),
        rows_(task.rows, task.data.Rows(), task.ctx),
        histograms_(task.param, *bins_, gradients_, rows_.Sampled(), task.ctx.threads,
                    UseFor(task, local_cuts, *bins_)),
        scan_task_{task.param, *bins_, gradients_, monotone_, Scales(), task.ctx.simd, local_cuts} {
    histograms_.SetRoot(std::move(root.histogram));
    for (int t = 0; t < task.ctx.threads; ++t) scans_.emplace_back(scan_task_);
  }

  std::vector<FixedScale> Scales() const override {
    std::vector<FixedScale> scales;
    for (auto const& output : gradients_) scales.push_back(output.scale);
    return scales;
  }

  FixedSums RootSums() const override {
    FixedSums sums(gradients_.size());
    for (std::size_t k = 0; k < gradients_.size(); ++k) sums[k] = SumOf(gradients_[k]);
    return sums;
  }

  std::size_t NodesAhead() const override { return task_.ctx.threads > 1 ? kNodesAhead : 1; }

  // Where the families allow it, a thread does all that there is to do for one, and later for its children's; else all
  // threads take part in each step.
  std::vector<Split> Evaluate(GrowingTree const& tree, std::vector<NodeId> const& nodes) override {
    return histograms_.Evaluate(tree, nodes, [&](Span<Family const> families, std::vector<Split>* splits) {
      auto const shares = SharesOf(families);
      if (shares.empty()) Evaluate(tree, families, task_.ctx, SiblingHistograms::kEveryThread, splits);
      Context alone = task_.ctx;
      alone.threads = 1;
      ParallelTasks(task_.ctx, shares.size(), [&](std::size_t share, int) {
        for (std::size_t const i : shares[share]) {
          Evaluate(tree, families.Sub(i, 1), alone, static_cast<int>(share), splits);
        }
      });
    });
  }

  void Apply(GrowingTree const& tree, std::vector<NodeId> const& nodes) override {
    histograms_.WereSplit(nodes);
    std::vector<RowPartition::Move> moves;
    std::vector<std::vector<std::uint64_t>> sets(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      GrowingNode const& node = tree[nodes[i]];
      sets[i] = RightBins(node.split);
      moves.push_back(
          {nodes[i], node.left, node.split.feature, node.split.missing_left, node.split.last_left_bin, sets[i]});
    }
    rows_.Split(*bins_, moves, task_.ctx);
  }

  TreeRows CollectRows(GrowingTree const& tree, Span<NodeId const> final_of) override {
    return rows_.TakeLeaves(tree, final_of);
  }

 private:
  using Family = SiblingHistograms::Family;

  static SiblingHistograms::Use UseFor(TreeTask const& task, bool local_cuts, BinnedMatrix const& bins) {
    SiblingHistograms::Use use;
    use.trees_at_once = task.trees_at_once;
    std::size_t const few_rows = local_cuts ? 0 : OccupiedBins::MostRows(bins);
    if (few_rows > 0) use.least_rows = few_rows + 1;
    return use;
  }

  FixedSum SumOf(PackedGradients const& output) const {
    auto const& listed = task_.rows.rows;
    std::size_t const count = task_.rows.all ? task_.data.Rows() : listed.size();
    return ReduceBlocks(ForWork(task_.ctx, count), count, FixedSum{}, [&](std::size_t begin, std::size_t end) {
      if (task_.rows.all && !output.wide) return SumOfNarrow(output.narrow.data() + begin, end - begin);
      FixedSum sum;
      for (std::size_t i = begin; i < end; ++i) sum += output.Row(task_.rows.all ? i : listed[i]);
      return sum;
    });
  }

  // Empty: all threads work on all of them.
  std::vector<std::vector<std::size_t>> SharesOf(Span<Family const> families) const {
    std::vector<WorkPiece> pieces;
    double steps = 0;
    for (Family const& family : families) {
      pieces.push_back({StepsOf(family), family.parent == kNoNode ? -1 : histograms_.ShareOf(family.parent)});
      steps += pieces.back().steps;
    }
    return ShareOut(pieces, ForWork(task_.ctx, static_cast<std::size_t>(steps / kStepsPerOperation)).threads);
  }

  // Updates of a bin, and what takes as long.
  double StepsOf(Family const& family) const {
    RowPartition const& rows = rows_.Sampled();
    auto const bins = static_cast<double>(bins_->HistogramBins());
    double steps = family.heir == kNoNode ? 0 : bins;
    for (NodeId const node : family.built) steps += static_cast<double>(rows.Count(node)) * histograms_.CellsPerRow();
    for (NodeId const node : family.wanted) {
      auto const cells = static_cast<double>(rows.Count(node) * bins_->Columns());
      steps += histograms_.Needs(node) ? kStepsPerBin * bins : kStepsPerCell * cells;
    }
    return steps;
  }

  // Uses the scans from the share's on, as many as there are threads.
  void Evaluate(GrowingTree const& tree, Span<Family const> families, Context const& all, int share,
                std::vector<Split>* splits) {
    struct Piece {
      std::size_t place;  // of the split
      NodeId node;
      Span<std::uint32_t const> features;
      Split found = Split();
    };
    histograms_.Build(families, all, share);
    std::size_t nodes = 0, steps = 0;
    for (Family const& family : families) nodes += family.wanted.size();
    // Pieces small enough for all threads, however few the nodes; which ones does not matter to the result. A single
    // thread has one a node: the best split up to then spares later features most of their work.
    std::size_t const wanted =
        all.threads == 1 ? 0 : kPiecesPerThread * static_cast<std::size_t>(all.threads) / nodes + 1;
    std::size_t const columns = columns_.Tree().size();
    std::size_t const at_a_time = std::max(kLeastFeatures, wanted == 0 ? columns : columns / wanted + 1);
    std::vector<Piece> pieces;
    for (Family const& family : families) {
      for (std::size_t i = 0; i < family.wanted.size(); ++i) {
        NodeId const node = family.wanted[i];
        bool const of_rows = histograms_[node].Empty();
        steps += of_rows ? 2 * rows_.Sampled().Count(node) * bins_->Columns() : bins_->HistogramBins();
        auto const& own = tree[node].columns;
        Span<std::uint32_t const> const features = own.empty() ? columns_.Tree() : own;
        for (std::size_t begin = 0; begin < features.size(); begin += at_a_time) {
          std::size_t const count = std::min(at_a_time, features.size() - begin);
          pieces.push_back({family.place + i, node, features.Sub(begin, count)});
        }
      }
    }
    Context const ctx = ForWork(all, steps);
    std::size_t const per_task = pieces.size() / (kPiecesPerThread * static_cast<std::size_t>(ctx.threads)) + 1;
    std::size_t const first_scan = static_cast<std::size_t>(std::max(share, 0));
    ParallelTasks(ctx, (pieces.size() + per_task - 1) / per_task, [&](std::size_t task, int thread) {
      HistogramScan& scan = scans_[first_scan + static_cast<std::size_t>(thread)];
      for (Piece& piece :
           Span<Piece>(pieces).Sub(task * per_task, std::min(per_task, pieces.size() - task * per_task))) {
        piece.found =
            scan.Best(tree[piece.node], histograms_[piece.node], rows_.Sampled().Rows(piece.node), piece.features);
      }
    });
    for (Piece& piece : pieces) {
      Split& best = (*splits)[piece.place];
      if (piece.found.Valid() && piece.found.BetterThan(best)) best = std::move(piece.found);
    }
  }

  // A bit for each bin that goes right, where it is not all bins after one.
  std::vector<std::uint64_t> RightBins(Split const& split) const {
    std::vector<std::uint64_t> bits;
    bool const numeric = split.right_categories.empty();
    if (numeric && split.last_left_bin == Split::kNoBin) {
      bits.assign(bins_->Place(split.feature).bins / 64 + 1, ~std::uint64_t{0});
    }
    for (std::int32_t const category : split.right_categories) {
      auto const word = static_cast<std::size_t>(category) / 64;
      if (word >= bits.size()) bits.resize(word + 1);
      bits[word] |= std::uint64_t{1} << (static_cast<std::size_t>(category) % 64);
    }
    return bits;
  }

  TreeTask const& task_;
  ColumnSampler const& columns_;
  std::shared_ptr<BinnedMatrix const> bins_;
  std::vector<PackedGradients> gradients_;
  MonotoneConstraints monotone_;
  TreePartition rows_;
  SiblingHistograms histograms_;
  ScanTask scan_task_;
  std::vector<HistogramScan> scans_;  // by thread
};

void CheckTask(TreeTask const& task) {
  auto const& signs = task.param.monotone_constraints;
  bool const monotone = std::any_of(signs.begin(), signs.end(), [](int sign) { return sign != 0; });
  Require<ParamError>(
      !monotone || task.leaf_gradients.empty(),
      "Monotonic constraints are not supported with reduced gradients: `monotone_constraints` bound ",
      "the leaves, whose values are not those that splits are chosen by. Let `split_grad` return None.");
  auto const& types = task.data.Info().feature_types;
  for (std::size_t i = 0; i < std::min(signs.size(), types.size()); ++i) {
    Require<ParamError>(signs[i] == 0 || types[i] != "c", "`monotone_constraints` names feature ", i,
                        ", which is categorical: categories have no order. Set its sign to 0.");
  }
}

}  // namespace

std::unique_ptr<SplitFinder> MakeHistogramFinder(TreeTask const& task, ColumnSampler const& columns,
                                                 std::shared_ptr<BinnedMatrix const> bins, TreeRoot root,
                                                 bool local_cuts) {
  CheckTask(task);
  return std::make_unique<HistogramFinder>(task, columns, std::move(bins), std::move(root), local_cuts);
}

std::vector<PackedGradients> PackFor(TreeTask const& task) {
  std::string const& wish = task.param.gradient_bits;
  bool const small = wish == "auto" && task.data.Rows() <= kExactRows;
  GradientBits const bits = wish == "32" || small ? GradientBits::kWide
                            : wish == "16"        ? GradientBits::kNarrow
                                                  : GradientBits::kAuto;
  Random const random(task.key.seed, Purpose::kRounding, task.key.tree);
  return PackOutputs(task.gradients, bits, &random, task.ctx);
}

}  // namespace xgbl
