// SPDX-License-Identifier: Apache-2.0
// `tree_method=hist` and `approx`: splits are searched in histograms over bins. Of two siblings the histogram of the one
// with fewer rows is built, that of the other is their parent's less it. hist bins a matrix once; approx anew for every
// tree, with cuts at the quantiles weighted by the tree's hessians (Chen and Guestrin 2016, algorithm 2, global variant).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "data/binned_matrix_builder.h"
#include "data/cuts.h"
#include "tree/histogram.h"
#include "tree/histogram_cache.h"
#include "tree/histogram_scan.h"
#include "tree/packed_gradients.h"
#include "tree/row_partition.h"
#include "tree/split_finder.h"

namespace xgbl {
namespace {

constexpr std::size_t kNodesAhead = 4;            // enough work for a few threads
constexpr std::size_t kFeaturesAtATime = 64;      // of one task of the scan
constexpr std::size_t kExactRows = 4096;          // up to here wide gradients cost little, and need no random rounding
constexpr std::size_t kBatchBytes = 64U << 20U;   // histograms that are built before they are looked at

// One form for all outputs: a histogram is either narrow or wide.
std::vector<PackedGradients> Pack(TreeTask const& task) {
  std::string const& wish = task.param.gradient_bits;
  bool wide = wish == "32";
  if (wish == "auto") {
    wide = task.data.Rows() <= kExactRows || std::any_of(task.gradients.begin(), task.gradients.end(),
                       [&](OutputGradients const& output) { return NeedsWide(output, task.ctx); });
  }
  std::vector<PackedGradients> packed;
  for (std::size_t k = 0; k < task.gradients.size(); ++k) {
    Random const random(task.key.seed, Purpose::kRounding, Mix(task.key.tree) ^ k);
    packed.push_back(PackGradients(task.gradients[k], wide ? GradientBits::kWide : GradientBits::kNarrow, random, task.ctx));
  }
  return packed;
}

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
  std::vector<NodeId> wanted;  // those that are to be evaluated
};

class HistFinder final : public SplitFinder {
 public:
  HistFinder(TreeTask const& task, ColumnSampler const& columns, std::shared_ptr<BinnedMatrix const> bins,
             bool local_cuts = false)
      : task_(task),
        columns_(columns),
        bins_(std::move(bins)),
        gradients_(Pack(task)),
        monotone_(task.param, task.data.Columns()),
        rows_(task.rows.all ? RowPartition(task.data.Rows()) : RowPartition(task.rows.rows)),
        others_(OtherRows(task)),
        builder_(*bins_, gradients_),
        cache_(task.param, &builder_),
        scan_task_{task.param, *bins_, monotone_, Scales(), task.ctx.simd,
                   local_cuts} {
    for (int t = 0; t < task.ctx.threads; ++t) scans_.emplace_back(scan_task_);
  }

  std::vector<FixedScale> Scales() const override {
    std::vector<FixedScale> scales;
    for (auto const& output : gradients_) scales.push_back(output.scale);
    return scales;
  }

  FixedSums RootSums() const override {
    FixedSums sums;
    for (auto const& output : gradients_) sums.push_back(SumOf(output));
    return sums;
  }

  std::size_t NodesAhead() const override { return task_.ctx.threads > 1 ? kNodesAhead : 1; }

  std::vector<Split> Evaluate(GrowingTree const& tree, std::vector<NodeId> const& nodes) override {
    std::vector<Split> splits(nodes.size());
    std::vector<std::size_t> place_of(tree.nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) place_of[Tree::At(nodes[i])] = i;
    std::vector<Family> batch;
    std::size_t bytes = 0;
    std::vector<Family> const families = Families(tree, nodes);
    for (std::size_t i = 0; i < families.size(); ++i) {
      batch.push_back(families[i]);
      bytes += builder_.Bytes(kNarrowRows) * 2;
      if (bytes < kBatchBytes && i + 1 < families.size()) continue;
      cache_.Reserve(tree.nodes.size());
      Build(batch);
      std::vector<NodeId> built;
      for (auto const& family : batch) built.insert(built.end(), family.wanted.begin(), family.wanted.end());
      std::vector<Split> found = Scan(tree, built);
      for (std::size_t k = 0; k < built.size(); ++k) {
        cache_.KeepIfUseful(built[k], tree[built[k]].depth, found[k].Valid());
        splits[place_of[Tree::At(built[k])]] = std::move(found[k]);
      }
      batch.clear();
      bytes = 0;
    }
    return splits;
  }

  void Apply(GrowingTree const& tree, std::vector<NodeId> const& nodes) override {
    std::vector<RowPartition::Move> moves;
    std::vector<std::vector<std::uint64_t>> sets(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      GrowingNode const& node = tree[nodes[i]];
      sets[i] = RightBins(node.split);
      moves.push_back({nodes[i], node.left, node.split.feature, node.split.missing_left, node.split.last_left_bin, sets[i]});
    }
    rows_.Split(*bins_, moves, task_.ctx);
    if (!task_.rows.all) others_.Split(*bins_, moves, task_.ctx);
  }

  TreeRows CollectRows(GrowingTree const& tree, Span<NodeId const> final_of) override {
    TreeRows out;
    out.sampled = Collect(tree, final_of, &rows_);
    if (!task_.rows.all) out.others = Collect(tree, final_of, &others_);
    return out;
  }

 private:
  static LeafRows Collect(GrowingTree const& tree, Span<NodeId const> final_of, RowPartition* rows) {
    LeafRows out;
    for (NodeId id = 0; Tree::At(id) < tree.nodes.size(); ++id) {
      GrowingNode const& node = tree[id];
      bool const in_tree = node.parent == kNoNode || tree[node.parent].committed;
      if (!in_tree || node.committed || rows->Count(id) == 0) continue;
      out.leaves.push_back({final_of[Tree::At(id)], rows->Begin(id), rows->Begin(id) + rows->Count(id)});
    }
    out.rows = rows->TakeRows();
    return out;
  }

  static RowPartition OtherRows(TreeTask const& task) {
    std::vector<std::uint32_t> others;
    if (task.rows.all) return RowPartition(others);
    auto sampled = task.rows.rows.begin();
    for (std::uint32_t row = 0; row < task.data.Rows(); ++row) {
      if (sampled != task.rows.rows.end() && *sampled == row) {
        ++sampled;
      } else {
        others.push_back(row);
      }
    }
    return RowPartition(others);
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
    for (NodeId const node : nodes) {
      NodeId const parent = tree[node].parent;
      if (families.empty() || parent == kNoNode || families.back().parent != parent) {
        families.push_back({parent, parent == kNoNode ? node : tree[parent].left, {}});
      }
      families.back().wanted.push_back(node);
    }
    return families;
  }

  // Builds or derives the histograms of all wanted nodes.
  void Build(std::vector<Family> const& families) {
    std::vector<HistogramBuilder::Job> jobs;
    std::vector<HistogramBuilder::Difference> differences;
    std::vector<std::pair<NodeId, NodeId>> heirs;  // parent, the child that gets its histogram
    std::vector<NodeId> unwanted;
    for (auto const& family : families) {
      bool const derivable = family.parent != kNoNode && !cache_[family.parent].Empty();
      NodeId const light = LighterOf(family);
      bool const all_wanted = family.wanted.size() == (family.parent == kNoNode ? 1U : 2U);
      if (!derivable || (family.wanted.size() == 1 && family.wanted[0] == light)) {
        for (NodeId const node : family.wanted) jobs.push_back(JobFor(node));
        if (derivable) cache_.Drop(family.parent);
        continue;
      }
      NodeId const heavy = 2 * family.first + 1 - light;
      jobs.push_back(JobFor(light));
      differences.push_back({&cache_[family.parent], &cache_[light], rows_.Count(heavy)});
      heirs.emplace_back(family.parent, heavy);
      if (!all_wanted) unwanted.push_back(light);
    }
    builder_.Build(jobs, task_.ctx);
    builder_.Subtract(differences, task_.ctx);
    for (auto const& [parent, heavy] : heirs) cache_.Inherit(parent, heavy);
    for (NodeId const node : unwanted) cache_.Drop(node);
  }

  NodeId LighterOf(Family const& family) const {
    if (family.parent == kNoNode) return family.first;
    return rows_.Count(family.first) <= rows_.Count(family.first + 1) ? family.first : family.first + 1;
  }

  HistogramBuilder::Job JobFor(NodeId node) {
    return {rows_.AllRows(node) ? Span<std::uint32_t const>{} : rows_.Rows(node), rows_.AllRows(node), &cache_[node]};
  }

  std::vector<Split> Scan(GrowingTree const& tree, std::vector<NodeId> const& nodes) {
    struct Piece {
      std::size_t node;
      Span<std::uint32_t const> features;
    };
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      auto const& own = tree[nodes[i]].columns;
      Span<std::uint32_t const> const features = own.empty() ? columns_.Tree() : own;
      for (std::size_t begin = 0; begin < features.size(); begin += kFeaturesAtATime) {
        pieces.push_back({i, features.Sub(begin, std::min(kFeaturesAtATime, features.size() - begin))});
      }
    }
    std::vector<Split> found(pieces.size());
    Context const ctx = ForWork(task_.ctx, nodes.size() * bins_->HistogramBins());
    ParallelTasks(ctx, pieces.size(), [&](std::size_t i, int thread) {
      NodeId const node = nodes[pieces[i].node];
      found[i] = scans_[static_cast<std::size_t>(thread)].Best(tree[node], cache_[node], pieces[i].features);
    });
    std::vector<Split> best(nodes.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      Split& winner = best[pieces[i].node];
      if (found[i].Valid() && found[i].BetterThan(winner)) winner = std::move(found[i]);
    }
    return best;
  }

  static std::vector<std::uint64_t> RightBins(Split const& split) {
    std::vector<std::uint64_t> bits;
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
  RowPartition rows_;
  RowPartition others_;  // those that were not sampled: they only go along
  HistogramBuilder builder_;
  HistogramCache cache_;
  ScanTask scan_task_;
  std::vector<HistogramScan> scans_;  // by thread
};

void CheckTask(TreeTask const& task) {
  auto const& signs = task.param.monotone_constraints;
  bool const monotone = std::any_of(signs.begin(), signs.end(), [](int sign) { return sign != 0; });
  Require<ParamError>(!monotone || task.gradients.size() == 1,
                      "`monotone_constraints` need one output per tree; with `multi_strategy` multi_output_tree a leaf has ",
                      task.gradients.size(), " values.");
  auto const& types = task.data.Info().feature_types;
  for (std::size_t i = 0; i < std::min(signs.size(), types.size()); ++i) {
    Require<ParamError>(signs[i] == 0 || types[i] != "c", "`monotone_constraints` names feature ", i,
                        ", which is categorical: categories have no order. Set its sign to 0.");
  }
}

class HistMethod final : public TreeMethod {
 public:
  bool StopsEarly() const override { return true; }
  std::unique_ptr<SplitFinder> Start(TreeTask const& task, ColumnSampler const& columns) const override {
    CheckTask(task);
    return std::make_unique<HistFinder>(task, columns, task.data.Binned(task.ctx, task.param.max_bin));
  }
};

// Cuts for one tree. The matrix is binned once, finely; what is done anew for every tree is to weigh the fine bins by the
// hessians and to group them.
class ApproxMethod final : public TreeMethod {
 public:
  bool StopsEarly() const override { return true; }
  std::unique_ptr<SplitFinder> Start(TreeTask const& task, ColumnSampler const& columns) const override {
    CheckTask(task);
    Require<ParamError>(task.data.Features().Binned() == nullptr,
                        "`tree_method` approx needs the values of the features, which a quantised matrix does not keep. "
                        "Only `hist` works on it; or use a DMatrix.");
    auto const fine = task.data.Binned(task.ctx, std::min(task.param.max_bin * kFineBins, kMostFineBins));
    if (task.param.cut_proposal == "local") return std::make_unique<HistFinder>(task, columns, fine, true);
    auto const cuts = std::make_shared<Cuts const>(GroupCuts(fine->GetCuts(), Weights(task, *fine), task.param.max_bin));
    return std::make_unique<HistFinder>(task, columns, Regroup(*fine, cuts, task.ctx));
  }

 private:
  static constexpr int kFineBins = 16;  // for each bin of the tree
  static constexpr int kMostFineBins = 65535;

  // The sum of the hessians in each fine bin, over all outputs; in units of their own, as only ratios count.
  static std::vector<std::uint64_t> Weights(TreeTask const& task, BinnedMatrix const& fine) {
    std::vector<PackedGradients> const gradients = Pack(task);
    HistogramBuilder builder(fine, gradients);
    Histogram histogram;
    HistogramBuilder::Job const job{task.rows.rows, task.rows.all, &histogram};
    builder.Build({&job, 1}, task.ctx);
    std::vector<std::uint64_t> weights;
    for (std::size_t feature = 0; feature < fine.Columns(); ++feature) {
      BinPlace const& place = fine.Place(feature);
      for (std::uint32_t bin = 0; bin < place.bins; ++bin) {
        FixedSum sum;
        for (std::size_t k = 0; k < gradients.size(); ++k) sum += histogram.Bin(k, place.histogram + bin);
        weights.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(sum.hessian, 0)));
      }
    }
    return weights;
  }
};

Registration<TreeMethod> const kHist{"hist", {}, "Candidates are the edges of bins that are made once per matrix.", {}, [] {
                                       return std::make_unique<HistMethod>();
                                     }};
Registration<TreeMethod> const kApprox{
    "approx", {}, "Candidates are quantiles weighted by the hessians of each tree.", {}, [] {
      return std::make_unique<ApproxMethod>();
    }};

}  // namespace
}  // namespace xgbl
