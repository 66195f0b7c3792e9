// SPDX-License-Identifier: Apache-2.0
#include "tree/histogram_finder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "tree/histogram.h"
#include "tree/histogram_cache.h"
#include "tree/histogram_scan.h"
#include "tree/row_partition.h"
#include "tree/work_shares.h"

namespace xgbl {
namespace {

constexpr std::size_t kNodesAhead = 16;    // enough work for a few threads
constexpr std::size_t kLeastFeatures = 4;  // of one task of the scan
constexpr std::size_t kPiecesPerThread = 8;
// What takes as long as so many updates of a bin: the scan of a bin, that of a cell where rows are few, an operation.
constexpr double kStepsPerBin = 4, kStepsPerCell = 8, kStepsPerOperation = 4;
constexpr std::size_t kExactRows = 4096;         // up to here wide gradients cost little, and need no random rounding
constexpr std::size_t kBatchBytes = 64U << 20U;  // histograms that are built before they are looked at

FixedSum SumOfNarrow(std::int32_t const* packed, std::size_t count) {
  FixedSum sum;
  for (std::size_t i = 0; i < count; ++i) {
    sum.gradient += packed[i] >> 16;
    sum.hessian += packed[i] & 0xFFFF;
  }
  return sum;
}

// Two siblings, or the root alone.
struct Family {
  NodeId parent = kNoNode;
  NodeId first = kNoNode;
  std::size_t place = 0;      // of the first that is to be evaluated, among all such nodes
  Span<NodeId const> wanted;  // those that are to be evaluated
};

// How the histograms of a family are had.
struct FamilyWork {
  Family family;
  std::vector<NodeId> built;  // from their rows
  NodeId heir = kNoNode;      // the child that gets the parent's, less that of the child that is built
  double steps = 0;           // updates of a bin, and what takes as long
};

class HistogramFinder final : public SplitFinder {
 public:
  HistogramFinder(TreeTask const& task, ColumnSampler const& columns, std::shared_ptr<BinnedMatrix const> bins,
                  TreeRoot root, bool local_cuts)
      : task_(task),
        columns_(columns),
        bins_(std::move(bins)),
        gradients_(std::move(root.gradients)),
        root_(std::move(root.histogram)),
        monotone_(task.param, task.data.Columns()),
        rows_(task.rows.all ? RowPartition(task.data.Rows(), task.ctx) : RowPartition(task.rows.rows)),
        others_(task.rows.Others(task.data.Rows())),
        cache_(task.param, *OwnBuilder(0), task.trees_at_once),
        scan_task_{task.param, *bins_, gradients_, monotone_, Scales(), task.ctx.simd, local_cuts},
        tells_occupied_(!local_cuts && OccupiedBins::CanTell(*bins_)) {
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

  std::vector<Split> Evaluate(GrowingTree const& tree, std::vector<NodeId> const& nodes) override {
    cache_.Reserve(tree.nodes.size());
    share_of_.resize(tree.nodes.size(), -1);
    std::vector<Split> splits(nodes.size());
    std::vector<Family> const families = Families(tree, nodes);
    std::size_t const family_bytes = 2 * OwnBuilder(0)->Bytes(kNarrowRows);
    std::size_t const at_a_time = std::max<std::size_t>(1, kBatchBytes / task_.trees_at_once / family_bytes);
    for (std::size_t begin = 0; begin < families.size(); begin += at_a_time) {
      std::size_t const count = std::min(at_a_time, families.size() - begin);
      EvaluateBatch(tree, Span<Family const>(families).Sub(begin, count), &splits);
    }
    DropParents();
    return splits;
  }

  void Apply(GrowingTree const& tree, std::vector<NodeId> const& nodes) override {
    DropParents();
    parents_ = nodes;
    std::vector<RowPartition::Move> moves;
    std::vector<std::vector<std::uint64_t>> sets(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      GrowingNode const& node = tree[nodes[i]];
      sets[i] = RightBins(node.split);
      moves.push_back(
          {nodes[i], node.left, node.split.feature, node.split.missing_left, node.split.last_left_bin, sets[i]});
    }
    rows_.Split(*bins_, moves, task_.ctx);
    if (!task_.rows.all) others_.Split(*bins_, moves, task_.ctx);
  }

  TreeRows CollectRows(GrowingTree const& tree, Span<NodeId const> final_of) override {
    TreeRows out;
    out.sampled = rows_.TakeLeaves(tree, final_of);
    if (!task_.rows.all) out.others = others_.TakeLeaves(tree, final_of);
    return out;
  }

 private:
  // Nobody needs the histogram of a node whose children were evaluated, or will not be.
  void DropParents() {
    for (NodeId const parent : parents_) cache_.Drop(parent, BuilderOf(parent));
    parents_.clear();
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

  std::vector<Family> Families(GrowingTree const& tree, std::vector<NodeId> const& nodes) const {
    std::vector<Family> families;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      NodeId const parent = tree[nodes[i]].parent;
      if (families.empty() || parent == kNoNode || families.back().parent != parent) {
        families.push_back({parent, parent == kNoNode ? nodes[i] : tree[parent].left, i, {}});
      }
      Family& family = families.back();
      family.wanted = Span<NodeId const>(nodes).Sub(family.place, i + 1 - family.place);
    }
    return families;
  }

  // Where the families allow it, a thread does all that there is to do for one, and later for its children's; else all
  // threads take part in each step.
  void EvaluateBatch(GrowingTree const& tree, Span<Family const> families, std::vector<Split>* splits) {
    std::vector<FamilyWork> works;
    for (Family const& family : families) works.push_back(WorkFor(family));
    auto const shares = SharesOf(works);
    if (shares.empty()) Evaluate(tree, works, task_.ctx, 0, splits);
    Context alone = task_.ctx;
    alone.threads = 1;
    for (std::size_t share = 0; share < shares.size(); ++share) OwnBuilder(share);
    ParallelTasks(task_.ctx, shares.size(), [&](std::size_t share, int) {
      for (std::size_t const i : shares[share]) Evaluate(tree, {&works[i], 1}, alone, share, splits);
    });
    for (std::size_t share = 0; share < shares.size(); ++share) {
      for (std::size_t const i : shares[share]) SetShare(works[i], static_cast<int>(share));
    }
    for (FamilyWork const& work : works) KeepUseful(tree, work, *splits);
  }

  // Uses the builder and the scans from the share's on, as many as there are threads.
  void Evaluate(GrowingTree const& tree, Span<FamilyWork const> works, Context const& ctx, std::size_t share,
                std::vector<Split>* splits) {
    Build(works, OwnBuilder(share), ctx);
    std::vector<NodeId> nodes;
    for (auto const& work : works) nodes.insert(nodes.end(), work.family.wanted.begin(), work.family.wanted.end());
    std::vector<Split> found = Scan(tree, nodes, ctx, share);
    std::size_t const place = works[0].family.place;
    for (std::size_t i = 0; i < nodes.size(); ++i) (*splits)[place + i] = std::move(found[i]);
  }

  void KeepUseful(GrowingTree const& tree, FamilyWork const& work, std::vector<Split> const& splits) {
    for (NodeId const node : work.built) {
      auto const& wanted = work.family.wanted;
      if (std::find(wanted.begin(), wanted.end(), node) == wanted.end()) cache_.Drop(node, BuilderOf(node));
    }
    for (std::size_t i = 0; i < work.family.wanted.size(); ++i) {
      NodeId const node = work.family.wanted[i];
      cache_.KeepIfUseful(node, tree[node].depth, splits[work.family.place + i].Valid(), BuilderOf(node));
    }
  }

  // Empty: all threads work on all of them.
  std::vector<std::vector<std::size_t>> SharesOf(std::vector<FamilyWork> const& works) const {
    std::vector<WorkPiece> pieces;
    double steps = 0;
    for (auto const& work : works) {
      NodeId const parent = work.family.parent;
      pieces.push_back({work.steps, parent == kNoNode ? -1 : share_of_[Tree::At(parent)]});
      steps += work.steps;
    }
    return ShareOut(pieces, ForWork(task_.ctx, static_cast<std::size_t>(steps / kStepsPerOperation)).threads);
  }

  void SetShare(FamilyWork const& work, int share) {
    for (NodeId const node : work.family.wanted) share_of_[Tree::At(node)] = share;
    for (NodeId const node : work.built) share_of_[Tree::At(node)] = share;
  }

  // The builder whose memory one thread uses; made by the thread that hands out the shares.
  HistogramBuilder* OwnBuilder(std::size_t share) {
    while (builders_.size() <= share) builders_.push_back(std::make_unique<HistogramBuilder>(*bins_, gradients_));
    return builders_[share].get();
  }

  // To whom the memory of a node's histogram goes back: whose thread takes the next, or none would be used again.
  HistogramBuilder* BuilderOf(NodeId node) {
    return builders_[static_cast<std::size_t>(std::max(share_of_[Tree::At(node)], 0))].get();
  }

  // Whether a node has so few rows that it needs no histogram. Nor do its children, then.
  bool HasFewRows(NodeId node) const {
    return tells_occupied_ && !rows_.AllRows(node) && rows_.Count(node) <= OccupiedBins::kMostRows;
  }

  bool HaveFewRows(Span<NodeId const> nodes) const {
    return std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) { return HasFewRows(node); });
  }

  // What is to be done, and by which histograms. The parent's no longer counts as kept.
  FamilyWork WorkFor(Family const& family) {
    FamilyWork work{family, {}, kNoNode, 0};
    bool const is_root = family.parent == kNoNode;
    if (is_root && !root_.Empty()) {
      cache_[family.first] = std::move(root_);
    } else if (!HaveFewRows(family.wanted)) {
      bool const derivable = !is_root && !cache_[family.parent].Empty();
      NodeId const light = LighterOf(family);
      if (!derivable || (family.wanted.size() == 1 && family.wanted[0] == light)) {
        work.built.assign(family.wanted.begin(), family.wanted.end());
      } else {
        work.built = {light};
        work.heir = 2 * family.first + 1 - light;
        cache_.Forget(family.parent);
      }
    }
    work.steps = StepsOf(work);
    return work;
  }

  double StepsOf(FamilyWork const& work) const {
    auto const bins = static_cast<double>(bins_->HistogramBins());
    double steps = work.heir == kNoNode ? 0 : bins;
    for (NodeId const node : work.built) steps += static_cast<double>(rows_.Count(node)) * builders_[0]->CellsPerRow();
    for (NodeId const node : work.family.wanted) {
      auto const cells = static_cast<double>(rows_.Count(node) * bins_->Columns());
      steps += HasFewRows(node) ? kStepsPerCell * cells : kStepsPerBin * bins;
    }
    return steps;
  }

  // Builds or derives the histograms of all wanted nodes that need one.
  void Build(Span<FamilyWork const> works, HistogramBuilder* builder, Context const& ctx) {
    std::vector<HistogramBuilder::Job> jobs;
    std::vector<HistogramBuilder::Difference> differences;
    for (FamilyWork const& work : works) {
      for (NodeId const node : work.built) jobs.push_back(JobFor(node));
      if (work.heir == kNoNode) continue;
      differences.push_back({&cache_[work.family.parent], &cache_[work.built[0]], rows_.Count(work.heir)});
    }
    builder->Build(jobs, ctx);
    builder->Subtract(differences, ctx);
    for (FamilyWork const& work : works) {
      if (work.heir != kNoNode) cache_[work.heir] = std::move(cache_[work.family.parent]);
    }
  }

  NodeId LighterOf(Family const& family) const {
    if (family.parent == kNoNode) return family.first;
    return rows_.Count(family.first) <= rows_.Count(family.first + 1) ? family.first : family.first + 1;
  }

  HistogramBuilder::Job JobFor(NodeId node) {
    return {rows_.AllRows(node) ? Span<std::uint32_t const>{} : rows_.Rows(node), rows_.AllRows(node), &cache_[node]};
  }

  Split BestOf(GrowingTree const& tree, NodeId node, Span<std::uint32_t const> features, HistogramScan* scan) {
    if (cache_[node].Empty()) return scan->Best(tree[node], rows_.Rows(node), features);
    return scan->Best(tree[node], cache_[node], features);
  }

  std::size_t ScanSteps(std::vector<NodeId> const& nodes) {
    std::size_t steps = 0;
    for (NodeId const node : nodes) {
      steps += cache_[node].Empty() ? 2 * rows_.Count(node) * bins_->Columns() : bins_->HistogramBins();
    }
    return steps;
  }

  // Uses the scans from `first_scan` on.
  std::vector<Split> Scan(GrowingTree const& tree, std::vector<NodeId> const& nodes, Context const& all,
                          std::size_t first_scan) {
    struct Piece {
      std::size_t node;
      Span<std::uint32_t const> features;
    };
    // Pieces small enough for all threads, however few the nodes; which ones does not matter to the result.
    std::size_t const wanted =
        kPiecesPerThread * static_cast<std::size_t>(all.threads) / std::max<std::size_t>(nodes.size(), 1) + 1;
    std::size_t const at_a_time = std::max(kLeastFeatures, columns_.Tree().size() / wanted + 1);
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      auto const& own = tree[nodes[i]].columns;
      Span<std::uint32_t const> const features = own.empty() ? columns_.Tree() : own;
      for (std::size_t begin = 0; begin < features.size(); begin += at_a_time) {
        pieces.push_back({i, features.Sub(begin, std::min(at_a_time, features.size() - begin))});
      }
    }
    std::vector<Split> found(pieces.size());
    Context const ctx = ForWork(all, ScanSteps(nodes));
    std::size_t const per_task = pieces.size() / (kPiecesPerThread * static_cast<std::size_t>(ctx.threads)) + 1;
    ParallelTasks(ctx, (pieces.size() + per_task - 1) / per_task, [&](std::size_t task, int thread) {
      std::size_t const end = std::min(pieces.size(), (task + 1) * per_task);
      for (std::size_t i = task * per_task; i < end; ++i) {
        found[i] = BestOf(tree, nodes[pieces[i].node], pieces[i].features,
                          &scans_[first_scan + static_cast<std::size_t>(thread)]);
      }
    });
    std::vector<Split> best(nodes.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      Split& winner = best[pieces[i].node];
      if (found[i].Valid() && found[i].BetterThan(winner)) winner = std::move(found[i]);
    }
    return best;
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
  Histogram root_;  // until it is asked for; empty: to be built
  MonotoneConstraints monotone_;
  RowPartition rows_;
  RowPartition others_;                                      // those that were not sampled: they only go along
  std::vector<std::unique_ptr<HistogramBuilder>> builders_;  // by share
  HistogramCache cache_;
  std::vector<int> share_of_;    // by node: the share that evaluated it; -1: all threads did
  std::vector<NodeId> parents_;  // of the nodes that are evaluated next
  ScanTask scan_task_;
  bool tells_occupied_;
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
  return PackOutputs(task.gradients, bits, Random(task.key.seed, Purpose::kRounding, task.key.tree), task.ctx);
}

}  // namespace xgbl
