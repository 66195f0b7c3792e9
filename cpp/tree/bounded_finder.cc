// SPDX-License-Identifier: Apache-2.0
#include "tree/bounded_finder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "tree/bounded_search.h"
#include "tree/quantised_rows.h"
#include "tree/row_partition.h"

namespace xgbl {
namespace {

constexpr int kBins = 256;
constexpr std::size_t kLeastRows = 16384;                   // of a table: fewer are scanned as fast
constexpr std::size_t kLeastShare = 8;                      // a column has cells in at least one of so many rows
constexpr std::size_t kDirectRows = 96;                     // nodes of so few rows are sorted instead
constexpr std::size_t kNodesAhead = 16;                     // enough work for a few threads
constexpr std::size_t kBatchBytes = 32U << 20U;             // bins that are filled before they are looked at
constexpr std::size_t kMostKeptBytes = 64U << 20U;          // bins of open nodes
constexpr std::size_t kOperationsPerColumn = 512;           // of a search, roughly
constexpr std::uint8_t kRight = 0, kLeft = 1, kLookUp = 2;  // where a code goes

// Two siblings, or the root alone.
struct Family {
  NodeId parent = kNoNode;
  NodeId first = kNoNode;
  std::vector<std::size_t> wanted;  // places among the nodes that are to be evaluated
};

class BoundedFinder final : public SplitFinder {
 public:
  BoundedFinder(TreeTask const& task, ColumnSampler const& columns, std::shared_ptr<BinnedMatrix const> bins)
      : task_(task),
        columns_(columns),
        bins_(std::move(bins)),
        monotone_(task.param, task.data.Columns()),
        scale_(ExactScale(task)),
        records_(QuantisedRows(task, scale_)),
        rows_(task.rows.all ? RowPartition(task.data.Rows(), task.ctx) : RowPartition(task.rows.rows)),
        others_(task.rows.Others(task.data.Rows())),
        builder_(*bins_, records_, task.ctx),
        searches_(static_cast<std::size_t>(std::max(1, task.ctx.threads))),
        root_(SumOfSampled(records_, task.ctx)) {}

  FixedSums RootSums() const override { return root_; }
  std::vector<FixedScale> Scales() const override { return {scale_}; }
  std::size_t NodesAhead() const override { return task_.ctx.threads > 1 ? kNodesAhead : 1; }

  std::vector<Split> Evaluate(GrowingTree const& tree, std::vector<NodeId> const& nodes) override {
    sums_.resize(tree.nodes.size());
    ScanBatch const batch(task_.param, monotone_, tree, nodes);
    std::vector<Split> splits(nodes.size());
    std::vector<Family> const families = Families(tree, nodes);
    std::size_t const at_a_time = std::max<std::size_t>(1, kBatchBytes / (2 * builder_.Bytes() + 1));
    for (std::size_t begin = 0; begin < families.size(); begin += at_a_time) {
      Span<Family const> const piece =
          Span<Family const>(families).Sub(begin, std::min(at_a_time, families.size() - begin));
      Build(nodes, piece);
      Search(tree, nodes, piece, batch, &splits);
      for (Family const& family : piece) {
        for (auto const i : family.wanted) KeepIfUseful(nodes[i], tree[nodes[i]].depth, splits[i].Valid());
      }
    }
    DropParents();
    return splits;
  }

  void Apply(GrowingTree const& tree, std::vector<NodeId> const& nodes) override {
    DropParents();
    parents_ = nodes;
    std::vector<RowPartition::Move> moves;
    std::vector<Way> ways;
    for (NodeId const id : nodes) {
      GrowingNode const& node = tree[id];
      moves.push_back({id, node.left, node.split.feature, node.split.missing_left, 0, {}});
      ways.push_back(WayOf(node.split));
    }
    using Rows = Span<std::uint32_t const>;
    rows_.Split(
        moves,
        [&](std::size_t move, Rows rows, std::uint32_t* left, std::uint32_t* right) {
          return Route(ways[move], rows, left, right, moves[move].left);
        },
        task_.ctx);
    if (task_.rows.all) return;
    others_.Split(
        moves,
        [&](std::size_t move, Rows rows, std::uint32_t* left, std::uint32_t* right) {
          return Route(ways[move], rows, left, right, kNoNode);
        },
        task_.ctx);
  }

  TreeRows CollectRows(GrowingTree const& tree, Span<NodeId const> final_of) override {
    Report();
    TreeRows out;
    out.sampled = rows_.TakeLeaves(tree, final_of);
    if (!task_.rows.all) out.others = others_.TakeLeaves(tree, final_of);
    return out;
  }

 private:
  // How a split sends rows: nearly always their codes tell.
  struct Way {
    CodeColumn codes;
    std::array<std::uint8_t, kBins> side;
    std::uint32_t feature;
    float threshold;
  };

  Way WayOf(Split const& split) const {
    Way way{CodesOf(*bins_, split.feature), {}, split.feature, split.threshold};
    std::uint32_t const bins = bins_->Place(split.feature).bins;
    std::uint32_t const own = bins_->GetCuts().BinOf(split.feature, split.threshold);
    way.side.fill(split.missing_left ? kLeft : kRight);  // codes behind the bins mean missing
    for (std::uint32_t b = 0; b < bins; ++b) way.side[b] = b < own ? kLeft : b > own ? kRight : kLookUp;
    return way;
  }

  // Rows that a tree is grown on take the number of their new node along.
  std::size_t Route(Way const& way, Span<std::uint32_t const> rows, std::uint32_t* left, std::uint32_t* right,
                    NodeId left_node) {
    std::size_t lefts = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::uint32_t const row = rows[i];
      std::uint8_t side = way.side[way.codes.At(row)];
      if (side == kLookUp) side = task_.data.Features().Dense()->At(row, way.feature) < way.threshold ? kLeft : kRight;
      left[lefts] = row;
      right[i - lefts] = row;
      if (left_node != kNoNode) records_[row].slot = left_node + 1 - side;
      lefts += side;
    }
    return lefts;
  }

  void Report() const {
    if (task_.ctx.log == nullptr) return;
    std::size_t cells = 0, refined = 0;
    for (auto const& search : searches_) {
      cells += search ? search->Cells() : 0;
      refined += search ? search->Refined() : 0;
    }
    double const share = cells > 0 ? 100.0 * static_cast<double>(refined) / static_cast<double>(cells) : 0;
    task_.ctx.log->Add(MessageLog::Level::kInfo, "Exact splits: " + std::to_string(share) + " % of " +
                                                     std::to_string(cells) + " cells were refined.");
  }

  std::vector<Family> Families(GrowingTree const& tree, std::vector<NodeId> const& nodes) const {
    std::vector<Family> families;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      NodeId const parent = tree[nodes[i]].parent;
      if (families.empty() || parent == kNoNode || families.back().parent != parent) {
        families.push_back({parent, parent == kNoNode ? nodes[i] : tree[parent].left, {}});
      }
      families.back().wanted.push_back(i);
    }
    return families;
  }

  bool NeedsBins(NodeId node) const { return rows_.Count(node) > kDirectRows; }

  // Fills or derives the bins of all nodes that need them.
  void Build(std::vector<NodeId> const& nodes, Span<Family const> families) {
    std::vector<BinSumBuilder::Job> jobs;
    std::vector<BinSumBuilder::Difference> differences;
    std::vector<std::pair<NodeId, NodeId>> heirs;  // parent, the child that gets its bins
    auto const add = [&](NodeId node) { jobs.push_back({rows_.Rows(node), &sums_[Tree::At(node)]}); };
    for (Family const& family : families) {
      bool const derivable = family.parent != kNoNode && !sums_[Tree::At(family.parent)].empty();
      std::size_t const first_rows = rows_.Count(family.first);
      bool const second_is_light = family.parent != kNoNode && rows_.Count(family.first + 1) < first_rows;
      NodeId const light = family.first + (second_is_light ? 1 : 0), heavy = 2 * family.first + 1 - light;
      bool heavy_derived = false, light_added = false;
      for (auto const i : family.wanted) {
        if (!NeedsBins(nodes[i])) continue;
        if (derivable && nodes[i] == heavy) {
          heavy_derived = true;
        } else {
          add(nodes[i]);
          light_added = light_added || nodes[i] == light;
        }
      }
      if (!heavy_derived) continue;
      if (!light_added) add(light);
      differences.push_back({&sums_[Tree::At(family.parent)], &sums_[Tree::At(light)]});
      heirs.emplace_back(family.parent, heavy);
    }
    builder_.Build(jobs);
    builder_.Subtract(differences);
    for (auto const& [parent, heavy] : heirs) {
      kept_bytes_ -= builder_.Bytes();
      sums_[Tree::At(heavy)] = std::move(sums_[Tree::At(parent)]);
    }
  }

  void Search(GrowingTree const& tree, std::vector<NodeId> const& nodes, Span<Family const> families,
              ScanBatch const& batch, std::vector<Split>* splits) {
    std::vector<std::size_t> order;
    for (Family const& family : families) order.insert(order.end(), family.wanted.begin(), family.wanted.end());
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rows_.Count(nodes[a]) > rows_.Count(nodes[b]); });
    SearchData const data{*task_.data.Features().Dense(), task_.data.Sorted(task_.ctx), *bins_, records_};
    Context const worth = ForWork(task_.ctx, order.size() * columns_.Tree().size() * kOperationsPerColumn);
    ParallelTasks(worth, order.size(), [&](std::size_t i, int thread) {
      NodeId const node = nodes[order[i]];
      auto& search = searches_[static_cast<std::size_t>(thread)];
      if (!search) search = std::make_unique<BoundedSearch>(data);
      auto const& own = tree[node].columns;
      Span<std::uint32_t const> const features = own.empty() ? columns_.Tree() : own;
      BinSum const* const sums = NeedsBins(node) ? sums_[Tree::At(node)].data() : nullptr;
      (*splits)[order[i]] = search->Best(batch, {batch.Nodes()[order[i]], node, rows_.Rows(node), features, sums});
    });
    for (Family const& family : families) {  // a light one may have been filled for its sibling's sake alone
      if (family.parent == kNoNode) continue;
      for (NodeId const node : {family.first, family.first + 1}) {
        bool const wanted =
            std::any_of(family.wanted.begin(), family.wanted.end(), [&](std::size_t i) { return nodes[i] == node; });
        if (!wanted) builder_.Release(&sums_[Tree::At(node)]);
      }
    }
  }

  // Called once a node was evaluated: its bins are kept if children may want them and there is room.
  void KeepIfUseful(NodeId node, int depth, bool may_split) {
    BinSums& sums = sums_[Tree::At(node)];
    if (sums.empty()) return;
    bool const has_grandchildren = task_.param.max_depth == 0 || depth + 1 < task_.param.max_depth;
    bool const room = kept_bytes_ + builder_.Bytes() <= kMostKeptBytes || kept_bytes_ == 0;
    if (!may_split || !has_grandchildren || !room || !NeedsBins(node)) return builder_.Release(&sums);
    kept_bytes_ += builder_.Bytes();
  }

  // Nobody needs the bins of a node whose children were evaluated, or will not be.
  void DropParents() {
    for (NodeId const parent : parents_) {
      if (sums_[Tree::At(parent)].empty()) continue;
      kept_bytes_ -= builder_.Bytes();
      builder_.Release(&sums_[Tree::At(parent)]);
    }
    parents_.clear();
  }

  TreeTask const& task_;
  ColumnSampler const& columns_;
  std::shared_ptr<BinnedMatrix const> bins_;
  MonotoneConstraints monotone_;
  FixedScale scale_;
  Buffer<ScanRow> records_;
  RowPartition rows_;
  RowPartition others_;  // those that were not sampled: they only go along
  BinSumBuilder builder_;
  std::vector<std::unique_ptr<BoundedSearch>> searches_;  // by thread
  std::vector<BinSums> sums_;                             // by node
  std::size_t kept_bytes_ = 0;
  std::vector<NodeId> parents_;  // of the nodes that are evaluated next
  FixedSum root_;
};

bool ReadsLayout(BinnedMatrix const& bins) {
  BinLayout const& layout = bins.Layout();
  bool const bytes =
      std::all_of(layout.tiles.begin(), layout.tiles.end(), [](BinTile const& tile) { return tile.cell_bytes == 1; });
  bool const bundles =
      std::any_of(layout.slots.begin(), layout.slots.end(), [](BinSlot const& slot) { return slot.Bundle(); });
  bool const sparse = std::any_of(layout.sparse_features.begin(), layout.sparse_features.end(),
                                  [&](std::uint32_t feature) { return bins.Present(feature) > 0; });
  return bytes && !bundles && !sparse;
}

}  // namespace

bool SuitsBounds(TreeTask const& task) {
  if (task.data.Features().Dense() == nullptr || task.data.Rows() < kLeastRows) return false;
  ColumnBlocks const& sorted = task.data.Sorted(task.ctx);
  for (std::size_t column = 0; column < task.data.Columns(); ++column) {
    std::size_t const present = sorted.Present(column);
    if (present > 0 && present * kLeastShare < task.data.Rows()) return false;
  }
  OutputGradients const& output = task.gradients[0];
  return AllRows(task.ctx, task.data.Rows(), [&](std::size_t row) { return output.H(row) >= 0; });
}

std::unique_ptr<SplitFinder> MakeBoundedFinder(TreeTask const& task, ColumnSampler const& columns) {
  auto bins = task.data.FinelyBinned(task.ctx, kBins);
  if (!ReadsLayout(*bins)) return nullptr;
  return std::make_unique<BoundedFinder>(task, columns, std::move(bins));
}

}  // namespace xgbl
